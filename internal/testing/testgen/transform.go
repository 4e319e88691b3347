package testgen

import (
	"math/rand/v2"
	"slices"

	"parcorels/ratio"
)

// Transform changes an instance whose optimal list is known into another one
// whose optimal list then is known too.
type Transform struct {
	Name string
	// Apply returns the other instance and its optimal antecedents. The new
	// instance shares no memory with the old one where they differ.
	Apply func(rng *rand.Rand, in Instance, optimum []int) (Instance, []int)
}

// Transforms are all of them. Each holds by the definition of the objective
// and of the order in package oracle.
var Transforms = []Transform{
	{"permute samples", permuteSamples},
	{"weight into copies", weightIntoCopies},
	{"merge copies into weight", mergeCopies},
	{"scale weights", scaleWeights},
	{"exchange classes", exchangeClasses},
	{"add a contradiction", addContradiction},
	{"append a copy of an antecedent", appendCopy},
	{"append a useless antecedent", appendUseless},
	{"drop an antecedent not used", dropUnused},
}

// permuteSamples keeps the optimum: counts do not depend on the order.
func permuteSamples(rng *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	return in.gather(rng.Perm(len(in.Labels))), optimum
}

// gather returns the instance of the samples at the given indices.
func (in Instance) gather(indices []int) Instance {
	return in.with(func(bits []bool) []bool { return at(bits, indices) }, func(w []int64) []int64 { return at(w, indices) })
}

// with returns the instance with what bits makes of columns and labels, and weights of weights.
func (in Instance) with(bits func([]bool) []bool, weights func([]int64) []int64) Instance {
	columns := make([][]bool, len(in.Columns))
	for j, c := range in.Columns {
		columns[j] = bits(c)
	}
	in.Columns = columns
	in.Labels = bits(in.Labels)
	if in.Weights != nil {
		in.Weights = weights(in.Weights)
	}
	return in
}

func at[T any](s []T, indices []int) []T {
	r := make([]T, len(indices))
	for i, index := range indices {
		r[i] = s[index]
	}
	return r
}

// weightIntoCopies divides the weight of some samples over two copies; a
// sample of weight 1 stays whole. The optimum stays.
func weightIntoCopies(rng *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	if in.Weights == nil {
		return in, optimum
	}
	var indices []int
	var weights []int64
	for i, w := range in.Weights {
		part := int64(0)
		if w > 1 && chance(rng, .5) {
			part = 1 + rng.Int64N(w-1)
			indices, weights = append(indices, i), append(weights, part)
		}
		indices, weights = append(indices, i), append(weights, w-part)
	}
	in = in.gather(indices)
	in.Weights = weights
	return in, optimum
}

// mergeCopies makes one sample of those that agree in all antecedents and in
// the label, with their weight. The optimum stays.
func mergeCopies(_ *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	seen := map[string]int{} // row -> its place in indices
	var indices []int
	var weights []int64
	for i := range in.Labels {
		row := text(in.row(i))
		place, old := seen[row]
		if !old {
			place = len(indices)
			seen[row] = place
			indices, weights = append(indices, i), append(weights, 0)
		}
		weights[place] += in.Weight(i)
	}
	in = in.gather(indices)
	in.Weights = weights
	return in, optimum
}

// row returns the label of sample i and which antecedents hold for it.
func (in Instance) row(i int) []bool {
	row := []bool{in.Labels[i]}
	for _, c := range in.Columns {
		row = append(row, c[i])
	}
	return row
}

// scaleWeights multiplies all weights. The optimum stays: so does every
// objective, as a fraction.
func scaleWeights(rng *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	factor := between64(rng, 2, 9)
	weights := make([]int64, len(in.Labels))
	for i := range weights {
		weights[i] = factor * in.Weight(i)
	}
	in.Weights = weights
	return in, optimum
}

// exchangeClasses negates all labels. The optimal antecedents stay: the
// lighter class among captured samples weighs the same.
func exchangeClasses(_ *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	in.Labels = not(in.Labels)
	return in, optimum
}

// addContradiction adds a sample twice, once with either label, and lowers λ
// so that λN stays. Every list errs on exactly one of the two: the optimum
// stays.
func addContradiction(rng *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	total, weight := in.Total(), between64(rng, 1, 5)
	lambda, ok := product(in.Lambda, total, total+2*weight)
	if !ok {
		return in, optimum
	}
	n := len(in.Labels)
	indices := rng.Perm(n)
	again := rng.IntN(n)
	weights := make([]int64, 0, n+2)
	for _, i := range indices {
		weights = append(weights, in.Weight(i))
	}
	in = in.gather(append(indices, again, again))
	in.Labels[n], in.Labels[n+1] = false, true
	in.Weights = append(weights, weight, weight)
	in.Lambda = lambda
	return in, optimum
}

// product returns l·num/den, unless its terms grow past what a weight below
// 2^20 can be multiplied by.
func product(l ratio.Ratio, num, den int64) (ratio.Ratio, bool) {
	const most = 1 << 20
	if l.Num > most || l.Den > most || num > most || den > most {
		return l, false
	}
	return ratio.New(l.Num*num, l.Den*den), true
}

// appendCopy appends a copy of an antecedent. The optimum stays: a list with
// the copy in the place of the original comes later in the order, and a list
// with both has a rule that captures nothing.
func appendCopy(rng *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	if len(in.Columns) == 0 {
		return in, optimum
	}
	in.Columns = append(slices.Clip(in.Columns), pick(rng, in.Columns...))
	return in, optimum
}

// appendUseless appends an antecedent that holds for no sample or for all. The
// first kind captures nothing; the second makes an explicit rule of the
// default. Both cost λ and save nothing.
func appendUseless(rng *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	in.Columns = append(slices.Clip(in.Columns), Random(rng, len(in.Labels), pick(rng, 0, 1.)))
	return in, optimum
}

// dropUnused leaves out some antecedents that the optimum does not use. It
// stays, with the indices that its antecedents have now: it is still among
// the lists, and the order of those that are left is the same.
func dropUnused(rng *rand.Rand, in Instance, optimum []int) (Instance, []int) {
	index := map[int]int{} // old -> new
	var columns [][]bool
	for j, c := range in.Columns {
		if !slices.Contains(optimum, j) && chance(rng, .3) {
			continue
		}
		index[j] = len(columns)
		columns = append(columns, c)
	}
	in.Columns = columns
	renamed := make([]int, len(optimum))
	for k, j := range optimum {
		renamed[k] = index[j]
	}
	return in, renamed
}

// PermuteAntecedents returns the instance with its antecedents in another
// order. The optimal objective and length stay; among lists that tie, another
// may come first.
func PermuteAntecedents(rng *rand.Rand, in Instance) Instance {
	in.Columns = at(in.Columns, rng.Perm(len(in.Columns)))
	return in
}
