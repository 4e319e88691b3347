package search_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
	"parcorels/rulelist/search"
)

// digest stands for that of an instance: any will do, as long as it stays.
var digest = [32]byte{1, 2, 3}

// vault keeps checkpoints in memory.
type vault struct {
	last  []byte
	saves int
	keep  func(b []byte) // sees each, if not nil
}

func (v *vault) save(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	v.last = b.Bytes()
	v.saves++
	if v.keep != nil {
		v.keep(v.last)
	}
	return nil
}

// from returns a reader of a checkpoint, nil for none.
func from(b []byte) io.Reader {
	if b == nil {
		return nil
	}
	return bytes.NewReader(b)
}

// early are the prunings that leave most small instances without a search.
const early = problem.Incumbent | problem.LookAhead

// wide are those to leave out for a long one.
const wide = early | problem.Similar | problem.Redundant

// random draws options and circumstances that do not change the answer. Every
// pruning is drawn, on and off: each may have state of its own that a search
// must have put right when it resumes from a checkpoint.
func random(rng *rand.Rand, in testgen.Instance) (search.Options, search.Straits) {
	any := problem.Prunings(rng.Uint64()) & problem.AllPrunings()
	o := search.Options{
		Policy: pick(rng, policies), Symmetry: pick(rng, symmetries), Workers: pick(rng, workers),
		Without: pick(rng, []problem.Prunings{0, problem.Incumbent, any, early, early | any, early | few(rng), wide}),
	}
	if len(in.Columns) > 6 {
		o.Without &^= problem.Bound // or it takes minutes
	}
	if o.Without&problem.Support != 0 {
		o.Without |= early // or an early incumbent may repeat antecedents
	}
	return o, straits(rng)
}

// straits draws circumstances.
func straits(rng *rand.Rand) (x search.Straits) {
	if rng.IntN(2) == 0 {
		x = search.Straits{Starved: true, Nodes: rng.IntN(1 + rng.IntN(40)), Chunks: 1 + rng.IntN(4)}
	}
	if rng.IntN(3) == 0 {
		x.CutAt = 1 + rng.Int64N(1+rng.Int64N(50))
	}
	return x
}

// resumes counts what chains of searches met.
type resumes struct {
	links      map[int]int // chains by their links, in tens
	interrupts int         // searches cut off between two children
	backlog    atomic.Int64
}

// chain solves an instance in pieces: each search is stopped after a few
// prefixes, or between two children of one, and the next, with other options,
// resumes from its checkpoint.
func (c *resumes) chain(ctx context.Context, seed uint64, in testgen.Instance, want oracle.List, memory bool) error {
	rng := rand.New(rand.NewPCG(seed, 30))
	var saved []byte
	var expanded int64
	for link := 1; ; link++ {
		o, x := random(rng, in)
		o.Nodes, x.Backlog = 1+int64(link*link/100), &c.backlog
		if x.CutAt > 0 {
			o.Nodes = 0
			x.CutAt += int64(link) // or it may never come further
		}
		if memory {
			o.Memory = 1 << 20 << rng.IntN(4)
		}
		v := &vault{}
		o.Checkpoint = &save.Checkpoint{Digest: digest, From: from(saved), Save: v.save}
		r, err := solve(ctx, in, x.In(o))
		if err == nil {
			err = sound(in, r, want)
		}
		if err != nil {
			return fmt.Errorf("link %d, %s, %+v: %w", link, describe(o), x, err)
		}
		if r.Stats.Expanded < expanded {
			return fmt.Errorf("link %d: %d prefixes expanded in all, %d before", link, r.Stats.Expanded, expanded)
		}
		expanded = r.Stats.Expanded
		switch {
		case r.Status == parallel.Optimal:
			c.links[min(link, 50)/10*10]++
			return nil
		case r.Status == parallel.Interrupted:
			c.interrupts++
		case v.saves == 0 && r.Status == parallel.MemoryLimit:
			continue
		}
		if v.saves == 0 {
			return fmt.Errorf("link %d, %s: nothing was saved", link, describe(o))
		}
		saved = v.last
	}
}

// TestResume cuts searches off again and again.
func TestResume(t *testing.T) {
	c := resumes{links: map[int]int{}}
	resume := func(seed uint64, in testgen.Instance, memory bool) {
		againstOracle(t, in, best(t, in), "resumed", func(ctx context.Context, in testgen.Instance, want oracle.List) error {
			return c.chain(ctx, seed, in, want, memory)
		})
	}
	tried := seeds(t, 100, func(seed uint64) {
		resume(seed, testgen.Knotty(seed), seed%4 == 0)
		resume(seed, testgen.Small(seed), seed%3 == 0)
		resume(seed, testgen.Ties(seed), seed%3 == 1)
		resume(seed, testgen.Wide(seed), seed%3 == 2)
	})
	t.Logf("chains by their links: %v; %d searches cut off between two children; up to %d prefixes in the backlog",
		c.links, c.interrupts, c.backlog.Load())
	if tried >= 10 && (c.interrupts == 0 || c.backlog.Load() == 0) { // few may not be enough
		t.Error("not everything was met")
	}
}

// TestResumePaused saves as often as it can while the search runs, and goes on
// from a checkpoint drawn among all.
func TestResumePaused(t *testing.T) {
	saves := 0
	paused := func(seed uint64) check {
		return func(ctx context.Context, in testgen.Instance, want oracle.List) error {
			rng := rand.New(rand.NewPCG(seed, 31))
			var drawn []byte
			for range 4 {
				o, x := random(rng, in)
				x.CutAt = 0
				seen := 0
				v := &vault{}
				var next []byte
				v.keep = func(b []byte) {
					if seen++; rng.IntN(seen) == 0 {
						next = b
					}
				}
				o.Checkpoint = &save.Checkpoint{Digest: digest, From: from(drawn), Save: v.save, Every: 1}
				r, err := solve(ctx, in, x.In(o))
				if err == nil {
					err = optimal(in, r, want)
				}
				if err != nil {
					return fmt.Errorf("%s, %+v: %w", describe(o), x, err)
				}
				saves += v.saves
				if next != nil {
					drawn = next
				}
			}
			return nil
		}
	}
	seeds(t, 100, func(seed uint64) {
		for _, in := range []testgen.Instance{testgen.Small(seed), testgen.Knotty(seed)} {
			againstOracle(t, in, best(t, in), "paused", paused(seed))
		}
	})
	t.Logf("%d checkpoints", saves)
	if saves == 0 {
		t.Error("no search was ever paused")
	}
}

// TestResumeMedium does the same with instances of thousands of prefixes,
// where queues, map and trie grow and nodes are reused.
func TestResumeMedium(t *testing.T) {
	medium(t, 60, func(rng *rand.Rand, in testgen.Instance, optimum oracle.List) {
		seed := rng.Uint64()
		holds(t, in, optimum, "resumed", func(ctx context.Context, in testgen.Instance, want oracle.List) error {
			rng := rand.New(rand.NewPCG(seed, 32))
			var saved []byte
			for link := 0; ; link++ {
				o, x := random(rng, in)
				if o.Nodes = 1 + rng.Int64N(500<<min(link, 10)); link > 3 { // it comes to an end
					o.Without &= problem.Incumbent | problem.Similar | problem.Redundant
					x.CutAt *= o.Nodes
				}
				if x.Starved {
					x.Nodes *= 1 + rng.IntN(100)
				} else if rng.IntN(2) == 0 {
					o.Memory = 1<<20 + rng.Int64N(2<<20)
				}
				v := &vault{}
				o.Checkpoint = &save.Checkpoint{Digest: digest, From: from(saved), Save: v.save, Every: 1 << 20}
				r, err := solve(ctx, in, x.In(o))
				if err == nil {
					err = sound(in, r, want)
				}
				if err != nil {
					return fmt.Errorf("link %d, %s, %+v: %w", link, describe(o), x, err)
				}
				if r.Status == parallel.Optimal {
					return nil
				}
				if v.last != nil {
					saved = slices.Clone(v.last)
				}
			}
		})
	})
}
