package bench

import (
	"cmp"
	"math"
	"slices"

	"parcorels/rules"
)

// strongest keeps the n antecedents of a set that say most of the class (information
// gain), in their order. Of equal ones the first are kept.
func strongest(set *rules.Set, n int) {
	all := set.Antecedents
	if n == 0 || n >= len(all) {
		return
	}
	total, ones := float64(set.Data.N), float64(set.Data.Labels.Count())
	left := make([]float64, len(all)) // uncertainty, by antecedent
	order := make([]int, len(all))
	for i, a := range all {
		in, in1 := float64(a.Captured().Count()), float64(a.Captured().IntersectionCardinality(set.Data.Labels))
		order[i], left[i] = i, uncertainty(in1, in-in1)+uncertainty(ones-in1, total-in-(ones-in1))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	order = order[:n]
	slices.Sort(order)
	kept := make([]rules.Antecedent, n)
	for i, j := range order {
		kept[i] = all[j]
	}
	set.Antecedents = kept
}

// uncertainty is the entropy of the classes of a + b samples, times their number.
func uncertainty(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return -a*math.Log(a/(a+b)) - b*math.Log(b/(a+b))
}
