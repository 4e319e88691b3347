package graph

import (
	"errors"
	"testing"
	"time"
)

// TestTreeLimits asks that a limit leaves the counts of a smaller threshold, and that these are
// right.
func TestTreeLimits(t *testing.T) {
	smaller := map[string]int{}
	for seed := range uint64(some(3_000)) {
		s := newSmall(seed, 4)
		least := int64(none)
		for _, x := range s.trees(1<<s.rows-1, 3, none, 2) {
			least = min(least, x.cost)
		}
		asked := least + 3*s.price
		for name, o := range map[string]Options{"states": {States: 1 + int(seed%9)}, "memory": {Memory: 1 << (9 + seed%4)}} {
			trees, err := Build(t.Context(), s.treeProblem(2, 3), asked, o)
			if errors.Is(err, ErrLimit) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !trees.Complete {
				smaller[name]++
			} else if trees.Threshold() != asked {
				t.Fatalf("seed %d: complete within %d, asked for %d", seed, trees.Threshold(), asked)
			}
			want := len(s.trees(1<<s.rows-1, 3, trees.Threshold(), 2))
			if got := trees.Count().Models(); got.Int64() != int64(want) {
				t.Fatalf("seed %d: %v trees within %d, want %d", seed, got, trees.Threshold(), want)
			}
		}
	}
	if len(smaller) < 2 {
		t.Errorf("a limit had no effect: %v", smaller)
	}
}

// TestTreeTime: an attempt leaves time for one within a smaller threshold.
func TestTreeTime(t *testing.T) {
	s := newSmall(1, 4)
	b, err := newBuilder(t.Context(), s.treeProblem(2, 3), Options{Time: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	_ = b.staged(0, func() error {
		if end, ok := b.ctx.Deadline(); !ok || end.Sub(b.start) > 40*time.Minute {
			t.Errorf("an attempt may take %v of an hour", end.Sub(b.start))
		}
		return nil
	})
}
