package search

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/trie"

	"github.com/bits-and-blooms/bitset"
)

// drawSet makes random samples, antecedents and a prior: antecedents that are equal,
// complementary or empty, weights, α below and above 1, priors that expect more rules
// than there are antecedents.
func drawSet(r *rand.Rand, mostAntecedents, mostSamples int) (*rules.Set, Prior) {
	d, n := 1+r.IntN(mostAntecedents), 1+r.IntN(mostSamples)
	antecedents := make([]rules.Antecedent, d)
	for j := range antecedents {
		column := bitset.New(uint(n))
		density := r.Float64()
		for i := range n {
			column.SetTo(uint(i), r.Float64() < density)
		}
		switch k := r.IntN(8); {
		case j > 0 && k == 0:
			column = antecedents[r.IntN(j)].Captured().Complement()
		case j > 0 && k == 1:
			column = antecedents[r.IntN(j)].Captured().Clone()
		case k == 2:
			column = bitset.New(uint(n))
		}
		antecedents[j] = rules.Antecedent{Parts: []*bitset.BitSet{column}, Literals: make([]rules.Literal, 1+r.IntN(2))}
	}
	labels, weights := bitset.New(uint(n)), make([]int64, n)
	heavy := []int{1, 3, 20}[r.IntN(3)]
	for i := range n {
		labels.SetTo(uint(i), r.IntN(2) == 0)
		weights[i] = int64(1 + r.IntN(heavy))
	}
	some := func(most int64) ratio.Ratio { return ratio.New(1+r.Int64N(most), 1+r.Int64N(4)) }
	prior := Prior{Length: some(12), Width: some(5), Alpha1: some(6), Alpha0: some(6)}
	data := &dataset.Dataset{N: n, ClassOf: dataset.ClassesOf(labels), Weights: weights, WeightUnit: ratio.New(1, 1)}
	return &rules.Set{Data: data, Antecedents: antecedents}, prior
}

// draw makes the points of such a set that a search of all lists can do soon.
func draw(r *rand.Rand) (*instance.Points, []int, Prior) {
	set, prior := drawSet(r, 4, 14)
	pts, err := instance.PointsFromSet(set)
	if err != nil {
		panic(err)
	}
	return pts, bayes.Cardinalities(set), prior
}

// partsOf says how many units of weight are a sample, for different seeds.
func partsOf(seed int) int64 { return []int64{1, 2, 1, 7, 1000}[seed%5] }

// naive is F straight from the definition, in floats, of rules with known counts, of points that weigh perSample units for
// each sample.
func naive(pts *instance.Points, cards []int, prior Prior, rules []int, perSample float64) float64 {
	lg := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	a1, a0 := prior.Alpha1.Float(), prior.Alpha0.Float()
	leaf := func(n1, n0 float64) float64 {
		return lg(n1+a1) + lg(n0+a0) - lg(n1+n0+a1+a0) - lg(a1) - lg(a0) + lg(a1+a0)
	}
	λ, η := prior.Length.Float(), prior.Width.Float()
	poisson := func(mean float64, k int) float64 { return float64(k)*math.Log(mean) - lg(float64(k)+1) }
	var norm float64
	for k := range len(cards) + 1 {
		norm += math.Exp(poisson(λ, k))
	}
	f := poisson(λ, len(rules)) - math.Log(norm)
	left := make([]bool, pts.Count)
	for i := range left {
		left[i] = true
	}
	unused := map[int]int{}
	for _, c := range cards {
		unused[c]++
	}
	for j := range len(rules) + 1 {
		var n1, n0 float64
		for i := range left {
			if left[i] && (j == len(rules) || pts.Columns[rules[j]][i/64]>>(i%64)&1 != 0) {
				n1 += float64(pts.Weights[1][i]) / perSample
				n0 += float64(pts.Weights[0][i]) / perSample
				left[i] = false
			}
		}
		f += leaf(n1, n0)
		if j == len(rules) {
			break
		}
		var z float64
		for c, q := range unused {
			if q > 0 {
				z += math.Exp(poisson(η, c))
			}
		}
		c := cards[rules[j]]
		f += poisson(η, c) - math.Log(z) - math.Log(float64(unused[c]))
		unused[c]--
	}
	return f
}

// allowed reports whether a list decides enough rows with each rule, and falls, if these are asked for.
func allowed(pts *instance.Points, o Options, rules []int) bool {
	s := float64(o.PerSample)
	a1, a := s*o.Prior.Alpha1.Float(), s*(o.Prior.Alpha1.Float()+o.Prior.Alpha0.Float())
	last, left := 1.0, make([]bool, pts.Count)
	for j := range len(rules) + 1 {
		var n1, n0, rows float64
		for i := range left {
			if !left[i] && (j == len(rules) || pts.Columns[rules[j]][i/64]>>(i%64)&1 != 0) {
				left[i] = true
				n1, n0 = n1+float64(pts.Weights[1][i]), n0+float64(pts.Weights[0][i])
				if o.MinRows > 0 {
					rows += float64(o.RowsOf[i])
				}
			}
		}
		now := (n1 + a1) / (n1 + n0 + a)
		if o.Falling && now > last+1e-12 || o.MinRows > 0 && j < len(rules) && rows < float64(o.MinRows) {
			return false
		}
		last = now
	}
	return true
}

// everyList calls f with every list over d antecedents, of at most n rules.
func everyList(d, n int, f func(rules []int)) {
	var rules []int
	var extend func()
	extend = func() {
		f(rules)
		for a := range d {
			if len(rules) < n && !slices.Contains(rules, a) {
				rules = append(rules, a)
				extend()
				rules = rules[:len(rules)-1]
			}
		}
	}
	extend()
}

// TestSolve compares the list found with the best of all lists, F with its
// definition, and the results of different numbers of workers, with all the memory that
// they like and with as little as a search takes.
func TestSolve(t *testing.T) {
	for seed := range testgen.Seeds(600) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		pts, cards, prior := draw(r)
		o := Options{Prior: prior, Chains: 1 + r.IntN(2), Iterations: 1 + r.IntN(20), Seed: uint64(seed), MaxRules: r.IntN(3),
			PerSample: partsOf(seed)}
		if o.Falling = seed%3 == 1; seed%4 == 1 {
			o.MinRows, o.RowsOf = 1+r.IntN(5), make([]int64, pts.Count)
			for i := range o.RowsOf {
				o.RowsOf[i] = 1 + r.Int64N(3)
			}
		}
		p := must.Get(newPosterior(pts, cards, prior, o.MaxRules, o.PerSample))(t)
		l := newList(p)
		best := l.solution()
		everyList(len(cards), p.most, func(rules []int) {
			value := l.set(rules, 0)
			if want := naive(pts, cards, prior, rules, float64(o.PerSample)); math.Abs(float64(value)/float64(Unit)-want) > 1e-7 {
				t.Fatalf("seed %d, rules %v: F = %v, by the definition %v", seed, rules, float64(value)/float64(Unit), want)
			}
			if s := l.solution(); s.Better(&best) && allowed(pts, o, rules) {
				best = s
			}
		})
		var first *Result
		least := leastMemory(p, pts)
		for _, o.Workers = range []int{1, 3, 16} {
			o.Memory = []int64{0, least, least + r.Int64N(least)}[r.IntN(3)]
			got := must.Get(Solve(context.Background(), pts, cards, o))(t)
			if got.Status != status.Optimal || got.Posterior != best.value || !slices.Equal(got.Rules, best.rules) {
				t.Fatalf("seed %d: %v with F = %d and bound %d, want %v with %d", seed, got.Rules, got.Posterior, got.Bound, best.rules,
					best.value)
			}
			if first == nil {
				first = got
			}
			if !reflect.DeepEqual(first.ChainBest, got.ChainBest) {
				t.Fatalf("seed %d: the chains of %d workers find %v, those of one %v", seed, o.Workers, got.ChainBest, first.ChainBest)
			}
		}
	}
}

// leastMemory is the smallest budget with which a search starts.
func leastMemory(p *posterior, pts *instance.Points) int64 {
	s := newExact(p, newBounder(p, pts), newList(p).solution())
	s.workers = 1
	return s.fixedBytes()
}

// examined is a worker of a search that has begun with the empty list, outside any run.
func examined(p *posterior, pts *instance.Points) *worker {
	s := newExact(p, newBounder(p, pts), newList(p).solution())
	s.longest, s.empty = p.most, true
	s.run = parallel.NewRun(parallel.Limits{Workers: 1})
	s.queue = parallel.NewQueue[trie.ID](s.run, parallel.NewLevels(0, 1), 0, func(int64) bool { return true })
	s.arena = trie.NewArena(1, func(int64) bool { return true })
	return newWorker(s, 0)
}

// TestBound: no list that begins with a prefix exceeds its bound, by the counts of the
// prefix without its last rule and by its own.
func TestBound(t *testing.T) {
	for seed := range testgen.Seeds(400) {
		pts, cards, prior := draw(rand.New(rand.NewPCG(uint64(seed), 8)))
		p := must.Get(newPosterior(pts, cards, prior, 0, partsOf(int(seed))))(t)
		w, whole := examined(p, pts), newList(p)
		up, f := w.frame(0), w.frame(1)
		everyList(len(cards), p.most-1, func(prefix []int) {
			if len(prefix) == 0 {
				return
			}
			up.rules, up.use, up.sum = up.rules[:0], used{}, 0
			copy(up.set, p.all)
			var c child
			for i, a := range prefix {
				if !w.count(up) {
					t.Fatal("stopped")
				}
				w.extend(&c, up, a, p.price(&up.use, a), impossible)
				w.descend(f, up, &c)
				if i < len(prefix)-1 {
					up, f = f, up
				}
			}
			own, _ := w.look(f)
			everyList(len(cards), p.most, func(rules []int) {
				if len(rules) <= len(prefix) || !slices.Equal(rules[:len(prefix)], prefix) {
					return
				}
				value := whole.set(rules, 0)
				if c.bound < value {
					t.Fatalf("seed %d: %v has F = %d, its prefix %v the bound %d", seed, rules, value, prefix, c.bound)
				}
				if len(rules) > len(prefix)+1 && own < value && value >= w.s.incumbent.Load().value {
					t.Fatalf("seed %d: %v has F = %d, its prefix %v the own bound %d", seed, rules, value, prefix, own)
				}
			})
		})
	}
}

// TestStoppedAmongChildren: a search that is stopped looks at no further child.
func TestStoppedAmongChildren(t *testing.T) {
	pts, cards, prior := draw(rand.New(rand.NewPCG(1, 10)))
	p := must.Get(newPosterior(pts, cards, prior, 0, 3))(t)
	w := examined(p, pts)
	copy(w.frame(0).set, p.all)
	if !w.count(w.frame(0)) {
		t.Fatal("stopped before anything stopped it")
	}
	w.s.run.Halt(parallel.Interrupted)
	if w.judge(0, &child{}) {
		t.Error("a child was looked at")
	}
}

// TestStopped: limits that are too small for anything give a sound bound.
func TestStopped(t *testing.T) {
	ended := map[status.Status]int{}
	for seed := range testgen.Seeds(1000) {
		pts, cards, prior := draw(rand.New(rand.NewPCG(uint64(seed), 9)))
		p := must.Get(newPosterior(pts, cards, prior, 0, 1))(t)
		best := int64(math.MinInt64)
		l := newList(p)
		everyList(len(cards), p.most, func(rules []int) { best = max(best, l.set(rules, 0)) })
		done, cancel := context.WithCancel(context.Background())
		cancel()
		for _, c := range []struct {
			ctx context.Context
			o   Options
		}{{done, Options{}}, {context.Background(), Options{Nodes: 1, Iterations: 1, Chains: 1}},
			{context.Background(), Options{Memory: 1, Iterations: 1, Chains: 1}},
			{context.Background(), Options{Memory: leastMemory(p, pts) - 1, Iterations: 1, Chains: 1}}} {
			c.o.Prior = prior
			got, err := Solve(c.ctx, pts, cards, c.o)
			if err != nil || got.Bound < best || got.Posterior > best || got.Status == status.Unknown {
				t.Fatalf("seed %d: %+v, %v; best %d", seed, got, err, best)
			}
			if ended[got.Status]++; got.Status == status.Optimal && (got.Posterior != best || got.Bound != best) {
				t.Fatalf("seed %d: proved %d with bound %d; best %d", seed, got.Posterior, got.Bound, best)
			}
		}
	}
	for _, s := range []status.Status{status.Interrupted, status.NodeLimit, status.MemoryLimit} {
		if ended[s] == 0 {
			t.Errorf("no search ended as %v: %v", s, ended)
		}
	}
}

// TestProgress: lists told while chains run are lists of the posterior that is told
// with them, never worse than those before, and the bound comes when all have ended.
func TestProgress(t *testing.T) {
	for seed := range uint64(20) {
		pts, cards, prior := draw(rand.New(rand.NewPCG(seed, 21)))
		p := must.Get(newPosterior(pts, cards, prior, 0, 1))(t)
		whole, ended, last := newList(p), 0, math.Inf(-1)
		o := Options{Prior: prior, Chains: 4, Iterations: 50, Workers: 3}
		o.Progress = func(now Progress) {
			if math.IsInf(now.Bound, 1) {
				ended++
			} else if now.Bound < now.Value {
				t.Errorf("seed %d: bound %v below %v", seed, now.Bound, now.Value)
			}
			value := float64(whole.set(now.List, 0)) / float64(Unit)
			if now.Chains != ended || now.Length != len(now.List) || now.Value != value || value < last {
				t.Errorf("seed %d: told %+v, whose list has %v, after %v and %d chains", seed, now, value, last, ended)
			}
			last = now.Value
		}
		r, err := Solve(t.Context(), pts, cards, o)
		if err != nil || ended != o.Chains || last != float64(r.Posterior)/float64(Unit) {
			t.Errorf("seed %d: %+v, %v; %d chains told, the last list of %v", seed, r, err, ended, last)
		}
	}
}
