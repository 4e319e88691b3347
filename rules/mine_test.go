package rules

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"

	"parcorels/dataset"
	"parcorels/ratio"

	"github.com/bits-and-blooms/bitset"
)

// checkCaptured holds captured sets and names against the literals.
func checkCaptured(t *testing.T, s *Set) {
	t.Helper()
	for _, a := range s.Antecedents {
		if a.Captured().Len() != uint(s.Data.N) {
			t.Fatalf("%s has %d bits", a.Name, a.Captured().Len())
		}
		var names []string
		want := bitset.New(uint(s.Data.N)).SetAll()
		for _, l := range a.Literals {
			f := s.Data.Features[l.Feature]
			if l.Negated {
				want.InPlaceDifference(f.Bits)
				names = append(names, f.NegatedName())
			} else {
				want.InPlaceIntersection(f.Bits)
				names = append(names, f.Name)
			}
		}
		if !a.Captured().Equal(want) {
			t.Fatalf("%s captures the wrong samples", a.Name)
		}
		if a.Name != strings.Join(names, " and ") {
			t.Fatalf("name %q of %v", a.Name, a.Literals)
		}
	}
}

func TestMineWithCollidingHashes(t *testing.T) {
	for seed := range uint64(cases.Some(60)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		d, o := randomData(rng), randomOptions(rng)
		want := must.Get(Mine(t.Context(), d, o))(t)
		o, _ = o.withDefaults()
		m := must.Get(newMiner(d, o))(t)
		m.hash = func(a, b []uint64) uint64 { return hashIntersection(a, b) & (seed % 3) }
		if got, err := m.mine(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: differs when hashes collide", seed)
		}
	}
}

func TestMineDoesNotDependOnProcessors(t *testing.T) {
	d := wideData(60, 500)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := must.Get(Mine(t.Context(), d, Options{Negations: true}))(t)
	runtime.GOMAXPROCS(8)
	if got, err := Mine(t.Context(), d, Options{Negations: true}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("eight processors mine something else than one (%v)", err)
	}
}

// wideData has independent binary columns.
func wideData(features, n int) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(uint64(features), uint64(n)))
	d := &dataset.Dataset{Source: "wide", N: n, ClassOf: make([]uint16, n), Classes: []string{"", ""}}
	for f := range features {
		words := make([]uint64, (n+63)/64)
		for w := range words {
			words[w] = rng.Uint64()
		}
		words[len(words)-1] &= ^uint64(0) >> (-n & 63)
		b := bitset.FromWithLength(uint(n), words)
		name := fmt.Sprintf("f%d", f)
		d.Features = append(d.Features, dataset.Feature{Name: name, Column: name, Group: -1, Bits: b})
	}
	return d
}

// TestManyAntecedents: 400 features and 79,800 pairs are more than are kept by
// default, and those given up are not built.
func TestManyAntecedents(t *testing.T) {
	d := wideData(400, 1000)
	s, err := Mine(t.Context(), d, Options{})
	if err != nil || len(s.Antecedents) != MaxAntecedents || s.Mined != 400+79_800 || !s.Pruned() {
		t.Fatalf("%d antecedents of %d, %v", len(s.Antecedents), s.Mined, err)
	}
	var before, after runtime.MemStats
	d = wideData(400, 30_000)
	runtime.ReadMemStats(&before)
	s, err = Mine(t.Context(), d, Options{Budget: 500})
	runtime.ReadMemStats(&after)
	if err != nil || len(s.Antecedents) != 500 || s.Mined != 400+79_800 {
		t.Errorf("%d antecedents of %d, %v", len(s.Antecedents), s.Mined, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("that took %d MB", used>>20)
	}
}

func TestMineRefuses(t *testing.T) {
	d := wideData(2, 10)
	for says, o := range map[string]Options{
		"option MaxCard is -1":     {MaxCard: -1},
		"option Budget is":         {Budget: MaxAntecedents + 1},
		"option MinSupport is 2/3": {MinSupport: ratio.New(2, 3)},
		"option MinSupport is -1":  {MinSupport: ratio.New(-1, 1)},
		"option MinSupport is 0/0": {MinSupport: ratio.Ratio{Num: 1}},
	} {
		if _, err := Mine(t.Context(), d, o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: error %v, want one that says %q", o, err, says)
		}
	}
}

// TestMineStops: mining ends with its context, also in the middle.
func TestMineStops(t *testing.T) {
	d := wideData(60, 500)
	for checks := range 100 {
		ctx := &ending{Context: t.Context(), left: int64(checks)}
		s, err := Mine(ctx, d, Options{MaxCard: 2})
		if ended := errors.Is(err, context.Canceled); ended != (s == nil) || err != nil && !ended {
			t.Fatalf("after %d checks: %v, %v", checks, s, err)
		}
		if checks == 0 && err == nil {
			t.Error("a context that has ended stops nothing")
		}
	}
	if s, err := Mine(t.Context(), d, Options{MaxCard: 2}); err != nil || len(s.Antecedents) == 0 {
		t.Errorf("%v", err)
	}
}

// ending is a context that ends after a number of checks.
type ending struct {
	context.Context
	left int64
}

func (e *ending) Err() error {
	if atomic.AddInt64(&e.left, -1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestLimitsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for range 20_000 {
		den := 2 + rng.Int64N(1<<(1+rng.IntN(40)))
		r := ratio.New(rng.Int64N(den/2+1), den)
		total := 1 + rng.Int64N(1<<(1+rng.IntN(61)))
		l := limitsOf(r, total)
		for _, w := range []int64{l.least - 1, l.least, l.least + 1, l.most - 1, l.most, l.most + 1} {
			if w < 0 || w > total {
				continue
			}
			share, low := big.NewRat(w, total), big.NewRat(r.Num, r.Den)
			high := new(big.Rat).Sub(big.NewRat(1, 1), low)
			want := w > 0 && w < total && share.Cmp(low) >= 0 && share.Cmp(high) <= 0
			if got := l.least <= w && w <= l.most; got != want {
				t.Fatalf("support %v of %d: weight %d allowed is %v, want %v", r, total, w, got, want)
			}
		}
	}
}
