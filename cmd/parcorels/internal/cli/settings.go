package cli

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	bayessearch "parcorels/bayes/search"
	"parcorels/crossval"
	"parcorels/dataset"
	"parcorels/internal/generate"
	"parcorels/model"
	"parcorels/ratio"
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
	mirror string           // --url
	cv     crossval.Options // what is of cv alone
	pick   crossval.Pick
	groups string // --groups
	auto   bool   // --lambda auto

	predict model.Options // of predict, evaluate and explain
	row     int64         // --row
	fitJSON string        // --fit of report
	cvJSON  string        // --cv of report

	bench benchSettings

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

	path  string // of the data
	proof string // --proof
	hash  string // that the data must have; "" for any

	completing bool // a shell asks what a line may become

	given map[string]bool // options that were on the command line, by name
	typed []typedOption   // the same with their values, in order
}

// newSettings returns settings without any option given.
func newSettings() *settings {
	return &settings{given: map[string]bool{}, bench: newBenchSettings(), bayes: bayessearch.Options{Prior: bayessearch.DefaultPrior()}, ruleSet: rulesearch.Options{Prices: rulesearch.DefaultPrices()}}
}

// errTwice reports a column that two options speak of.
var errTwice = errors.New("this column has its cuts already")

// The functions below read values of options. They return errExpected where
// the range in the table says all there is to say.

// list reads "a,b" as package csv does, so that a quoted item may hold commas.
func list(text string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	items, err := r.Read()
	if errors.Is(err, io.EOF) {
		return []string{}, nil
	}
	if err != nil {
		return nil, errExpected
	}
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		return nil, errExpected
	}
	return items, nil
}

// nonEmpty is list for items that stand for something.
func nonEmpty(text string) ([]string, error) {
	items, err := list(text)
	if err != nil || len(items) == 0 {
		return nil, errExpected
	}
	for _, item := range items {
		if item == "" {
			return nil, errExpected
		}
	}
	return items, nil
}

// cuts reads "age=18,21,23".
func cuts(text string) (column string, values []float64, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 1 {
		return "", nil, errExpected
	}
	for item := range strings.SplitSeq(text[i+1:], ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || len(values) > 0 && v <= values[len(values)-1] {
			return "", nil, errExpected
		}
		values = append(values, v)
	}
	return text[:i], values, nil
}

// separator reads the separator of fields.
func separator(text string) (rune, error) {
	switch text {
	case "tab", `\t`:
		return '\t', nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "space":
		return ' ', nil
	}
	r := []rune(text)
	if len(r) != 1 || strings.ContainsRune("\"\r\n", r[0]) {
		return 0, errExpected
	}
	return r[0], nil
}

// whole reads an integer from low to high.
func whole(text string, low, high int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < low || n > high {
		return 0, errExpected
	}
	return n, nil
}

// share reads an exact number that ok accepts.
func share(text string, ok func(ratio.Ratio) bool) (ratio.Ratio, error) {
	r, err := ratio.Parse(text)
	if errors.Is(err, ratio.ErrRange) {
		return r, errors.Unwrap(err) // the text is there already
	}
	if err != nil || !ok(r) {
		return r, errExpected
	}
	return r, nil
}

func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errExpected
	}
	return d, nil
}

// fileName reads the name of a file that is no stream.
func fileName(text string) (string, error) {
	if text == "" || text == "-" {
		return "", errExpected
	}
	return text, nil
}

// oneOf checks that text is one of names.
func oneOf(text string, names ...string) (string, error) {
	for _, n := range names {
		if n == text {
			return text, nil
		}
	}
	return "", errExpected
}
