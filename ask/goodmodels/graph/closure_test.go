package graph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
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
		s, err := Build(t.Context(), p, most, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if least, ok := s.Least(); ok {
			return least
		}
	}
}

// contains reports whether a list is a path of the graph within the threshold.
func (s *Set) contains(l List) bool {
	if len(l.Rules) == 0 {
		return true
	}
	at, cost := int32(0), int64(0)
	for i, r := range l.Rules {
		of := &s.states[at]
		j := slices.IndexFunc(of.splits, func(x split) bool { return slices.Contains(s.antecedents[x.column], r.Antecedent) })
		if j < 0 {
			return false
		}
		x := of.splits[j]
		cost += s.captured(nil, of, x)[r.Label]
		if i == len(l.Rules)-1 {
			cost += s.states[x.without].ends[l.Default]
			return cost <= s.threshold && l.Default != r.Label && cost+s.base == l.Objective
		}
		at = x.without
	}
	return false
}

// plain reports whether every rule and the default capture a point, and the default has another label
// than the last rule.
func (p *Problem) plain(l List) bool {
	left := map[int]bool{}
	for i := range p.Points {
		left[i] = true
	}
	for _, r := range l.Rules {
		before := len(left)
		for i := range left {
			if p.Columns[r.Antecedent][i/64]>>(i%64)&1 == 1 {
				delete(left, i)
			}
		}
		if len(left) == before {
			return false
		}
	}
	return len(left) > 0 && (len(l.Rules) == 0 || l.Rules[len(l.Rules)-1].Label != l.Default)
}

// TestClosure changes good lists: what is plain and good after that is in the set.
func TestClosure(t *testing.T) {
	changed := 0
	for seed := range uint64(some(300)) {
		p := medium(seed)
		rng := rand.New(rand.NewPCG(seed, 12))
		threshold := least(t, p) + p.Price + rng.Int64N(p.Price)
		set, err := Build(t.Context(), p, threshold, Options{States: 50_000})
		if err != nil {
			t.Fatal(err)
		}
		f := &fairness{p: p}
		counts := set.Count()
		for range 30 {
			l := counts.Sample(rng).List()
			if o := f.objective(l); o != l.Objective || !p.plain(l) || !set.contains(l) || o > set.Threshold() {
				t.Fatalf("seed %d: a sample %v of objective %d", seed, l, o)
			}
			x := List{Rules: slices.Clone(l.Rules), Default: l.Default}
			a := Rule{rng.IntN(len(p.Columns)), rng.IntN(len(p.Loss))}
			k := len(x.Rules)
			switch i := rng.IntN(k + 1); {
			case rng.IntN(5) == 0:
				x.Rules = slices.Insert(x.Rules, i, a)
			case i == k:
				x.Default = a.Label
			default:
				switch rng.IntN(4) {
				case 0:
					x.Rules = slices.Delete(x.Rules, i, i+1)
				case 1:
					j := rng.IntN(k)
					x.Rules[i], x.Rules[j] = x.Rules[j], x.Rules[i]
				case 2:
					x.Rules[i].Antecedent = a.Antecedent
				case 3:
					x.Rules[i].Label = a.Label
				}
			}
			if x.Objective = f.objective(x); x.Objective > set.Threshold() || !p.plain(x) {
				continue
			}
			changed++
			if !set.contains(x) {
				t.Fatalf("seed %d: %v is good, but not in the set", seed, x)
			}
		}
	}
	if changed == 0 {
		t.Error("no change left a list good")
	}
}

// TestWorkers asks for the same graph, of lists and of trees, and counts from any number of workers, and from points and
// antecedents in another order.
func TestWorkers(t *testing.T) {
	for seed := range uint64(some(100)) {
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
			set, err := Build(t.Context(), p, threshold, Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			c, _ := set.Classifiers(1 << 30)
			got := fmt.Sprint(set.States(), set.Rules(), c.Len())
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
