package parcorels

import (
	"context"
	"math/big"
	"slices"
	"time"

	"parcorels/choice/rashomon"
	"parcorels/internal/blockfile"
	"parcorels/model"
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

// counts reports whether samples of a class count.
func (m Measure) counts(class int) bool { return m == SelectionRate || (m == TPR) == (class == 1) }

// FairLimit bounds the difference of a rate between two groups.
type FairLimit struct {
	Measure Measure
	Most    ratio.Ratio // from 0 to 1
}

// FairModel is the best rule list within limits on the differences between two groups.
type FairModel struct {
	*Model
	Proved      bool      // no rule list within the limits has a smaller objective
	Bound       float64   // none has one below this
	Differences []float64 // of each limit: the rate of the group less that of the others

	Best            *Model // the best list without limits
	BestDifferences []float64
}

// Group is a group of samples, and what a proof calls it.
type Group struct {
	Name   string
	Inside []bool // by sample
}

// Fair finds the best rule list of which rates of a group of samples and of the others differ by
// at most the limits, one or two. See Fairest of package choice/rashomon. A proof is written only if
// the list is proved to be the best.
func (p *Problem) Fair(ctx context.Context, o Options, group Group, limits ...FairLimit) (*FairModel, error) {
	switch {
	case p.kind != model.RuleList:
		return nil, optionerr.Errorf("Family", "limits on groups are for rule lists, not for a %s", p.kind)
	case len(limits) < 1 || len(limits) > 2:
		return nil, optionerr.Errorf("Limits", "%d limits, expected one or two", len(limits))
	}
	start := time.Now()
	o.group = group.Name
	if p.Set.Data.ClassCount() != 2 {
		return nil, errRates(p.Set.Data.ClassCount())
	}
	r, free := &Alternatives{}, o
	free.Time /= 2 // the rest is for the search within the limits
	if err := r.begin(ctx, p, free, nil); err != nil {
		return nil, err
	}
	inside := make([]rashomon.Limit, len(limits))
	scales := make([]int64, len(limits))
	for i, l := range limits {
		value, scale, err := difference(p.Set, r.points.Count, group.Inside, l.Measure)
		if err != nil {
			return nil, err
		}
		if l.Most.Den <= 0 || l.Most.Num < 0 || l.Most.Num > l.Most.Den {
			return nil, optionerr.Errorf("Limits", "a limit of %v on a difference: expected a number from 0 to 1", l.Most)
		}
		most := new(big.Int).Mul(big.NewInt(scale), big.NewInt(l.Most.Num))
		inside[i] = rashomon.Limit{
			Value: value, Most: most.Quo(most, big.NewInt(l.Most.Den)).Int64(),
			Told: []int64{int64(slices.Index(Measures, l.Measure)), l.Most.Num, l.Most.Den},
		}
		scales[i] = scale
	}
	r.limits.Time = 0
	if o.Time > 0 {
		r.limits.Time = max(o.Time-time.Since(start), 1)
	}
	c := r.Best.Certificate()
	least := new(big.Rat).Mul(big.NewRat(c.Bound.Num, c.Bound.Den), new(big.Rat).SetInt64(r.scale))
	bound := new(big.Int).Quo(least.Num(), least.Denom()).Int64()
	var known []rashomon.Rule
	for i, k := range r.Best.Cases()[:c.Size] {
		known = append(known, rashomon.Rule{Antecedent: r.Best.when[i][0], Label: k.Class})
	}
	found, err := rashomon.Fairest(ctx, r.input, inside, r.limits, known, bound)
	if err != nil {
		return nil, err
	}
	f := &FairModel{Best: r.Best, Proved: found.Optimal(), Bound: r.Objective(found.Bound)}
	if f.Model, err = r.model(found.List.Model(), bound); err != nil {
		return nil, err
	}
	for i, l := range inside {
		f.Differences = append(f.Differences, r.differenceOf(f.Model, l.Value, scales[i]))
		f.BestDifferences = append(f.BestDifferences, r.differenceOf(r.Best, l.Value, scales[i]))
	}
	return f, nil
}

// differenceOf returns the difference of a rate between the groups for a model.
func (a *Alternatives) differenceOf(m *Model, value []int64, scale int64) float64 {
	sum := int64(0)
	for p, v := range value {
		sum += v * int64(a.predictsAt(m, p))
	}
	return float64(sum) / float64(scale)
}

// errRates says how rates of more than two classes are compared.
func errRates(classes int) error {
	return optionerr.Errorf("Positive", "the labels are of %d classes, groups are compared by the rate of one: choose it by option Positive, which tells it from all others", classes)
}

// difference returns by point what predicting class 1 adds to the difference of a rate, times a
// scale.
func difference(set *rules.Set, points int, group []bool, m Measure) (value []int64, scale int64, err error) {
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

// goodProof says where a proof about many models goes, nil for nowhere, and what it is about.
func (p *Problem) goodProof(to *Proof, s *resolved) (*rashomon.Proof, error) {
	if to == nil {
		return nil, nil
	}
	settings, err := p.proofSettings(s)
	if err != nil {
		return nil, err
	}
	return &rashomon.Proof{Proof: &blockfile.Proof{To: to.To, File: to.File, Digest: p.Set.Digest(), Settings: settings}, Lambda: s.price, Weight: p.Set.Data.TotalWeight()}, nil
}
