package numeric

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/tree/price"
)

// exactTwo returns the value of the best tree of two levels of a set.
func (w *worker) exactTwo(s *set) int64 {
	best := w.stump(s).value
	for h := range s.lists {
		best = min(best, w.exactFirst(s, h, 0, 1<<30))
	}
	return best
}

// TestFloors: what is known of a set's places from sets that were searched before is not above what is true.
func TestFloors(t *testing.T) {
	near, ofOthers := 0, 0
	for seed := range uint64(cases.Some(2000)) {
		rng := rand.New(rand.NewPCG(seed, 9))
		p := random(rng)
		w := p.alone(t)
		if w.table.Items() < 4 {
			continue
		}
		n := w.node(4)
		w.beginNode(n, &w.root, 4, price.Far, nil)
		for range 2 + rng.IntN(8) {
			h := rng.IntN(len(p.ranks))
			last := len(n.places[h]) - 1
			if last < 2 {
				continue
			}
			place := 1 + rng.IntN(last-1)
			budget := w.Unit*rng.Int64N(1+w.table.sum) + w.Price
			w.look(n, h, place, end{left: w.Price, right: w.Price}, end{place: last, left: w.Price, right: w.Price}, budget,
				rng.Int64N(budget))
		}
		if len(n.searched) < 2 {
			continue
		}
		of := n.searched[len(n.searched)-1]
		n.searched = n.searched[:len(n.searched)-1]
		side := rng.IntN(2)
		var to, below sides
		w.split(&w.root, of.column, int(n.places[of.column][w.placeOfRank(n, of.column, of.rank)]), &to)
		s := [2]*set{&to.left, &to.right}[side]
		m := w.node(3)
		w.beginNode(m, s, 3, price.Far, &beside{of.split, side, n.searched})
		for h, floors := range m.floors[:len(s.lists)] {
			last := len(m.places[h]) - 1
			for place := 1; place < last; place++ {
				e := w.atFloors(m, h, place, end{left: w.Price, right: w.Price}, end{place: last, left: w.Price, right: w.Price})
				w.split(s, h, int(m.places[h][place]), &below)
				left, right := w.exactTwo(&below.left), w.exactTwo(&below.right)
				if e.left > left || e.right > right {
					t.Fatalf("seed %d: column %d, place %d: %d and %d are known, %d and %d are true", seed, h, place, e.left, e.right,
						left, right)
				}
				if e.left > 2*w.Price && left-e.left < w.Unit {
					near++
					if h != of.column && len(floors) > 2 {
						ofOthers++
					}
				}
			}
		}
	}
	if near == 0 || ofOthers == 0 {
		t.Errorf("of all bounds %d were near what is true, %d of other columns", near, ofOthers)
	}
}
