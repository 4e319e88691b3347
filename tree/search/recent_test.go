package search

import (
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/parallel"
)

// TestRecentKeepsAllThatIsOpen: a set that is taken up again has every split that
// its upper bound does not close, those that were beyond the budget included.
func TestRecentKeepsAllThatIsOpen(t *testing.T) {
	r := newRecent(4, &parallel.Budget{})
	at := func(f int32, lower int64) split { return split{feature: f, with: side{lower, 50}} }
	fr := &frame{key: bitvec.Key{Hi: 7, Lo: 9}, splits: []split{at(0, 3), at(1, 10)}, dropped: []split{at(2, 9), at(3, 12)}}
	r.keep(fr, 10)
	got, upper := r.find(fr.key)
	if want := []split{at(0, 3), at(2, 9)}; upper != 10 || !slices.Equal(got, want) {
		t.Errorf("%v with upper bound %d, want %v with 10", got, upper, want)
	}
	if other, _ := r.find(bitvec.Key{Hi: 8, Lo: 9}); len(other) > 0 {
		t.Errorf("another set has %v", other)
	}
	none := newRecent(4, &parallel.Budget{Limit: 1})
	if got, _ := none.find(fr.key); len(got) > 0 {
		t.Errorf("without memory sets are kept: %v", got)
	}
}
