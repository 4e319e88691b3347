package bench

import (
	"context"

	"parcorels"
	"parcorels/crossval"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/ruleset"
)

// The measures of a rule set, besides its length. Of a cross-validation they are means over the folds, as those of
// the parameters that were chosen.
const (
	setSteps    = "subproblems"
	provedSteps = "proved subproblems"
)

// setMeasures returns what a rule set measures.
func setMeasures(set *rules.Set, learned model.Model, when [][]int) map[string]float64 {
	m := learned.(*ruleset.Model)
	return map[string]float64{
		"literals":      float64(m.Metrics().Literals),
		"covered twice": coveredTwice(set, when[:len(m.Rules)]),
		setSteps:        float64(len(m.Guarantee.Subproblems)),
		provedSteps:     float64(m.Guarantee.Proved()),
	}
}

// coveredTwice is the share of the samples that more than one rule covers, which is
// the overlap of the paper's table 2.
func coveredTwice(set *rules.Set, when [][]int) float64 {
	once, twice := set.Data.Labels.Clone().ClearAll(), set.Data.Labels.Clone().ClearAll()
	for _, literals := range when {
		covered := once.Clone().ClearAll().FlipRange(0, uint(set.Data.N))
		for _, a := range literals {
			covered.InPlaceIntersection(set.Antecedents[a].Captured())
		}
		twice.InPlaceUnion(once.Intersection(covered))
		once.InPlaceUnion(covered)
	}
	return float64(twice.Count()) / float64(set.Data.N)
}

// sets learns rule sets and keeps what those of all folds measure. If it is to choose, they have the parameters of
// the paper's grid that do best in a cross-validation of the training part, as in the paper. The λ that it is given
// has no influence then.
type sets struct {
	crossval.Models
	choose bool
	mining rules.Options
	folds  map[string][]float64
}

// of returns the family for the Model of a case.
func (f *sets) of(model string) crossval.Family {
	if model == Sets {
		f.folds = map[string][]float64{}
		return f
	}
	return f.Models
}

// Prepare implements crossval.Family. A case has one worker, so that one fold is
// learned at a time.
func (f *sets) Prepare(set *rules.Set) (crossval.Learner, error) {
	return func(ctx context.Context, lambda ratio.Ratio, l crossval.Limits) (x *crossval.Learned, err error) {
		m := f.Models
		if f.choose {
			if m.Options, lambda, err = f.best(ctx, set); err != nil {
				return nil, err
			}
			f.add(map[string]float64{"λ chosen": lambda.Float(), "K chosen": float64(m.Options.Rules)})
		}
		learn, err := m.Prepare(set)
		if err == nil {
			x, err = learn(ctx, lambda, l)
		}
		if err != nil {
			return nil, err
		}
		f.add(setMeasures(set, x.Model, x.When))
		return x, nil
	}, nil
}

func (f *sets) add(measures map[string]float64) {
	for name, v := range measures {
		f.folds[name] = append(f.folds[name], v)
	}
}

// The grid of the rule set paper (section 5, "Parameter tuning"), and how many folds of the training part choose.
var (
	gridRules   = []int{8, 16, 32}
	gridBeta2   = []string{"1/2", "1/10", "1/100"}
	gridLambdas = []ratio.Ratio{ratio.New(1, 10), ratio.New(1, 1), ratio.New(4, 1), ratio.New(8, 1), ratio.New(16, 1), ratio.New(64, 1)}
)

const gridFolds = 3

// best returns the parameters of the largest mean accuracy. Of equal ones, those with the
// larger λ are taken, then with fewer rules, then with the larger β2. While it chooses, sets are learned by local
// search alone, which is the paper's algorithm.
func (f *sets) best(ctx context.Context, set *rules.Set) (o parcorels.Options, lambda ratio.Ratio, err error) {
	most := -1.0
	for _, rules := range gridRules {
		for _, beta2 := range gridBeta2 {
			trial := f.Options
			trial.Beta2, trial.Rules, trial.Exact = beta2, rules, "never"
			r, err := crossval.Run(ctx, set.Data, crossval.Options{
				Family: crossval.Models{Options: trial}, Lambdas: gridLambdas, Folds: gridFolds, Seed: foldSeed,
				Mining: f.mining, Limits: crossval.Limits{Workers: 1},
			})
			if err == nil && !r.Complete() {
				err = context.Canceled
			}
			if err != nil {
				return o, lambda, err
			}
			for _, s := range r.Summaries() {
				mean := s.Measured.Accuracy.Mean
				if mean > most || mean == most && s.Lambda.Float() > lambda.Float() {
					most, lambda, o = mean, s.Lambda, trial
				}
			}
		}
	}
	o.Exact = f.Options.Exact
	return o, lambda, nil
}
