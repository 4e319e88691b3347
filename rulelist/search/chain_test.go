package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
)

// A frame takes the sets of what two prefixes begin with from the prefix before.
// Whatever that was, the sets must be those of the prefix at hand.
func TestLeaveAfterAnyPrefix(t *testing.T) {
	shared := 0
	families(t, 20, func(in testgen.Instance) {
		p := started(t, in, Options{}).p
		if len(p.Columns) == 0 {
			return
		}
		r := rand.New(rand.NewPCG(in.Seed, 3))
		f := prune.NewFrame(p)
		for range 50 {
			before := slices.Clone(f.Chain)
			f.Prefix = f.Prefix[:0]
			for range r.IntN(6) { // of few columns, so that many begin alike
				f.Prefix = append(f.Prefix, problem.Column(r.IntN(min(3, len(p.Columns)))))
			}
			f.Depth = len(f.Prefix)
			f.Leave(p)
			if prune.CommonStart(f.Prefix, before) > 1 {
				shared++
			}
			left := slices.Clone(p.All)
			for i, col := range f.Prefix {
				if !slices.Equal(f.Before[i], left) {
					t.Fatalf("after %v: what is left before rule %d of %v is wrong\n%v", before, i, f.Prefix, in)
				}
				bitvec.AndNot(left, left, p.Columns[col])
			}
			if !slices.Equal(f.U, left) {
				t.Fatalf("after %v: what %v leaves is wrong\n%v", before, f.Prefix, in)
			}
		}
	})
	if shared == 0 {
		t.Error("no prefix began as the one before it: the test tests nothing")
	}
}
