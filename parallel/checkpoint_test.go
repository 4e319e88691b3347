package parallel_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/oracle"
	"parcorels/internal/testgen"
	"parcorels/parallel"
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

// random draws options that do not change the answer.
func random(rng *rand.Rand) parallel.Options {
	o := parallel.Options{
		Policy: pick(rng, policies), Symmetry: pick(rng, symmetries), Workers: pick(rng, workers),
		Without: pick(rng, []parallel.Prunings{0, parallel.Incumbent, parallel.Prunings(rng.Uint64()) & parallel.AllPrunings()}),
	}
	if o.Without&parallel.Support != 0 {
		o.Without |= parallel.Incumbent | parallel.LookAhead // or an early incumbent may repeat antecedents
	}
	return o
}

// wide are the prunings to leave out so that small instances have a search.
const wide = parallel.Incumbent | parallel.LookAhead | parallel.Similar | parallel.Sibling | parallel.Redundant

// chain solves an instance in pieces: each search is stopped after a few
// prefixes, and the next, with other options, goes on from its checkpoint.
func chain(ctx context.Context, seed uint64, in testgen.Instance, want oracle.List, memory bool) (links int, err error) {
	rng := rand.New(rand.NewPCG(seed, 30))
	var saved []byte
	var expanded int64
	for links = 1; ; links++ {
		o := random(rng)
		if rng.IntN(3) > 0 {
			o.Without |= wide
		}
		o.Nodes = 1 + int64(links*links/100)
		if memory {
			o.Memory = 1 << 20 << rng.IntN(4)
		}
		v := &vault{}
		o.Checkpoint = &parallel.Checkpoint{Digest: digest, From: from(saved), Save: v.save}
		r, err := solve(ctx, in, o)
		if err != nil {
			return links, fmt.Errorf("link %d, %s: %w", links, describe(o), err)
		}
		if err := sound(in, r, want); err != nil {
			return links, fmt.Errorf("link %d, %s: %w", links, describe(o), err)
		}
		if r.Stats.Expanded < expanded {
			return links, fmt.Errorf("link %d: %d prefixes expanded in all, %d before", links, r.Stats.Expanded, expanded)
		}
		expanded = r.Stats.Expanded
		if r.Status == parallel.Optimal {
			return links, nil
		}
		if v.saves == 0 {
			if r.Status == parallel.MemoryLimit {
				continue
			}
			return links, fmt.Errorf("link %d, %s: nothing was saved", links, describe(o))
		}
		saved = v.last
	}
}

// TestResume cuts searches off again and again.
func TestResume(t *testing.T) {
	links := map[int]int{}
	resume := func(seed uint64, in testgen.Instance, memory bool) {
		n := 0
		againstOracle(t, in, best(t, in), "resumed", func(ctx context.Context, in testgen.Instance, want oracle.List) (err error) {
			n, err = chain(ctx, seed, in, want, memory)
			return err
		})
		links[min(n, 50)/10*10]++
	}
	seeds(t, 150, func(seed uint64) {
		resume(seed, testgen.Small(seed), seed%3 == 0)
		resume(seed, testgen.Ties(seed), seed%3 == 1)
		resume(seed, testgen.Wide(seed), seed%3 == 2)
	})
	t.Logf("chains by their links: %v", links)
}

// TestResumePaused saves as often as it can while the search runs, and goes on
// from a checkpoint drawn among all.
func TestResumePaused(t *testing.T) {
	saves := 0
	seeds(t, 100, func(seed uint64) {
		in := testgen.Small(seed)
		againstOracle(t, in, best(t, in), "paused", func(ctx context.Context, in testgen.Instance, want oracle.List) error {
			rng := rand.New(rand.NewPCG(seed, 31))
			var drawn []byte
			for range 4 {
				o := random(rng)
				o.Without |= wide
				seen := 0
				v := &vault{}
				var next []byte
				v.keep = func(b []byte) {
					if seen++; rng.IntN(seen) == 0 {
						next = b
					}
				}
				o.Checkpoint = &parallel.Checkpoint{Digest: digest, From: from(drawn), Save: v.save, Every: 1}
				r, err := solve(ctx, in, o)
				if err != nil {
					return err
				}
				if err := optimal(in, r, want); err != nil {
					return fmt.Errorf("%s: %w", describe(o), err)
				}
				saves += v.saves
				if next != nil {
					drawn = next
				}
			}
			return nil
		})
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
				o := random(rng)
				o.Without &= parallel.Incumbent | parallel.Redundant | parallel.Sibling
				o.Nodes = 1 + rng.Int64N(500<<min(link, 10))
				if rng.IntN(2) == 0 {
					o.Memory = 1<<20 + rng.Int64N(2<<20)
				}
				v := &vault{}
				o.Checkpoint = &parallel.Checkpoint{Digest: digest, From: from(saved), Save: v.save, Every: 1 << 20}
				r, err := solve(ctx, in, o)
				if err != nil {
					return err
				}
				if err := sound(in, r, want); err != nil {
					return fmt.Errorf("link %d, %s: %w", link, describe(o), err)
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
