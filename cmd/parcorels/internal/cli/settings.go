package cli

import (
	"time"

	bayessearch "parcorels/bayes/search"
	"parcorels/crossval"
	"parcorels/dataset"
	"parcorels/internal/generate"
	"parcorels/model"
	"parcorels/rulelist/search"
	"parcorels/rules"
	rulesearch "parcorels/ruleset/search"
)

// settings is what the options of a command say.
type settings struct {
	data   dataset.Options
	mining rules.Options
	search search.Options
	stops  generate.StopFrisk
	cv     crossval.Options // what is of cv alone
	pick   crossval.Pick
	groups string // --groups
	auto   bool   // --lambda auto

	predict model.Options // of predict, evaluate and explain
	row     int64         // --row
	fitJSON string        // --fit of report
	cvJSON  string        // --cv of report

	checkpoint string        // --checkpoint
	every      time.Duration // --every
	resume     string        // --resume

	output     string // -o
	json       string // --json
	progress   string // auto, always, full or never
	quiet      bool
	explain    bool   // --explain of verify
	explainCSV string // --explain-csv, "" for none

	model string // --model
	depth int    // --depth
	as    string // --as

	wideLambda string              // --lambda as it was typed if it is 1 or more
	ruleSet    rulesearch.Options  // what is of rule sets alone
	bayes      bayessearch.Options // what is of Bayesian rule lists alone

	proof string // --proof
	hash  string // that the data must have; "" for any

	command    *command // that is run
	completing bool     // a shell asks what a line may become

	given map[string]bool // options that were on the command line, by name
	typed []typedOption   // the same with their values, in order
}

// newSettings returns settings without any option given.
func newSettings() *settings {
	return &settings{given: map[string]bool{}, bayes: bayessearch.Options{Prior: bayessearch.DefaultPrior()}, ruleSet: rulesearch.Options{Prices: rulesearch.DefaultPrices()}}
}
