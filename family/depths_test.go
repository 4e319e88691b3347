package family

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"parcorels/internal/testing/must"
	"parcorels/model"
	treesearch "parcorels/tree/search"
)

// TestStepByDepth: the trees of depth 2, 3 and so on end at the best of all trees, and each is the best of its depth.
func TestStepByDepth(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 8))
	var rows [][]string
	for range 60 {
		b := rng.IntN(16)
		rows = append(rows, []string{fmt.Sprint(b & 1), fmt.Sprint(b >> 1 & 1), fmt.Sprint(b >> 2 & 1), fmt.Sprint(b >> 3),
			fmt.Sprint(bits.OnesCount(uint(b&7)) & 1)})
	}
	d := must.Get(Table([]string{"a", "b", "c", "d", "y"}, rows, Reading{}))(t)
	p := must.Get(NewProblem(t.Context(), d, Options{Family: model.Tree, Lambda: "0.01"}))(t)
	price := must.Get(p.Price(Options{Family: model.Tree, Lambda: "0.01"}))(t)
	o := treesearch.Options{Lambda: price, Workers: 1}
	best := must.Get(treesearch.Solve(t.Context(), p.points, o))(t)
	worst := *best
	worst.Objective, worst.Leaves, worst.Errors = best.Objective+1, 0, 0
	o.Time = time.Hour // all depths take a second
	steps, err := stepByDepth(t.Context(), p, o, &worst)
	if err != nil || worst.Objective != best.Objective || worst.Leaves != best.Leaves || worst.Errors != best.Errors || len(steps) < 3 {
		t.Fatalf("%d of %d in %d steps, %v", worst.Objective, best.Objective, len(steps), err)
	}
	for _, s := range steps[:3] {
		o.Depth = s.Depth
		r, err := treesearch.Solve(t.Context(), p.points, o)
		if err != nil || r.Leaves != s.Leaves || float64(r.Objective)/float64(r.Scale) != s.Objective {
			t.Errorf("depth %d: %+v, want %d, %v", s.Depth, s, r.Objective, err)
		}
	}
}
