package numeric

import (
	"math"
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// alone returns a worker for a problem that is not being searched.
func (p *problem) alone(t *testing.T) *worker {
	t.Helper()
	table := must.Get(NewTable(p.ranks, p.class, p.classes, p.weights))(t)
	s := &search{o: Options{Lambda: p.lambda, Workers: 1, maxBins: 4, maxCells: 3}, table: table}
	s.root = table.all(1)
	s.Prices = must.Get(price.New(p.lambda, table.Total, table.Base, table.sum, table.Items()))(t)
	s.run = parallel.NewRun(parallel.Limits{Workers: 1})
	return s.newWorker(0)
}

// exactFirst returns the value of the best tree of two levels of a set that parts it by a rank of a
// column from one on, below another.
func (w *worker) exactFirst(s *set, column int, from, to int32) int64 {
	best := price.Far
	var sides sides
	for p := 1; p < s.size(); p++ {
		front, behind := w.table.rank(s.lists[column][p-1]), w.table.rank(s.lists[column][p])
		if front < behind && behind >= from && front+1 < to {
			w.split(s, column, p, &sides)
			best = min(best, w.stump(&sides.left).value+w.stump(&sides.right).value)
		}
	}
	return best
}

// TestFirsts: what the places around say of a place's sides is not above what is true.
func TestFirsts(t *testing.T) {
	near := 0
	for seed := range uint64(cases.Some(3000)) {
		rng := rand.New(rand.NewPCG(seed, 8))
		p := random(rng)
		w := p.alone(t)
		w.two.maxCells = 1 + rng.IntN(6)
		if w.table.Items() < 4 {
			continue
		}
		w.search.whole = w.two.makeRoot()
		n := w.node(3)
		w.beginNode(n, &w.root, 3, price.Far, nil)
		h := rng.IntN(len(p.ranks))
		last := len(n.places[h]) - 1
		if last < 4 {
			continue
		}
		place := 2 + rng.IntN(last-3)
		a, b := 1+rng.IntN(place-1), place+1+rng.IntN(last-place-1)
		whole, end0 := end{place: last, left: w.Price, right: w.Price}, end{left: w.Price, right: w.Price}
		budget := w.Unit*rng.Int64N(1+w.table.sum) + w.Price
		if rng.IntN(2) == 0 {
			budget = price.Far
		}
		ea := w.look(n, h, a, end0, whole, budget, 0)
		eb := w.look(n, h, b, end0, whole, budget, 0)
		left, right := w.two.knownFirsts(n.weights[h], place, ea, eb)
		w.split(&w.root, h, int(n.places[h][place]), w.splits[3])
		sides := [2]*set{&w.splits[3].left, &w.splits[3].right}
		for i, known := range [2][]int64{left, right} {
			for lane := range w.two.columns {
				c := &w.two.columns[lane]
				if c.at < 0 {
					continue
				}
				for q, bound := range known[c.at*w.two.cellCount : (c.at+1)*w.two.cellCount] {
					from, to := c.cells[q], int32(math.MaxInt32)
					if q == 0 {
						from = 0
					}
					if q+1 < len(c.cells) {
						to = c.cells[q+1]
					}
					v := w.exactFirst(sides[i], c.at, from, to)
					if bound > v {
						t.Fatalf("seed %d: side %d, column %d, cell %d: %d is known, %d is true", seed, i, c.at, q, bound, v)
					}
					if bound > 2*w.Price && v-bound < w.Unit {
						near++
					}
				}
			}
		}
	}
	if near == 0 {
		t.Error("no bound was near what is true")
	}
}
