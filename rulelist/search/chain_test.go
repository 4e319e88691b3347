package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testgen"
	"parcorels/rulelist/problem"
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
		f := newFrame(p)
		for range 50 {
			before := slices.Clone(f.chain)
			f.prefix = f.prefix[:0]
			for range r.IntN(6) { // of few columns, so that many begin alike
				f.prefix = append(f.prefix, problem.Column(r.IntN(min(3, len(p.Columns)))))
			}
			f.depth = len(f.prefix)
			f.leave(p)
			if commonStart(f.prefix, before) > 1 {
				shared++
			}
			left := slices.Clone(p.All)
			for i, col := range f.prefix {
				if !slices.Equal(f.before[i], left) {
					t.Fatalf("after %v: what is left before rule %d of %v is wrong\n%v", before, i, f.prefix, in)
				}
				bitvec.AndNot(left, left, p.Columns[col])
			}
			if !slices.Equal(f.u, left) {
				t.Fatalf("after %v: what %v leaves is wrong\n%v", before, f.prefix, in)
			}
		}
	})
	if shared == 0 {
		t.Error("no prefix began as the one before it: the test tests nothing")
	}
}
