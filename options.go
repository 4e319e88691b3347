package parcorels

import (
	"time"

	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
)

// Options say what to learn and how. The zero value learns a rule list with the
// defaults of the command line.
type Options struct {
	Family model.Family // model.RuleList, Tree, RuleSet or BayesianRuleList; "": RuleList
	// Lambda is the price of a rule or leaf as a share of all samples, in a rule
	// set of a literal in samples: a decimal or a fraction, as "0.01" or "1/300".
	// "" is "0.01", and "1" of rule sets. Of Bayesian rule lists it is the expected
	// number of rules, 10 by default.
	Lambda      string
	MaxCard     int           // most literals of an antecedent; 0: 2, and 1 for trees and rule sets
	Negations   bool          // literals may be negations
	Informative bool          // of conjunctions, only those that say more than their parts, by more than chance, and decide otherwise
	MinSupport  string        // least share of the weight that an antecedent captures; "": "0.01", and "0" for trees and rule sets
	Depth       int           // of trees: most splits on a path; 0: no limit
	Rules       int           // of rule sets: most rules; 0: 16
	Workers     int           // goroutines; 0: all that GOMAXPROCS allows
	Time        time.Duration // of the search, whose best model so far then comes with a bound; 0: no limit
	Memory      int64         // bytes for what a search for lists or trees remembers; 0: no limit
}

// settled are options with their defaults filled in.
type settled struct {
	Options
	lambda ratio.Ratio
	mining rules.Options
}

// settle checks the options and fills in the defaults.
func (o Options) settle() (settled, error) {
	s := settled{Options: o}
	if s.Family == "" {
		s.Family = model.RuleList
	}
	list := s.Family == model.RuleList
	switch {
	case !list && s.Family != model.Tree && s.Family != model.RuleSet && s.Family != model.BayesianRuleList:
		return s, optionerr.Errorf("Family", "option Family is %q, expected %q, %q, %q or %q", s.Family, model.RuleList, model.Tree, model.RuleSet, model.BayesianRuleList)
	case o.MaxCard < 0:
		return s, optionerr.Errorf("MaxCard", "option MaxCard is %d: a conjunction has at least 1 literal", o.MaxCard)
	case o.Depth < 0 || o.Depth > 0 && s.Family != model.Tree:
		return s, optionerr.Errorf("Depth", "option Depth is %d for a %s: only trees have one, from 1 on", o.Depth, s.Family)
	case o.Rules < 0 || o.Rules > 0 && s.Family != model.RuleSet:
		return s, optionerr.Errorf("Rules", "option Rules is %d for a %s: only rule sets have a limit, from 1 on", o.Rules, s.Family)
	}
	if err := (optionerr.Limits{Workers: o.Workers, Time: o.Time, Memory: o.Memory}).Check(parallel.MaxWorkers); err != nil {
		return s, err
	}
	s.mining = rules.Options{MaxCard: o.MaxCard, Negations: o.Negations || s.Family == model.RuleSet, Informative: o.Informative}
	lambda, support := "0.01", "0.01"
	switch s.Family {
	case model.RuleSet:
		lambda = "1"
	case model.BayesianRuleList:
		lambda = "10"
	}
	if s.Family == model.Tree || s.Family == model.RuleSet {
		support = "0"
		if o.MaxCard == 0 {
			s.mining.MaxCard = 1
		}
	}
	var err error
	if s.lambda, err = number("Lambda", o.Lambda, lambda); err != nil {
		return s, err
	}
	switch share := list || s.Family == model.Tree; {
	case share && !s.lambda.Within():
		return s, optionerr.Errorf("Lambda", "option Lambda is %s: expected a number between 0 and 1", s.lambda)
	case s.lambda.Num <= 0:
		return s, optionerr.Errorf("Lambda", "option Lambda is %s for a %s: expected a number above 0", s.lambda, s.Family)
	}
	if s.mining.MinSupport, err = number("MinSupport", o.MinSupport, support); err != nil {
		return s, err
	}
	if m := s.mining.MinSupport; m.Num < 0 || m.Num > m.Den/2 {
		return s, optionerr.Errorf("MinSupport", "option MinSupport is %s: expected a number from 0 to 0.5", m)
	}
	return s, nil
}

// number reads an exact number, or the default where the text is empty.
func number(option, text, def string) (ratio.Ratio, error) {
	if text == "" {
		text = def
	}
	r, err := ratio.Parse(text)
	if err != nil {
		return r, optionerr.Errorf(option, "option %s: %v", option, err)
	}
	return r, nil
}
