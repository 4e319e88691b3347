package crossval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/ratio"
)

// TestGroup: the groups together hold every test row once, and are as right as the folds.
func TestGroup(t *testing.T) {
	d := random(rand.New(rand.NewPCG(1, 2)), 60, 6).data(t)
	o := options(ratio.New(1, 50))
	o.Folds, o.By = 4, make([]int, d.N)
	for i := range o.By {
		o.By[i] = i % 3
	}
	r, err := Run(context.Background(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	var rows, errors int64
	for g := range 3 {
		e := r.Group(0, g)
		rows, errors = rows+e.Rows(), errors+e.Errors()
	}
	var wrong int64
	for _, f := range r.Fits[0] {
		wrong += int64(math.Round(float64(f.Measures.Rows) * (1 - float64(f.Measures.Accuracy))))
	}
	if rows != int64(d.N) || errors != wrong {
		t.Errorf("%d of %d rows are wrong in groups, %d of %d in folds", errors, rows, wrong, d.N)
	}
	o.By = slices.Clone(o.By[1:])
	if _, err := Run(context.Background(), d, o); err == nil {
		t.Error("a row without a group is judged")
	}
}
