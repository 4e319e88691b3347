package family

import (
	"math/big"

	"parcorels/optionerr"
	"parcorels/rules"
)

// Measure is a rate of predictions of class 1 that groups of people are compared by.
type Measure string

// The measures of a group.
const (
	SelectionRate Measure = "selection-rate" // of all
	TPR           Measure = "tpr"            // of those of class 1: equal opportunity
	FPR           Measure = "fpr"            // of those of class 0
)

// Measures are all of them.
var Measures = []Measure{SelectionRate, TPR, FPR}

// counts reports whether samples of a class count.
func (m Measure) counts(class int) bool { return m == SelectionRate || (m == TPR) == (class == 1) }

// Group is a group of samples, and what a proof calls it.
type Group struct {
	Name   string
	Inside []bool // by sample
}

// ErrRates says how rates of more than two classes are compared.
func ErrRates(classes int) error {
	return optionerr.Errorf("Positive", "the labels are of %d classes, groups are compared by the rate of one: choose it by option "+
		"Positive, which tells it from all others", classes)
}

// Difference returns by point what predicting class 1 adds to the difference of a rate, times a
// scale.
func Difference(set *rules.Set, points int, group []bool, m Measure) (value []int64, scale int64, err error) {
	d := set.Data
	if len(group) != d.N {
		return nil, 0, optionerr.Errorf("Group", "%d samples have a group, the table has %d", len(group), d.N)
	}
	var totals [2]int64 // outside, inside
	inside := func(i int) int {
		if group[i] {
			return 1
		}
		return 0
	}
	for i := range d.N {
		if m.counts(d.Class(i)) {
			totals[inside(i)] += d.Weight(i)
		}
	}
	product := new(big.Int).Mul(big.NewInt(totals[0]), big.NewInt(totals[1]))
	switch {
	case product.Sign() == 0:
		return nil, 0, optionerr.Errorf("Group", "the %s of a group without samples is not defined: both groups need some", m)
	case product.BitLen() > 57:
		return nil, 0, optionerr.Errorf("Group", "the weights have too many digits to compare groups exactly")
	}
	value = make([]int64, points)
	for i, p := range set.PointOf() {
		if m.counts(d.Class(i)) {
			w := d.Weight(i) * totals[1-inside(i)]
			if !group[i] {
				w = -w
			}
			value[p] += w
		}
	}
	return value, product.Int64(), nil
}
