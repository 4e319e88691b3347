package order

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSort compares with package slices.
func TestSort(t *testing.T) {
	t.Parallel()
	type pair struct{ key, at int }
	random := rand.New(rand.NewPCG(1, 2))
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	both := func(a, b pair) int { return cmp.Or(byKey(a, b), a.at-b.at) }
	for n := range 200 {
		list := make([]pair, n)
		for i := range list {
			list[i] = pair{random.IntN(10), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		stable := slices.Clone(list)
		Stable(stable, byKey)
		random.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		Sort(list, both)
		if !slices.Equal(stable, want) || !slices.Equal(list, want) {
			t.Fatalf("%v and %v, expected %v", stable, list, want)
		}
	}
}
