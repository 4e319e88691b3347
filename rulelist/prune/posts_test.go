package prune

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"parcorels/costs"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// small is a problem of less than 65 points.
var small = &problem.Problem{Table: &costs.Table{Words: 1}}

// TestPosts: a worker reads each prefix of another one once, the last postLen where it comes late, and none while the
// post is in use.
func TestPosts(t *testing.T) {
	t.Parallel()
	all := NewPosts(small, 3)
	r, from := newReader(all, 0), newReader(all, 2)
	cost, want := int64(0), []int64(nil)
	for _, n := range []int64{1, 0, 3, postLen, postLen + 5} {
		for range n {
			cost++
			from.post(&posted{set: []uint64{uint64(cost)}, cost: cost, depth: 1, prefix: []problem.Column{7}})
		}
		want = want[:0]
		for c := cost - min(n, postLen) + 1; c <= cost; c++ {
			want = append(want, c)
		}
		if got := readAll(t, &r); !slices.Equal(got, want) {
			t.Errorf("after %d more: %v, want %v", n, got, want)
		}
		if got := readAll(t, &from); len(got) > 0 {
			t.Errorf("a worker reads its own %v", got)
		}
	}
	all[2].mu.Lock()
	from.post(&posted{set: []uint64{0}})
	all[2].count.Add(1)
	if got := readAll(t, &r); len(got) > 0 {
		t.Errorf("%v of a post that is in use", got)
	}
	if one := NewPosts(small, 1); one != nil {
		t.Error("a single worker has a post")
	}
}

// readAll returns the costs of what a worker reads.
func readAll(t *testing.T, r *reader) (costs []int64) {
	for range readEvery {
		r.read(func(x *posted) {
			if x.set[0] != uint64(x.cost) || !slices.Equal(x.prefix, []problem.Column{7}) {
				t.Errorf("read %v, which nobody has posted", x)
			}
			costs = append(costs, x.cost)
		})
	}
	return costs
}

// TestPostsSideBySide has more workers than one reads at a time. The race detector looks on.
func TestPostsSideBySide(t *testing.T) {
	t.Parallel()
	all := NewPosts(small, mostRead+4)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			r := newReader(all, i)
			for cost := range int64(300) {
				r.post(&posted{set: []uint64{uint64(cost)}, cost: cost, depth: 1, prefix: []problem.Column{7}})
				readAll(t, &r)
			}
		})
	}
	group.Wait()
	r := newReader(all, 0)
	for range len(all) {
		readAll(t, &r)
	}
	for i, seen := range r.seen {
		if i > 0 && seen != all[i].count.Load() {
			t.Errorf("%d of %d prefixes of worker %d were read", seen, all[i].count.Load(), i)
		}
	}
}

// TestDominatedByAnother: what one worker has expanded dominates what another one is about to expand.
func TestDominatedByAnother(t *testing.T) {
	found := 0
	testgen.Each(30, func(in testgen.Instance) {
		p := laidOut(t, in)
		if len(p.Antecedents) < 2 || !p.Uses(problem.Similar) {
			return
		}
		rng := rand.New(rand.NewPCG(in.Seed, 3))
		all := NewPosts(p, 2)
		alone := newDominators(&Context{P: p}).(*dominators)
		one := newDominators(&Context{P: p, Posts: all}).(*dominators)
		other := newDominators(&Context{P: p, Posts: all, Worker: 1}).(*dominators)
		kept, hits := int64(0), 0
		for range 40 {
			f := NewFrame(p)
			f.LoadColumns(p, drawn(p, rng, 4))
			want := alone.closesSet(f)
			// The other worker has only what was posted.
			for range readEvery {
				other.posts.read(func(x *posted) {
					if other.list == nil {
						other.list = newDominatorList(listsLen(p, 2), p.Words)
					}
					other.keep(x)
				})
			}
			p.Planes.CompileComplement(&other.prog, f.U)
			other.budget = f.Cost / p.Unit
			if got := f.Depth > 0 && other.find(f) >= 0; got != want {
				t.Fatalf("columns %v: another worker finds %v, one alone %v\n%v", f.Prefix, got, want, in)
			}
			if one.closesSet(f) != want {
				t.Fatalf("columns %v: a worker that posts does not find %v\n%v", f.Prefix, want, in)
			}
			switch {
			case want:
				hits++
			case f.Depth > 0:
				kept++
			}
		}
		if found += hits; hits > 0 && all[0].count.Load() <= kept {
			t.Fatalf("%d posts of %d prefixes: none that dominated is posted again", all[0].count.Load(), kept)
		}
	})
	if found == 0 {
		t.Error("no prefix was dominated: the test tests nothing")
	}
}
