package search

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parcorels/bayes"
	"parcorels/bitvec"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/starve"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/trie"
	verifybayes "parcorels/verify/bayes"
	"parcorels/verify/framing"

	"github.com/bits-and-blooms/bitset"
)

// starve spends the budget and takes free nodes and chunks of the queue away, so that
// worker 0 has so many nodes, every other worker none, and every shard room for so
// many chunks. A real budget leaves thousands of nodes, more than a problem that
// exhaustive search can do has any use for.
func (s *exact) starve(nodes, chunks int) {
	s.budget.Limit = 1 // whatever was taken, there is no more
	starve.Nodes(s.arena.Handle(0), nodes)
	s.queue.Shrink(chunks)
}

// alone is a claim on a key that no other has.
type alone struct{}

func (alone) Against(trie.Ref) parallel.Verdict { return parallel.Stale }

// stuff fills the key map with keys of no prefix, so that most parts have no room.
func (s *exact) stuff(r *rand.Rand) (full int) {
	for range 8000 {
		key := bitvec.Key{Hi: r.Uint64(), Lo: r.Uint64()}
		if outcome, _ := s.seen.Offer(key, s.arena.Ref(trie.Root), alone{}); outcome == parallel.Full {
			full++
		}
	}
	return full
}

// search runs the workers of a search that is built, and returns the most levels that one
// of them dived below a prefix of the queue.
func (s *exact) search() (status.Status, int) {
	workers := make([]*worker, s.workers)
	s.run.Do(context.Background(), parallel.Watch{}, func(i int) {
		workers[i] = newWorker(s, i)
		workers[i].loop()
	})
	levels := 0
	for _, w := range workers {
		if w != nil { // else the search was over before the worker began
			levels = max(levels, len(w.frames)-2) // a prefix of the queue has a frame, and its children one
		}
	}
	return s.queue.Status(), levels
}

// drawn is a problem with the best list that is known.
type drawn struct {
	set   *rules.Set
	pts   *instance.Points
	prior Prior
	most  int
	p     *posterior
	best  solution
}

func newDrawn(t *testing.T, set *rules.Set, prior Prior, most int) *drawn {
	t.Helper()
	pts := must.Get(instance.PointsFromSet(set))(t)
	p := must.Get(newPosterior(pts, bayes.Cardinalities(set), prior, most, 1))(t)
	return &drawn{set: set, pts: pts, prior: prior, most: most, p: p, best: newList(p).solution()}
}

// exhaust looks at every list for the best one.
func (d *drawn) exhaust() {
	l := newList(d.p)
	everyList(len(d.p.card), d.p.most, func(rules []int) {
		if l.set(rules, 0); l.value >= d.best.value {
			if s := l.solution(); s.Better(&d.best) {
				d.best = s
			}
		}
	})
}

// first returns a list to begin with: most often the empty one, with which
// the search has most to do.
func (d *drawn) first(r *rand.Rand) solution {
	if r.IntN(4) > 0 {
		return newList(d.p).solution()
	}
	c := newChain(d.p, r.Uint64(), 0)
	c.run(context.Background(), 1+r.IntN(10))
	return c.best
}

// checkProof writes the proof of a search that has ended, and has it checked.
func (d *drawn) checkProof(s *exact) error {
	var b bytes.Buffer
	o := Options{Prior: d.prior, MaxRules: d.most, Proof: &Proof{To: &b, Digest: d.set.Digest()}}
	if err := s.prove(context.Background(), time.Now(), o, &Result{}); err != nil {
		return err
	}
	return checked(d.set, &b)
}

// checked returns what is wrong with a proof about a set.
func checked(set *rules.Set, proof *bytes.Buffer) error {
	p, err := verifybayes.Open(proof)
	if err == nil {
		_, err = p.Check(context.Background(), set, framing.Options{Workers: 1})
	}
	return err
}

// TestStarved compares searches that run out of nodes, queue and map at the most
// different moments, and so go on depth first, with the best of all lists. The proof
// of some is checked; some are stopped, and their bound is compared.
func TestStarved(t *testing.T) {
	var searches, dived, proofs, stopped, stuffed, deepest int
	for seed := range testgen.Seeds(200) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		set, prior := drawSet(r, 5, 40)
		if seed%4 != 0 {
			set, prior = noisy(r, 5+r.IntN(3))
		}
		d := newDrawn(t, set, prior, []int{0, 2, 3, 4, 5}[r.IntN(5)])
		d.exhaust()
		for _, workers := range []int{1, 3, 16} {
			s := newExact(d.p, newBounder(d.p, d.pts), d.first(r))
			o := Options{Workers: workers}
			if r.IntN(4) == 0 {
				o.Nodes = 1 + r.Int64N(4)
			}
			if !s.build(time.Now(), o) {
				t.Fatal("a search without a limit cannot start")
			}
			nodes, chunks := r.IntN(1+r.IntN(20)), 1+r.IntN(4)
			s.starve(nodes, chunks)
			if r.IntN(8) == 0 && s.stuff(r) > 0 {
				stuffed++
			}
			ended, levels := s.search()
			searches++
			if levels > 0 {
				dived++
			}
			deepest = max(deepest, levels)
			got := s.incumbent.Load()
			if ended == status.NodeLimit && o.Nodes > 0 {
				stopped++
				if s.bound() < d.best.value || got.value > d.best.value {
					t.Fatalf("seed %d, %d workers, %d nodes, %d chunks, stopped: F = %d, bound %d; best %+v", seed, workers, nodes, chunks,
						got.value, s.bound(), d.best)
				}
				continue
			}
			if ended != status.Optimal || got.value != d.best.value || !slices.Equal(got.rules, d.best.rules) || s.bound() != got.value {
				t.Fatalf("seed %d, %d workers, %d nodes, %d chunks: %v, %+v, bound %d; best %+v", seed, workers, nodes, chunks,
					ended, got, s.bound(), d.best)
			}
			if r.IntN(4) == 0 {
				if err := d.checkProof(s); err != nil {
					t.Fatalf("seed %d, %d workers, %d nodes, %d chunks: %v", seed, workers, nodes, chunks, err)
				}
				proofs++
			}
		}
	}
	t.Logf("%d searches, %d went depth first, up to %d levels; %d with a full map, %d stopped, %d proofs", searches, dived, deepest,
		stuffed, stopped, proofs)
	if dived < searches/4 || deepest < 3 || stopped == 0 || proofs == 0 || stuffed == 0 {
		t.Errorf("of %d searches %d went depth first, up to %d levels; %d had a full map, %d were stopped, %d proved", searches, dived,
			deepest, stuffed, stopped, proofs)
	}
}

// TestLittleMemory gives searches real budgets, down to what they take at least. The queue
// outgrows these. The list is the one that is found with all the memory that a search
// likes, and no more is taken than the budget.
func TestLittleMemory(t *testing.T) {
	var searches, dived int
	for seed := range testgen.Seeds(10) {
		if seed >= 10 && seed%50 > 0 {
			continue // they take long
		}
		r := rand.New(rand.NewPCG(uint64(seed), 12))
		set, prior := noisy(r, 12+r.IntN(4))
		d := newDrawn(t, set, prior, 0)
		free := d.search(t, 1, 0)
		d.best = *free.incumbent.Load()
		least := leastMemory(d.p, d.pts)
		for _, workers := range []int{1, 3, 16} {
			memory := least + []int64{0, r.Int64N(1 << 14), r.Int64N(2 * int64(workers) * least)}[r.IntN(3)]
			s := d.search(t, workers, memory)
			searches++
			if s.levels > 0 {
				dived++
			}
			if got := s.incumbent.Load(); got.value != d.best.value || !slices.Equal(got.rules, d.best.rules) {
				t.Fatalf("seed %d, %d workers, %d bytes: %+v; best %+v", seed, workers, memory, got, d.best)
			}
			if s.budget.Peak() > memory {
				t.Fatalf("seed %d, %d workers: %d bytes of %d", seed, workers, s.budget.Peak(), memory)
			}
			if s.expanded.Value() > 2000 { // a proof that takes longer to check than it was to find
				continue
			}
			if err := d.checkProof(s.exact); err != nil {
				t.Fatalf("seed %d, %d workers, %d bytes: %v", seed, workers, memory, err)
			}
		}
	}
	t.Logf("%d searches, %d went depth first", searches, dived)
	if dived < searches/8 {
		t.Errorf("of %d searches %d went depth first", searches, dived)
	}
}

// ran is a search that has ended, and how deep it dived.
type ran struct {
	*exact
	levels int
}

// search proves the best list from the empty one with so much memory.
func (d *drawn) search(t *testing.T, workers int, memory int64) ran {
	t.Helper()
	s := newExact(d.p, newBounder(d.p, d.pts), newList(d.p).solution())
	if !s.build(time.Now(), Options{Workers: workers, Memory: memory}) {
		t.Fatalf("%d bytes are too few", memory)
	}
	ended, levels := s.search()
	if ended != status.Optimal {
		t.Fatalf("%d workers, %d bytes: %v", workers, memory, ended)
	}
	return ran{s, levels}
}

// noisy makes a set of which many prefixes are open at a time: a list of many rules explains
// most labels, and a prior that likes rules.
func noisy(r *rand.Rand, d int) (*rules.Set, Prior) {
	n := 60 + r.IntN(140)
	set := &rules.Set{}
	for range d {
		column, density := bitset.New(uint(n)), .1+.4*r.Float64()
		for i := range n {
			column.SetTo(uint(i), r.Float64() < density)
		}
		set.Antecedents = append(set.Antecedents, rules.Antecedent{Parts: []*bitset.BitSet{column},
			Literals: make([]rules.Literal, 1+r.IntN(2))})
	}
	labels, order, noise := bitset.New(uint(n)), r.Perm(d)[:r.IntN(d)], .3*r.Float64()
	for i := range n {
		label := false
		for k, j := range order {
			if set.Antecedents[j].Captured().Test(uint(i)) {
				label = k%2 == 0
				break
			}
		}
		labels.SetTo(uint(i), label != (r.Float64() < noise))
	}
	set.Data = &dataset.Dataset{N: n, ClassOf: dataset.ClassesOf(labels)}
	prior := usualPrior()
	prior.Length = ratio.New(1+r.Int64N(20), 1)
	return set, prior
}
