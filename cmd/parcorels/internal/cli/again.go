package cli

import (
	"path/filepath"
	"slices"

	"parcorels/crossval"
	"parcorels/model"
)

// A model file carries the options that decide the model on its data. From them a
// report says by which command fit learns the same model again. They are those that
// were given, and λ in any case; so a file without any is not from this program.

// decides lists the options of fit that decide the model. What only decides when
// a search ends, or what it writes, is not among them, nor is what gives the same
// answer in another time.
func decides(s *settings) []option {
	return slices.Concat(familyGroup(s).options, ruleSetGroup(s).options, bayesGroup(s).options,
		tableGroup(s).options, miningGroup(s).options)
}

// again returns the options by which fit learns the same model again. It is nil where
// there are none, as where cv balanced the classes by drawing samples.
func (s *settings) again() []model.Option {
	balanced := s.cv.Balance == crossval.Weights
	if s.cv.Balance != crossval.Unbalanced && !balanced {
		return nil
	}
	var list []model.Option
	for _, o := range decides(s) {
		switch {
		case o.name == "length": // below
		case o.name == "seed" && s.command.name == "cv": // that of the folds
		case o.name == "class-weights" && balanced:
			list = append(list, model.Option{Name: o.name, Value: "balanced"})
		case s.given[o.name]:
			for _, t := range s.typed {
				if t.Name != o.name {
					continue
				}
				if t.Name == "labels" {
					t.Value = filepath.Base(t.Value)
				}
				list = append(list, model.Option(t))
			}
		}
	}
	price := model.Option{Name: "lambda", Value: s.search.Lambda.String()}
	if s.family().kind == model.BayesianRuleList {
		price.Name = "length"
	}
	return append(list, price)
}
