package search

import (
	"slices"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// TestPrivateColumns: each of several workers reads the same columns from memory
// of its own, which the budget counts, and one worker or large columns have no copy.
func TestPrivateColumns(t *testing.T) {
	p := laidOut(t, reduced(t, testgen.Knotty(1)), Options{Lambda: ratio.New(1, 100)})
	if p.Private(1) != p || p.PrivateSize(1) != 0 {
		t.Error("one worker has a copy")
	}
	q := p.Private(2)
	if q == p || q.Matrix == p.Matrix || &q.Columns[0][0] == &p.Columns[0][0] {
		t.Fatal("two workers share columns")
	}
	a, b := make([]uint64, p.Words), make([]uint64, p.Words)
	for col, c := range p.Columns {
		p.Matrix.Get(a, col)
		q.Matrix.Get(b, col)
		if !slices.Equal(a, b) || !slices.Equal(c, q.Columns[col]) {
			t.Fatalf("column %d differs", col)
		}
	}
	if size := p.PrivateSize(2); size < p.Matrix.Bytes() || size > problem.PrivateBytes {
		t.Errorf("a copy takes %d bytes", size)
	}
	large := large(t).p
	if large.Private(2) != large {
		t.Errorf("columns of %d bytes are copied", large.Matrix.Bytes())
	}
}
