package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"parcorels/ask/crossval"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/model"
	"parcorels/ratio"
)

// cvSettings is what the options of cv say.
type cvSettings struct {
	*call
	*process.Learning
	process.Output
	cv      crossval.Options
	pick    crossval.Pick
	holdout string
	groups  string
	by      string
	asks    chanceSettings
	auto    bool     // --lambda auto
	lambdas []string // that were given; nil for those of the family
}

// defaultLambdas are those that cv tries where neither the user nor the family names any:
// the default of fit, twice that and half of it.
func defaultLambdas(d *dataset.Dataset) []ratio.Ratio {
	l := family.DefaultLambda(d)
	list := []ratio.Ratio{l, ratio.New(l.Num, 2*l.Den)}
	if twice := ratio.New(2*l.Num, l.Den); twice.Within() {
		list = append([]ratio.Ratio{twice}, list...)
	}
	return list
}

// cvGroup is what is cross-validated.
func (s *cvSettings) cvGroup() process.Group {
	lambda := option.List(&s.lambdas, "numbers between 0 and 1 with commas between them, such as 0.01 or 1/300 (for a rule set any "+
		"above 0), or auto", readLambdas)
	lambda.Many = false
	return process.Group{Title: "Cross-validation", Options: []*option.Option{
		{Name: "lambda", Holder: "LIST", Unset: "the default of fit, twice that and half; of a rule set 16,4,1",
			Help: "prices to try; auto also tries halves and doubles, until the best price lies between others", Value: lambda},
		{Name: "folds", Holder: "N", Default: "10", Help: "folds, at most as many as there are samples",
			Value: option.Integer(&s.cv.Folds, 2, 10000)},
		{Name: "groups", Holder: "COLUMN", Tables: true, Help: "keep rows with the same value in one fold, such as rows of one person",
			Value: option.Text(&s.groups, "a column name")},
		{Name: "by", Holder: "COLUMN", Tables: true, Help: "also evaluate the rows of each value of this column, on the folds left out",
			Value: option.Text(&s.by, "a column name")},
		{Name: "holdout", Holder: "SHARE", Help: "use one test part with this share of the samples, instead of folds",
			Value: option.Number(&s.holdout, "a number between 0 and 1, such as 0.3", ratio.Ratio.Within)},
		{Name: "seed", Holder: "N", Default: "1", Help: "seed of the folds; the same one gives the same folds everywhere",
			Value: option.Integer(&s.cv.Seed, 0, math.MaxInt64)},
		{Name: "balance", Holder: "HOW", Default: "none", Help: "give both classes the same weight in training, by exact weights or by " +
			"drawing from the smaller class", Value: option.Named(&s.cv.Balance, []string{"none", "weights", "resample"},
			[]crossval.Balance{crossval.Unbalanced, crossval.Weights, crossval.Resample})},
		{Name: "pick", Holder: "RULE", Unset: "pick none", Help: "pick the λ of the smallest mean error (best), or the largest within " +
			"one standard error of it (one-se)", Value: option.Choice(&s.pick, crossval.Best, crossval.OneStandardError)},
	}}
}

// readLambdas reads the λ to try, or "auto".
func readLambdas(text string) ([]string, error) {
	items, err := option.SplitNames(text)
	if err != nil || text == "auto" {
		return items, err
	}
	var seen []ratio.Ratio
	for _, item := range items {
		l, err := option.Exact(item, option.Positive)
		if err != nil {
			return nil, err
		}
		if slices.Contains(seen, l) {
			return nil, errors.New("the same number twice")
		}
		seen = append(seen, l)
	}
	return items, nil
}

// prices returns the prices to try.
func (s *cvSettings) prices() (list []ratio.Ratio, err error) {
	f, texts := s.Family(), s.lambdas
	s.auto = slices.Equal(texts, []string{"auto"})
	switch {
	case f.Price != "lambda":
		if texts != nil {
			return nil, fmt.Errorf("--lambda is not an option of the family %s", f.Name)
		}
		length, err := s.Options.Price()
		return []ratio.Ratio{length}, err
	case texts != nil && !s.auto:
	case f.Grid != nil:
		texts = f.Grid
	default:
		return nil, nil // known when the samples are
	}
	for _, text := range texts {
		l, _ := ratio.Parse(text) // was checked
		if f.Kind != model.RuleSet && !l.Within() {
			return nil, fmt.Errorf("--lambda %q: expected %s", strings.Join(texts, ","),
				"numbers between 0 and 1 with commas between them, such as 0.01 or 1/300 (for a rule set any above 0), or auto")
		}
		list = append(list, l)
	}
	return list, nil
}

// cvGroups are all options of cv. The chains of Bayesian rule lists always begin where fit
// has them begin: --seed is that of the folds.
func (s *cvSettings) cvGroups() []process.Group {
	search := s.Group(family.SearchGroup, "lambda")
	for _, o := range search.Options {
		if o.Name == "time" {
			o.Unset = "10m for all fits together"
		}
		o.Help = map[string]string{
			"workers": "worker goroutines of all fits together",
			"time":    "stop the search of each fit after this long",
			"nodes":   "stop the search of each fit after expanding so many prefixes",
			"memory":  "memory for nodes, queues and maps of all fits together; when it is full, the search continues, slower",
		}[o.Name]
	}
	return []process.Group{
		s.Group(family.ModelGroup), s.Group(family.SetGroup), s.Group(family.BayesGroup, "seed"), s.Group(family.ReadingGroup),
		s.Group(family.MiningGroup),
		s.cvGroup(), s.asks.group(), search,
		{Title: "Output", Options: []*option.Option{
			outputOption(&s.Output.ModelFile, "learn from all samples with the λ picked, and write the model; - for stdout and nothing "+
				"else there"),
			jsonOption(&s.JSON, "write the report as a JSON object"),
			progressOption(&s.Progress, "a line for each fit, on stderr"),
			quietOption(&s.Quiet, "print the table, no models"),
		}},
	}
}
