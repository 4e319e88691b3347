package search

import (
	"context"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/rules"
)

// Fit finds the list of largest posterior over the antecedents of set, as Solve does,
// and returns it as a model, with what was proven. The points are those of the set, as
// instance.PointsFromSet or PointsWithoutColumns make them. Software is the program that learns it; read are the options that
// the data were read with. The errors are those of Solve.
func Fit(ctx context.Context, set *rules.Set, pts *instance.Points, o Options, software string, read dataset.Options) (*bayes.Model,
	*Result, error) {
	var err error
	pts, o.PerSample, err = counted(set, pts)
	if err != nil {
		return nil, nil, err
	}
	o, err = o.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	r, err := Solve(ctx, pts, bayes.Cardinalities(set), o)
	if err != nil {
		return nil, nil, err
	}
	m, err := bayes.New(set, r.Rules, read, bayes.Model{
		Origin: model.Origin{Software: software, Status: r.Status}, Posterior: model.NewFraction(r.Posterior, Unit),
		Bound: model.NewFraction(r.Bound, Unit),
		Prior: bayes.Prior{Length: o.Prior.Length, Width: o.Prior.Width, Alpha: [2]ratio.Ratio{o.Prior.Alpha0, o.Prior.Alpha1},
			MaxRules: o.MaxRules},
		Chains: bayes.Chains{Count: o.Chains, Iterations: o.Iterations, Seed: o.Seed, Agree: r.Agree},
	})
	return m, r, err
}

// counted returns points with weights in units of which so many are a sample: the likelihood asks how many samples there
// are, so weights are not divided by what they have in common.
func counted(set *rules.Set, pts *instance.Points) (_ *instance.Points, perSample int64, err error) {
	unit := set.Data.WeightUnit
	if set.Data.Weights == nil {
		return pts, 1, nil
	}
	if unit.Num > maxWeight || pts.Total > maxWeight/unit.Den {
		return nil, 0, optionerr.Errorf("Weight", "the weights have too many digits: they may have %d parts of a sample at most", maxWeight)
	}
	scaled := *pts
	scaled.Total *= unit.Den
	scaled.ClassTotals = times(pts.ClassTotals, unit.Den)
	scaled.Weights = [][]int64{times(pts.Weights[0], unit.Den), times(pts.Weights[1], unit.Den)}
	return &scaled, unit.Num, nil
}

func times(a []int64, n int64) []int64 {
	b := make([]int64, len(a))
	for i, x := range a {
		b[i] = n * x
	}
	return b
}
