package family

import (
	"parcorels/dataset"
	"parcorels/ratio"
)

// DefaultLambda is the price of a rule or leaf for so many samples, where nobody names one: 3
// samples where there are fewer than 300, 10 where there are more than 1,000, but a quarter of
// 1% at least, and 1% between. docs/held-out.md has what that is worth on rows that
// were not learned from: fewer rules and a smaller log loss on few rows, more of both classes
// found on many. On 240 tables of fewer than 300 rows lists with 3 samples are right for
// 1.3 ± .4 points more than with 1%, with a fifth to a third of its rules where labels are
// noise; 2 samples are as accurate, with up to twice as many false rules, 5 less accurate. The
// models of about half the tables of more than 1,000 rows are still proved within a minute.
func DefaultLambda(samples int) ratio.Ratio {
	switch {
	case samples < 300:
		return ratio.New(3, int64(max(samples, 6)))
	case samples > 1000:
		return ratio.New(10, int64(min(samples, 4000)))
	}
	return ratio.New(1, 100)
}

// DefaultLiteral is the price of a literal of a rule set, in samples, where nobody names one: one
// in 400, at least 2. On seven tables of 400 to 10,000 rows it gave one to five rules of up to
// three literals, where a price of 1 gave eight rules of up to eight.
func DefaultLiteral(samples int) ratio.Ratio { return ratio.New(int64(max(2, (samples+399)/400)), 1) }

// withDefaults fills in the defaults that depend on the samples or on the family.
func (p *Problem) withDefaults(o Options) Options {
	if f := Of(p.kind); f != nil && f.defaultPrice != nil && o.Lambda == "" {
		o.Lambda = f.defaultPrice(p.Set.Data.N).String()
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
	if f.byInformation && r.CutsBy == "" && r.Numeric != dataset.Intervals {
		r.CutsBy = dataset.ByInformation
	}
	return r
}
