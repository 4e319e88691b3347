package graph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
)

// medium is a problem that is too large for all lists to be tried.
func medium(seed uint64) *Problem {
	rng := rand.New(rand.NewPCG(seed, 11))
	p := &Problem{Points: 20 + rng.IntN(60), Price: 3 + rng.Int64N(5), Loss: make([][]int64, 2+seed%3)}
	words := (p.Points + 63) / 64
	for range 6 + rng.IntN(8) {
		c := make([]uint64, words)
		for i := range p.Points {
			if rng.IntN(3) == 0 {
				c[i/64] |= 1 << (i % 64)
			}
		}
		p.Columns = append(p.Columns, c)
	}
	p.Columns = append(p.Columns, slices.Clone(p.Columns[0]))
	for i := range p.Points {
		label := p.Columns[0][i/64]>>(i%64)&1 | p.Columns[1][i/64]>>(i%64)&1
		label *= 1 + p.Columns[2][i/64]>>(i%64)&1
		if label %= uint64(len(p.Loss)); rng.IntN(6) == 0 {
			label = rng.Uint64N(uint64(len(p.Loss)))
		}
		w := rng.Int64N(3)
		for c := range p.Loss {
			if p.Loss[c] = append(p.Loss[c], w); rng.IntN(4) == 0 {
				p.Loss[c][i] += rng.Int64N(2)
			}
		}
		p.Loss[label][i] = 0
	}
	return p
}

// least builds sets for ever larger thresholds until one has a list.
func least(t testing.TB, p *Problem) int64 {
	for most := p.Price; ; most *= 2 {
		s := must.Get(Build(t.Context(), p, most, Options{}))(t)
		if least, ok := s.Least(); ok {
			return least
		}
	}
}

// TestWorkers asks for the same graph, of lists and of trees, and counts from any number of workers, and from points and
// antecedents in another order.
func TestWorkers(t *testing.T) {
	for seed := range uint64(cases.Short(100)) {
		p := medium(seed)
		if seed%2 == 1 {
			p.Trees, p.Depth = true, 3
		}
		threshold := least(t, p) + 2*p.Price
		var first string
		for _, workers := range []int{1, 2, 7} {
			if workers == 7 {
				p = shuffled(p, rand.New(rand.NewPCG(seed, 13)))
			}
			set := must.Get(Build(t.Context(), p, threshold, Options{Workers: workers}))(t)
			c, _ := set.Classifiers(1 << 30)
			got := fmt.Sprint(set.States(), c.Len())
			for _, e := range set.Count().Entries() {
				got += fmt.Sprint(" ", e.Objective, e.Size, e.Models)
			}
			if first == "" {
				first = got
			} else if got != first {
				t.Fatalf("seed %d, %d workers: %s, want %s", seed, workers, got, first)
			}
		}
	}
}

// shuffled has points and antecedents in another order.
func shuffled(p *Problem, rng *rand.Rand) *Problem {
	points, antecedents := rng.Perm(p.Points), rng.Perm(len(p.Columns))
	q := &Problem{Points: p.Points, Price: p.Price, Trees: p.Trees, Depth: p.Depth,
		Columns: make([][]uint64, len(p.Columns)), Loss: make([][]int64, len(p.Loss))}
	for c := range q.Loss {
		q.Loss[c] = make([]int64, p.Points)
		for i, to := range points {
			q.Loss[c][to] = p.Loss[c][i]
		}
	}
	for k, to := range antecedents {
		q.Columns[to] = make([]uint64, len(p.Columns[k]))
		for i, at := range points {
			q.Columns[to][at/64] |= p.Columns[k][i/64] >> (i % 64) & 1 << (at % 64)
		}
	}
	return q
}

// TestCancelled asks for an end soon after the context's.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, medium(1), 1<<20, Options{}); err == nil {
		t.Error("a cancelled build has a result")
	}
}
