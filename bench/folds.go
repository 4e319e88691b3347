package bench

import (
	"context"
	"fmt"
	"time"

	"parcorels"
	"parcorels/crossval"
	"parcorels/ratio"
	"parcorels/rules"
)

// The measures of a cross-validation: means over the folds, and deviations.
const (
	accuracyMeasure  = "accuracy"
	aucMeasure       = "AUC"
	trainMeasure     = "training accuracy"
	deviationMeasure = " deviation"
)

// foldSeed deals the samples into folds.
const foldSeed = 1

// validate cross-validates models of a family with the λ of the options. The seconds are those of the
// search, the mean of the folds.
func (c *Case) validate(ctx context.Context, set *rules.Set, family crossval.Family, options parcorels.Options, mining rules.Options) (out Outcome, err error) {
	lambda, err := options.Price() // a family that chooses it does without
	if err != nil {
		return out, err
	}
	o := crossval.Options{
		Family: family, Lambdas: []ratio.Ratio{lambda}, Folds: c.Folds, Seed: foldSeed, Mining: mining,
		Limits: crossval.Limits{Workers: 1, Time: time.Duration(c.Limit * float64(time.Second)), Nodes: c.Nodes},
	}
	r, err := crossval.Run(ctx, set.Data, o)
	if err != nil {
		return out, err
	}
	if !r.Complete() {
		return out, context.Canceled
	}
	s := r.Summaries()[0]
	out.Status, out.SecondsSearch = Done, s.Seconds.Mean
	out.Samples, out.Antecedents = int64(set.Data.N), len(set.Antecedents)
	if c.Lambda == "" {
		out.LambdaText = lambda.String()
	}
	out.Measures = append(estimated(accuracyMeasure, s.Measured.Accuracy), estimated(aucMeasure, s.Measured.AUC)...)
	out.Measures = append(out.Measures, Measure{Name: rulesMeasure, Value: s.Length.Mean, Unit: "rules"})
	out.Measures = append(out.Measures, estimated(trainMeasure, s.Train.Accuracy)...)
	switch c.Beside {
	case greedy:
		out.Measures = append(out.Measures, greedyFolds(set.Data, r)...)
	case learned:
		beside, err := scikit(ctx, set.Data, r.Folds)
		if err != nil {
			return out, err
		}
		out.Measures = append(out.Measures, beside...)
	}
	return out, nil
}

func estimated(name string, e crossval.Estimate) []Measure {
	return []Measure{{Name: name, Value: e.Mean, Unit: "share"}, {Name: name + deviationMeasure, Value: e.Deviation, Unit: "share"}}
}

// spread is a measure with its deviation over the folds.
func (s *summary) spread(name string) string {
	if s.measure(name).Name == "" {
		return ""
	}
	return fmt.Sprintf("%s (%s)", share(s.measure(name).Value), decimals(100*s.measure(name+deviationMeasure).Value, 1))
}

// meanMeasures returns the mean of the measures of each name.
func meanMeasures(list []Measure) (means []Measure) {
	at, n := map[string]int{}, map[string]float64{}
	for _, m := range list {
		if _, known := at[m.Name]; !known {
			at[m.Name] = len(means)
			means = append(means, Measure{Name: m.Name, Unit: m.Unit})
		}
		means[at[m.Name]].Value += m.Value
		n[m.Name]++
	}
	for i := range means {
		means[i].Value /= n[means[i].Name]
	}
	return means
}
