package parcorels

import (
	"context"
	"encoding/binary"
	"slices"

	"parcorels/optionerr"
	"parcorels/rules"
)

// Reliance returns how much accuracy a good model loses at least and at most, as a share of
// the weight of the samples, if the values of a column are dealt out among the samples at random: model
// class reliance (Fisher, Rudin and Dominici, JMLR 2019), as a difference. It is exact: the mean over all
// ways to deal. Ready-made antecedents do not tell what they are of other values.
//
// Each sample with each value of the column is a row that costs nothing, of the weight of both. So what a
// list loses is a sum over points.
func (a *good) Reliance(ctx context.Context, column string) (least, most float64, err error) {
	if _, err := a.uses(column); err != nil {
		return 0, 0, err
	}
	d := a.problem.Set.Data
	var own []int // features of the column
	for i, f := range d.Features {
		if f.Column == column {
			own = append(own, i)
		}
	}
	if len(own) == 0 {
		return 0, 0, optionerr.Errorf("Column", "ready-made antecedents do not tell what they are of other values of %q: read a table", column)
	}
	if a.total >= 1<<31 {
		return 0, 0, optionerr.Errorf("Weight", "the weights have too many digits to shuffle a column exactly")
	}
	values, byValue := a.valuesOf(own)
	kinds := a.kindsOf(own)
	var patterns [][]byte
	for _, k := range kinds {
		for _, from := range values {
			patterns = append(patterns, a.mixed(own, k.sample, from))
		}
	}
	found, pointOf, err := a.haunted(ctx, patterns)
	if err != nil {
		return 0, 0, err
	}
	sum := make([][]int64, len(a.points.Weights))
	for c := range sum {
		sum[c] = make([]int64, max(a.points.Count, slices.Max(pointOf)+1))
		for i, k := range kinds {
			wrong := -k.weights[c]
			for _, w := range k.weights {
				wrong += w
			}
			sum[c][k.point] -= wrong * a.total
			for v := range values {
				sum[c][pointOf[i*len(values)+v]] += wrong * byValue[v]
			}
		}
	}
	t, ok := found.sums(sum)
	if !ok || t.Len() == 0 {
		return 0, 0, ErrTooMany
	}
	low, high := extremes(t)
	whole := float64(a.total) * float64(a.total)
	return float64(low) / whole, float64(high) / whole, nil
}

// valuesOf returns a sample of each value of some features together, and the weight of all that have it.
func (a *good) valuesOf(features []int) (samples []int, weights []int64) {
	d := a.problem.Set.Data
	known := map[string]int{}
	for i := range d.N {
		value := make([]byte, len(features))
		for k, f := range features {
			if d.Features[f].Bits.Test(uint(i)) {
				value[k] = 1
			}
		}
		at, ok := known[string(value)]
		if !ok {
			at = len(samples)
			known[string(value)] = at
			samples, weights = append(samples, i), append(weights, 0)
		}
		weights[at] += d.Weight(i)
	}
	return samples, weights
}

// sampleKind are samples of a point that are one of any value of some features, too.
type sampleKind struct {
	sample, point int
	weights       []int64 // by class
}

// kindsOf parts the samples. Those of a point may be of several kinds: where the antecedent "a" is too frequent to be one,
// nothing tells "a but not b" from "neither", until b changes.
func (a *good) kindsOf(features []int) (list []*sampleKind) {
	set := a.problem.Set
	var others []rules.Literal
	for _, x := range set.Antecedents {
		for _, l := range x.Literals {
			if !slices.Contains(features, l.Feature) && !slices.ContainsFunc(others, func(o rules.Literal) bool { return o.Feature == l.Feature }) {
				others = append(others, l)
			}
		}
	}
	known := map[string]*sampleKind{}
	for i, p := range set.PointOf() {
		name := binary.AppendUvarint(nil, uint64(p))
		for _, l := range others {
			bit := byte(0)
			if set.Data.Features[l.Feature].Bits.Test(uint(i)) {
				bit = 1
			}
			name = append(name, bit)
		}
		k := known[string(name)]
		if k == nil {
			k = &sampleKind{i, p, make([]int64, len(a.points.Weights))}
			known[string(name)] = k
			list = append(list, k)
		}
		k.weights[set.Data.Class(i)] += set.Data.Weight(i)
	}
	return list
}

// mixed returns the antecedents that hold for a sample with some features of another one.
func (a *good) mixed(features []int, sample, from int) []byte {
	set := a.problem.Set
	pattern := make([]byte, (len(set.Antecedents)+7)/8)
	for k, x := range set.Antecedents {
		all := true
		for _, l := range x.Literals {
			i := sample
			if slices.Contains(features, l.Feature) {
				i = from
			}
			all = all && set.Data.Features[l.Feature].Bits.Test(uint(i)) != l.Negated
		}
		if all {
			pattern[k/8] |= 1 << (k % 8)
		}
	}
	return pattern
}
