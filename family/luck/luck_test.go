package luck

import (
	"math/rand/v2"
	"testing"
)

// TestDealt: labels stay with their group, which exchanges them with groups of its size alone,
// and every label is dealt once.
func TestDealt(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	moved := false
	for range 200 {
		n := 1 + rng.IntN(30)
		groups, size := make([]int, n), map[int]int{}
		for i := range groups {
			groups[i] = rng.IntN(1 + n/2)
			size[groups[i]]++
		}
		order, seen, from := dealt(n, groups, rng), map[int]bool{}, map[int]int{}
		for i, o := range order {
			if seen[o] || size[groups[o]] != size[groups[i]] {
				t.Fatalf("row %d of %v gets the label of row %d", i, groups, o)
			}
			if g, known := from[groups[i]]; known && g != groups[o] {
				t.Fatalf("group %d of %v gets labels of %d and %d", groups[i], groups, g, groups[o])
			}
			seen[o], from[groups[i]] = true, groups[o]
			moved = moved || groups[o] != groups[i]
		}
	}
	if !moved {
		t.Error("no group gets the labels of another")
	}
}
