// Package rates has the rates of predictions of class 1 that limits are about: of groups of people, and of all samples at an operating
// point. Begin with [Measure].
package rates

import (
	"math/big"
	"slices"

	"parcorels/optionerr"
	"parcorels/ratio"
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

// The measures of an operating point, of all samples together.
const (
	Recall    Measure = "recall"    // share of class 1 that is predicted 1
	Precision Measure = "precision" // share of class 1 among those predicted 1; of none it keeps every limit
	Selected  Measure = "selected"  // share that is predicted 1
)

// Limited are all measures that have limits, in the order in which a proof numbers them.
var Limited = []Measure{SelectionRate, TPR, FPR, Recall, Precision, Selected}

// OfGroups reports whether the measure compares groups.
func (m Measure) OfGroups() bool { return m == SelectionRate || m == TPR || m == FPR }

// Sum is a number that predicting class 1 for some samples adds up to, and the interval that a limit keeps it in.
type Sum struct {
	Value       []int64 // by sample, or by group of samples (ByGroup)
	Least, Most int64
	Scale       int64    // of a difference of rates: how many of it are 1
	Class       [2]int64 // of an operating point: what a sample of each class adds, by weight
}

// Within returns the sum that a limit on a measure is about. The limit is the most of a difference between groups and
// of Selected, and the least of Recall and Precision.
func (m Measure) Within(set *rules.Set, inside []bool, limit ratio.Ratio) (s Sum, err error) {
	if limit.Den <= 0 || limit.Num < 0 || limit.Num > limit.Den {
		return s, optionerr.Errorf("Limits", "a limit of %v: expected a number from 0 to 1", limit)
	}
	if m.OfGroups() {
		if s.Value, s.Scale, err = Difference(set, inside, m); err == nil {
			s.Most = part(s.Scale, limit)
			s.Least = -s.Most
		}
		return s, err
	}
	d := set.Data
	total := d.ClassTotals()
	if total[0]+total[1] > 1<<57/limit.Den {
		return s, optionerr.Errorf("Limits", "the weights have too many digits for a limit of %v", limit)
	}
	s.Class = [][2]int64{{0, -1}, {limit.Num, limit.Num - limit.Den}, {1, 1}}[slices.Index(Limited[3:], m)]
	s.Value = make([]int64, d.N)
	for i := range s.Value {
		s.Value[i] = s.Class[d.Class(i)] * d.Weight(i)
	}
	switch m {
	case Recall:
		s.Least, s.Most = -total[1], part(total[1], ratio.Ratio{Num: limit.Den - limit.Num, Den: limit.Den})-total[1]
	case Precision:
		s.Least = -limit.Den * total[1]
	case Selected:
		s.Most = part(total[0]+total[1], limit)
	}
	return s, nil
}

// part is the whole part of a share of a number.
func part(n int64, share ratio.Ratio) int64 {
	p := new(big.Int).Mul(big.NewInt(n), big.NewInt(share.Num))
	return p.Quo(p, big.NewInt(share.Den)).Int64()
}

// counts reports whether samples of a class count.
func (m Measure) counts(class int) bool { return m == SelectionRate || (m == TPR) == (class == 1) }

// Group is a group of samples, and what a proof calls it.
type Group struct {
	Name   string
	Inside []bool // by sample
}

// ErrRates says how rates of more than two classes are compared.
func ErrRates(classes int) error {
	return optionerr.Errorf("Positive", "the labels are of %d classes, limits are on the rate of one: choose it by option "+
		"Positive, which tells it from all others", classes)
}

// Difference returns by sample what predicting class 1 adds to the difference of a rate, times a
// scale.
func Difference(set *rules.Set, group []bool, m Measure) (value []int64, scale int64, err error) {
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
	value = make([]int64, d.N)
	for i := range value {
		if m.counts(d.Class(i)) {
			value[i] = d.Weight(i) * totals[1-inside(i)]
			if !group[i] {
				value[i] = -value[i]
			}
		}
	}
	return value, product.Int64(), nil
}

// ByGroup adds up values of samples by the group that each is of.
func ByGroup[G int | int32](of []G, groups int, value []int64) []int64 {
	sums := make([]int64, groups)
	for i, g := range of {
		sums[g] += value[i]
	}
	return sums
}
