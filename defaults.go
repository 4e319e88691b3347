package parcorels

import (
	"parcorels/dataset"
	"parcorels/model"
	"parcorels/ratio"
)

// DefaultLambda is the price of a rule or leaf for so many samples, where nobody names
// one: 1% of them, and below 300 samples 3 samples, so that a rule must save more than
// three. On 60 small cases (36 tables, and parts of large ones) that gave .6 ± .3 points of
// accuracy on other rows over 1% throughout, 1.7 rules instead of 3.5, and the log loss
// fell from .571 to .540. Of more samples a smaller price predicts better (10 samples:
// 1.2 points on 4,000), but most tables are not proved within a minute then.
func DefaultLambda(samples int) ratio.Ratio {
	const share, rows, fewest = 100, 3, 300
	if samples >= fewest {
		return ratio.New(1, share)
	}
	return ratio.New(rows, int64(max(samples, 2*rows)))
}

// withDefaults fills in the defaults that depend on the samples or on the family.
func (p *Problem) withDefaults(o Options) Options {
	if f := FamilyOf(p.kind); f != nil && f.shares && o.Lambda == "" {
		o.Lambda = DefaultLambda(p.Set.Data.N).String()
	}
	return o
}

// Price returns λ of a fit with these options, or of a Bayesian rule list the expected
// number of rules.
func (p *Problem) Price(o Options) (ratio.Ratio, error) { return p.withDefaults(o).Price() }

// Reading returns how a table is read for the family where r does not say: with all of
// its classes where the family tells them apart, and of a Bayesian rule list, whose
// probabilities matter, with cuts of numbers by information as well.
func (f *Family) Reading(r Reading) Reading {
	r.Multiclass = f.Multiclass && r.Positive == ""
	if f.Kind == model.BayesianRuleList && r.CutsBy == "" && r.Numeric != dataset.Intervals {
		r.CutsBy = dataset.ByInformation
	}
	return r
}
