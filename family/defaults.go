package family

import (
	"math/big"
	"strconv"

	"parcorels/dataset"
	"parcorels/family/luck"
	"parcorels/ratio"
)

// DefaultLambda is the price of a rule or leaf for these samples, where nobody names one: 3
// rows where there are fewer than 300, 10 where there are more than 1,000, but a quarter of
// 1% at least, and 1% between. docs/held-out.md has what that is worth on rows that
// were not learned from: fewer rules and a smaller log loss on few rows, more of both classes
// found on many. On 240 tables of fewer than 300 rows lists with 3 samples are right for
// 1.3 ± .4 points more than with 1%, with a fifth to a third of its rules where labels are
// noise; 2 samples are as accurate, with up to twice as many false rules, 5 less accurate. The
// models of about half the tables of more than 1,000 rows are still proved within a minute.
// With weights of classes it is at least what 3 to 7 rows of the heaviest class weigh. Where by luck one or two conditions save as
// much as any do (luck.Most), it is what they save by luck.
func DefaultLambda(d *dataset.Dataset) (_ ratio.Ratio, byLuck bool) {
	rows, least := d.Rows(), ratio.New(1, 100)
	switch {
	case rows < 300:
		least = ratio.New(3, int64(max(rows, 6)))
	case rows > 1000:
		least = ratio.New(10, int64(min(rows, 4000)))
	}
	heavy, _ := d.Heaviest()
	saved := ratio.Product(heavy, ratio.Int(3*int64(rows))) // 3 rows where all weigh the same
	if most := ratio.Int(heaviestRows); saved.Cmp(most) > 0 {
		saved = most
	}
	price := short(ratio.Product(heavy, saved), least, ratio.New(1, 2))
	if d.ClassesWeigh() {
		if share, more := luck.Most(d); !more {
			if price.Less(share) {
				price = share
			}
			return price, true
		}
	}
	return price, false
}

// Where a class is rare and weighs as much as the other, a rule that saves a few of its rows saves much of the weight, and
// fits chance. On 20 tables with 1 to 10% of the rarer class, balanced, lists with a λ of 7 of its rows have a balanced
// accuracy on rows left out that is .3 ± 1.1 points more than without (median .6; 12 more, 8 less), with a ninth of the
// rules. 3 rows give .9 ± .7 points (median 1.0) and, of shuffled labels, 6.6 rules where 7 rows give 1.7; 5 rows
// .7 ± .9 and 3.0 rules; 10 rows −1.8 ± 1.5 and 1.0. With what luck saves, 123 of 125 tables of shuffled labels have no
// rule, where 7 rows alone leave 15 without. On 25 tables rows left out then have .1 ± .1 points more.
const (
	heaviestRows    = 7 // that a rule must save, where they weigh more than twice the average
	heaviestLiteral = 2 // that a literal of a rule set must
)

// DefaultLiteral is the price of a literal of a rule set, in samples, where nobody names one: one
// in 400, at least 2, of the heaviest class. On seven tables of 400 to 10,000 rows it gave one to five rules of up to
// three literals, where a price of 1 gave eight rules of up to eight.
func DefaultLiteral(d *dataset.Dataset) (_ ratio.Ratio, byLuck bool) {
	_, heavy := d.Heaviest()
	least := ratio.New(int64(max(2, (d.Rows()+399)/400)), 1)
	return short(ratio.Product(heavy, ratio.Int(heaviestLiteral)), least, ratio.New(1<<30, 1)), false
}

// short is x between two bounds, to three digits where it has more than a fraction of six.
func short(x *big.Rat, least, most ratio.Ratio) ratio.Ratio {
	r := most
	switch f, _ := x.Float64(); {
	case x.Num().BitLen() < 20 && x.Denom().BitLen() < 20:
		r = ratio.New(x.Num().Int64(), x.Denom().Int64())
	case f < most.Float():
		r, _ = ratio.Parse(strconv.FormatFloat(f, 'g', 3, 64)) // a number below the least has too many digits, and is 0 here
	}
	switch {
	case !r.Valid() || r.Less(least):
		return least
	case most.Less(r):
		return most
	}
	return r
}

// withDefaults fills in the defaults that depend on the samples or on the family.
func (p *Problem) withDefaults(o Options) Options {
	if f := Of(p.kind); f != nil && f.defaultPrice != nil && o.Lambda == "" {
		price, _ := p.usual()
		o.Lambda = price.String()
	}
	return o
}

// resolve fills in the defaults of the problem.
func (p *Problem) resolve(o Options) (*resolved, error) { return p.withDefaults(o).resolve(p.reading) }

// ByLuck reports that nobody names λ, and that by luck one or two conditions save as much as any do (luck.Most).
func (p *Problem) ByLuck(o Options) bool {
	if o.Lambda != "" || p.usual == nil {
		return false
	}
	_, byLuck := p.usual()
	return byLuck
}

// Price returns λ of a fit with these options, or of a Bayesian rule list the expected
// number of rules.
func (p *Problem) Price(o Options) (ratio.Ratio, error) { return p.withDefaults(o).Price() }

// Reading returns how a table is read for the family where r does not say: with all of
// its classes where the family tells them apart, and of a Bayesian rule list, whose
// probabilities matter, with cuts of numbers by information as well; with weights of few digits where its search asks for them;
// of a tree, whose splits on two numbers may tell classes apart that no cut of one does, with cuts at quantiles at least.
func (f *Family) Reading(r Reading) Reading {
	r.Multiclass = f.Multiclass && r.Positive == ""
	r.Quantiles = f.quantiles && !r.AllCuts
	r.Digits = f.digitsOf(&r)
	r.Information = f.byInformation
	return r
}

// digitsOf says how many digits the weights of such a table may have.
func (f *Family) digitsOf(r *Reading) dataset.Digits {
	if r.Weight+r.ClassWeights+r.CostMatrix == "" {
		return dataset.Fine
	}
	return f.digits
}
