package bench

import (
	"context"
	"fmt"

	"parcorels"
	"parcorels/crossval"
	"parcorels/ratio"
	"parcorels/rules"
)

// The grid of the rule set paper (section 5, "Parameter tuning").
var (
	paperBeta2   = []ratio.Ratio{ratio.New(1, 2), ratio.New(1, 10), ratio.New(1, 100)}
	paperLambdas = []ratio.Ratio{ratio.New(1, 10), ratio.New(1, 1), ratio.New(4, 1), ratio.New(8, 1), ratio.New(16, 1), ratio.New(64, 1)}
	paperRules   = []int{8, 16, 32}
)

// tunedFolds is how many folds of the training part choose the parameters.
const tunedFolds = 3

// The means over the folds of the parameters that were chosen.
const (
	chosenMeasure  = "λ chosen"
	allowedMeasure = "K chosen"
)

// tuned learns rule sets with the parameters of the paper's grid that do best in a
// cross-validation of the training part, as the paper does. While it chooses, sets are
// learned by local search alone, which is the paper's algorithm; the one that is tested
// is learned as the options say. The λ that it is given has no influence.
type tuned struct {
	crossval.Models
	means []Measure // of what was chosen
}

// Prepare implements crossval.Family.
func (f *tuned) Prepare(set *rules.Set) (crossval.Learner, error) {
	return func(ctx context.Context, _ ratio.Ratio, l crossval.Limits) (*crossval.Learned, error) {
		o, lambda, err := f.choose(ctx, set)
		if err != nil {
			return nil, err
		}
		f.means = append(f.means,
			Measure{Name: chosenMeasure, Value: lambda.Float(), Unit: "samples"},
			Measure{Name: allowedMeasure, Value: float64(o.Rules), Unit: "rules"})
		learn, err := crossval.Models{Options: o}.Prepare(set)
		if err != nil {
			return nil, err
		}
		return learn(ctx, lambda, l)
	}, nil
}

// choose returns the parameters of the largest mean accuracy. Of equal ones, those with the
// larger λ are taken, then with fewer rules, then with the larger β2.
func (f *tuned) choose(ctx context.Context, set *rules.Set) (best parcorels.Options, lambda ratio.Ratio, err error) {
	accuracy := -1.0
	for _, k := range paperRules {
		for _, beta2 := range paperBeta2 {
			o := f.Options
			o.Beta2, o.Rules = beta2.String(), k
			trial := o
			trial.Exact = "never"
			r, err := crossval.Run(ctx, set.Data, crossval.Options{
				Family: crossval.Models{Options: trial}, Lambdas: paperLambdas, Folds: tunedFolds, Seed: foldSeed,
				Mining: setMining, Limits: crossval.Limits{Workers: 1},
			})
			if err != nil {
				return best, lambda, err
			}
			if !r.Complete() {
				return best, lambda, fmt.Errorf("choosing parameters: %w", context.Canceled)
			}
			for _, s := range r.Summaries() {
				mean := s.Measured.Accuracy.Mean
				if mean > accuracy || mean == accuracy && s.Lambda.Float() > lambda.Float() {
					accuracy, best, lambda = mean, o, s.Lambda
				}
			}
		}
	}
	return best, lambda, nil
}
