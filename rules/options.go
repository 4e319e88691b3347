package rules

import (
	"cmp"
	"math/bits"

	"parcorels/optionerr"
	"parcorels/ratio"
)

// Options says which antecedents Mine looks for. The zero value asks for
// conjunctions of up to two features without negations that capture between
// 1% and 99% of the weight.
type Options struct {
	Negations  bool        // literals may be negations of features
	MaxCard    int         // the most literals of a conjunction; 0 means 2
	Budget     int         // the most antecedents: those of most gain are kept; 0 means MaxAntecedents
	Forbid     []string    // names of literals that no antecedent may have
	MinSupport ratio.Ratio // 0 to 1/2: the least share of the weight to capture, 1 minus it the most; the zero value means 1/100
}

// withDefaults fills the zero fields in and checks the others.
func (o Options) withDefaults() (Options, error) {
	o.MaxCard, o.MinSupport, o.Budget = cmp.Or(o.MaxCard, 2), cmp.Or(o.MinSupport, ratio.New(1, 100)), cmp.Or(o.Budget, MaxAntecedents)
	if o.Budget < 0 || o.Budget > MaxAntecedents {
		return o, optionerr.Bad("Budget", o.Budget, "a number from 1 to %d", MaxAntecedents)
	}
	if o.MaxCard < 0 {
		return o, optionerr.Errorf("MaxCard", "option MaxCard is %d: a conjunction has at least 1 literal", o.MaxCard)
	}
	if r := o.MinSupport; !r.Valid() || r.Num < 0 || r.Num > r.Den/2 {
		return o, optionerr.Bad("MinSupport", r, "a number from 0 to 0.5")
	}
	return o, nil
}

// limits are the support limits in weight: a conjunction is kept when it
// captures at least least and at most most. Capturing nothing or everything
// is never allowed.
type limits struct{ least, most int64 }

// limitsOf returns the integers for which
// least ≤ w ≤ most ⇔ total·r ≤ w ≤ total·(1−r) and 0 < w < total.
func limitsOf(r ratio.Ratio, total int64) limits {
	low, rest := mulDiv(total, r.Num, r.Den)
	if rest {
		low++
	}
	high, _ := mulDiv(total, r.Den-r.Num, r.Den)
	return limits{max(low, 1), min(high, total-1)}
}

// mulDiv returns ⌊a·b/c⌋ for 0 ≤ b ≤ c and c > 0, and whether there is a remainder. The
// product has up to 128 bits.
func mulDiv(a, b, c int64) (quotient int64, rest bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, r := bits.Div64(hi, lo, uint64(c))
	return int64(q), r != 0
}
