package family_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/model"
)

// TestMinRowsOfThresholds compares trees over all thresholds whose leaves hold enough rows with the best of all of them, which knows
// the cells alone. The proof says the same, and a proof of another number of rows does not.
func TestMinRowsOfThresholds(t *testing.T) {
	t.Parallel()
	splits, bound, count := 0, 0, testgen.Few(cases.Count(1500))
	for seed := range uint64(count) {
		rng := rand.New(rand.NewPCG(seed, 53))
		q := oracle.TreeProblem{K: 2 + rng.IntN(3), Num: rng.Int64N(3), Den: 50, Depth: 1 + rng.IntN(4)}
		if q.Num == 2 {
			q.Num, q.Den = 1, 25
		}
		n, columns, levels := 4+rng.IntN(24), 1+rng.IntN(3), 2+rng.IntN(12)
		cells := make([][]int, n) // −1: missing
		var b strings.Builder
		for h := range columns {
			fmt.Fprintf(&b, "x%d,", h)
		}
		b.WriteString("w,y\n")
		weighs, missing := rng.IntN(2) == 0, rng.IntN(2) == 0
		for i := range n {
			for range columns {
				x := rng.IntN(levels)
				if missing && rng.IntN(6) == 0 {
					x = -1
					b.WriteString(",")
				} else {
					fmt.Fprintf(&b, "%d.5,", x)
				}
				cells[i] = append(cells[i], x)
			}
			w, class := int64(1), i
			if weighs {
				w = 1 + rng.Int64N(9)
			}
			if i >= q.K {
				if class = min(q.K-1, max(0, cells[i][0]*q.K/levels)); rng.IntN(4) == 0 {
					class = rng.IntN(q.K)
				}
			}
			q.Classes, q.Weights = append(q.Classes, class), append(q.Weights, w)
			fmt.Fprintf(&b, "%d,k%d\n", w, class)
		}
		for h := range columns {
			ask := func(holds func(x int) bool) {
				column := make([]bool, n)
				for i := range column {
					column[i] = holds(cells[i][h])
				}
				q.Columns = append(q.Columns, column)
			}
			for c := range levels {
				ask(func(x int) bool { return x >= 0 && x <= c })
				ask(func(x int) bool { return x > c })
			}
		}
		free := must.Get(q.BestTree())(t)
		q.MinRows = 2 + rng.IntN(1+n/3)
		want := must.Get(q.BestTree())(t)
		r := family.Reading{AllCuts: true, Multiclass: true, Weight: "w"}
		data := must.Get(family.ReadFrom(strings.NewReader(b.String()), "t.csv", r))(t)
		o := family.Options{Family: model.Tree, Lambda: fmt.Sprintf("%d/%d", q.Num, q.Den), Depth: q.Depth, MinRows: q.MinRows,
			Workers: 1 + rng.IntN(2)}
		var file bytes.Buffer
		o.Proof = &family.Proof{To: &file}
		m, err := family.Fit(t.Context(), data, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		objective := m.Certificate().Objective
		if m.Certificate().Status != status.Optimal || objective.Num*q.Den*q.Total() != want.Objective*objective.Den {
			t.Fatalf("seed %d: %v, the best of at least %d rows has %d of\n%s%s", seed, objective, q.MinRows, want.Objective, b.String(),
				m.Text(80))
		}
		for _, leaf := range m.Cases() {
			if got := leaf.Captured(); len(m.Cases()) > 1 && !weighs && got < int64(q.MinRows) {
				t.Fatalf("seed %d: a leaf of %d rows of at least %d\n%s", seed, got, q.MinRows, m.Text(80))
			}
		}
		if splits += len(m.Cases()) - 1; want.Objective > free.Objective {
			bound++
		}
		v := verified(t, file.Bytes(), data, o)
		if v.Model.Text(80) != m.Text(80) || !strings.Contains(v.Claim, fmt.Sprintf("(at least %d rows a leaf)", q.MinRows)) {
			t.Fatalf("seed %d: %s\n%s", seed, v.Claim, v.Model.Text(80))
		}
	}
	if splits < count/2 || bound < count/5 {
		t.Errorf("%d cases, %d splits, %d trees are others than without least rows", count, splits, bound)
	}
}
