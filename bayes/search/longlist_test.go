package search

import (
	"testing"
	"time"

	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/testing/given"
	"parcorels/internal/testing/must"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// TestLongList: no length is left out, however unlikely the prior makes it. Each group of samples
// needs a rule of its own.
func TestLongList(t *testing.T) {
	const groups, weight, begun = 205, 3000, 200
	columns, labels := make([]*bitset.BitSet, groups-1), bitset.New(groups)
	weights, cards, rules := make([]int64, groups), make([]int, groups-1), make([]int, begun)
	for i := range groups {
		labels.SetTo(uint(i), i%2 == 0)
		weights[i] = weight
	}
	for j := range columns {
		columns[j], cards[j] = bitset.New(groups), 1
		for i := range j + 1 {
			columns[j].Set(uint(i))
		}
	}
	for i := range rules {
		rules[i] = i
	}
	pts := must.Get(instance.PointsFromSet(given.Set(columns, labels, weights, groups)))(t)
	prior := usualPrior()
	prior.Length = ratio.New(1, maxPrior)
	p := must.Get(newPosterior(pts, cards, prior, 0, 1))(t)
	s := newExact(p, newBounder(p, pts), solution{newList(p).set(rules, 0), rules})
	end := s.solve(t.Context(), time.Now(), Options{Workers: 1})
	if best := s.incumbent.Load(); end != status.Optimal || len(best.rules) != groups-1 {
		t.Errorf("%v with %d rules and F = %d, want optimal with %d", end, len(best.rules), best.value, groups-1)
	}
}
