package cli

import (
	"errors"
	"slices"

	"parcorels/crossval"
	"parcorels/ratio"
)

// cvGroup is what is cross-validated.
func cvGroup(s *settings) group {
	return group{"Cross-validation", []option{
		{name: "lambda", value: "LIST", def: "0.02,0.01,0.005", expect: "numbers between 0 and 1 with commas between them, such as 0.01 or 1/300 (with --model set any above 0), or auto", text: "prices of a rule or leaf to try; auto begins with these and goes on, by halves and doubles, until the best lies between others; of rule sets prices of a literal, 16,4,1 unless given",
			set: s.setLambdas},
		{name: "folds", value: "N", def: "10", expect: "an integer from 2 to 10000", text: "folds, at most as many as the smaller class has samples", set: whole(&s.cv.Folds, 2, 10000)},
		{name: "groups", value: "COLUMN", expect: "a column name", text: "keep rows of the same value in one fold, as those of one person", tables: true, set: notEmpty(&s.groups)},
		{name: "holdout", value: "SHARE", expect: "a number between 0 and 1, such as 0.3", text: "instead of folds one test part, with this share of the samples",
			set: func(t string) error {
				r, err := exact(t, ratio.Ratio.Within)
				s.cv.Holdout = r.Float()
				return err
			}},
		{name: "seed", value: "N", def: "1", expect: "an integer from 0 to 2^64-1", text: "seed of the folds; the same one gives the same folds everywhere", set: seed(&s.cv.Seed)},
		{name: "balance", value: "HOW", among: []string{"none", "weights", "resample"}, def: "none", expect: "none, weights (exact) or resample (the smaller class is drawn with replacement)", text: "make both classes count the same in training, not in what is measured",
			set: named(&s.cv.Balance, map[string]crossval.Balance{"none": crossval.Unbalanced, "weights": crossval.Weights, "resample": crossval.Resample})},
		{name: "pick", value: "RULE", among: []string{"best", "one-se"}, unset: "pick none", expect: "best (smallest mean error on the folds left out) or one-se (the largest λ within one standard error of that)", text: "pick λ; with --balance both classes count the same in the error",
			set: oneOf(&s.pick, crossval.Best, crossval.OneStandardError)},
	}}
}

// setLambdas reads the λ to try.
func (s *settings) setLambdas(text string) error {
	items, err := nonEmpty(text)
	if err != nil {
		return err
	}
	s.cv.Lambdas, s.auto, s.wideLambda = nil, text == "auto", ""
	if s.auto {
		items = []string{"0.02", "0.01", "0.005"}
	}
	for _, item := range items {
		l, err := exact(item, positive)
		if err != nil {
			return err
		}
		if !l.Within() {
			s.wideLambda = text
		}
		if slices.Contains(s.cv.Lambdas, l) {
			return errors.New("the same number twice")
		}
		s.cv.Lambdas = append(s.cv.Lambdas, l)
	}
	return nil
}

// cvFamilyGroups are the options of the families. The chains of Bayesian rule lists
// always begin where fit has them begin: --seed is that of the folds.
func cvFamilyGroups(s *settings) []group {
	bayes := bayesGroup(s)
	bayes.options = slices.DeleteFunc(bayes.options, func(o option) bool { return o.name == "seed" })
	return []group{familyGroup(s), ruleSetGroup(s), bayes}
}

// cvSearchGroup is the limits of fit, shared by the folds.
func cvSearchGroup(s *settings) group {
	return searchGroup(s).only(map[string]string{
		"workers": "worker goroutines of all fits together",
		"time":    "stop the search of each fit after this long",
		"nodes":   "stop the search of each fit after expanding this many prefixes",
		"memory":  "memory for nodes, queues and maps of all fits together; when it is full searches go on, slower",
	})
}

// cvOutputGroup is where the result of cv goes.
func cvOutputGroup(s *settings) group {
	return fitOutputGroup(s).only(map[string]string{
		"output":   "learn from all samples with the λ picked, and write the model; - for stdout and nothing else there",
		"json":     "write the report as a JSON object; - for stdout and nothing else there",
		"progress": "a line for each fit, on stderr",
		"quiet":    "print the table, no models",
	})
}
