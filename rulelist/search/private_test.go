package search

import (
	"slices"
	"testing"

	"parcorels/internal/testgen"
	"parcorels/ratio"
)

// TestPrivateColumns: each of several workers reads the same columns from memory
// of its own, which the budget counts, and one worker or large columns have no copy.
func TestPrivateColumns(t *testing.T) {
	p, err := laidOutProblem(reduced(t, testgen.Knotty(1)), Options{Lambda: ratio.New(1, 100)})
	if err != nil {
		t.Fatal(err)
	}
	if p.private(1) != p || p.privateSize(1) != 0 {
		t.Error("one worker has a copy")
	}
	q := p.private(2)
	if q == p || q.matrix == p.matrix || &q.columns[0][0] == &p.columns[0][0] {
		t.Fatal("two workers share columns")
	}
	a, b := make([]uint64, p.words), make([]uint64, p.words)
	for col, c := range p.columns {
		p.matrix.Get(a, col)
		q.matrix.Get(b, col)
		if !slices.Equal(a, b) || !slices.Equal(c, q.columns[col]) {
			t.Fatalf("column %d differs", col)
		}
	}
	if size := p.privateSize(2); size < p.matrix.Bytes() || size > privateBytes {
		t.Errorf("a copy takes %d bytes", size)
	}
	large := large(t).p
	if large.private(2) != large {
		t.Errorf("columns of %d bytes are copied", large.matrix.Bytes())
	}
}
