package automorphism

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/cases"
)

// draw makes an instance of a few points with few different columns and costs.
func draw(rng *rand.Rand) *Instance {
	n, words := 1+rng.IntN(6), 2
	in := &Instance{Costs: make([]int64, 64*words), Words1: 1}
	for range n {
		in.Columns = append(in.Columns, make([]uint64, words))
	}
	even := rng.IntN(2) == 0 // costs depend on how many antecedents capture a point, mostly
	for i := range in.Costs {
		if i%64 >= 1<<n || !even && rng.IntN(2) == 0 {
			continue
		}
		key := i % 64
		in.Costs[i] = 1 + int64((bits.OnesCount(uint(key))+i/64)%2)
		if rng.IntN(60) == 0 {
			in.Costs[i], key = rng.Int64N(3), rng.IntN(1<<n)
		}
		for a := range n {
			in.Columns[a][i/64] |= uint64(key>>a&1) << (i % 64)
		}
	}
	return in
}

// costs returns the cost by class of the points that just the antecedents of a
// set capture, for every set, after a permutation.
func costs(in *Instance, m Permutation) map[int][2]int64 {
	sum := map[int][2]int64{}
	for i, cost := range in.Costs {
		if cost == 0 {
			continue
		}
		set := 0
		for a, c := range in.Columns {
			set |= int(c[i/64]>>(i%64)&1) << m[a]
		}
		s := sum[set]
		s[min(1, i/64/in.Words1)] += cost
		sum[set] = s
	}
	return sum
}

func equal(a, b map[int][2]int64) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// permutations calls f with each of 0..n−1.
func permutations(n int, f func(Permutation)) {
	var extend func(Permutation)
	extend = func(m Permutation) {
		if len(m) == n {
			f(slices.Clone(m))
			return
		}
		for x := range uint16(n) {
			if !slices.Contains(m, x) {
				extend(append(m, x))
			}
		}
	}
	extend(nil)
}

// all are limits that only their number reaches.
func all(most int) Limits {
	return Limits{Most: most, Work: 1 << 30, GoOn: func() bool { return true }}
}

// TestLittleWork: whatever the work, what is found are symmetries, and with more
// work there are no fewer of them.
func TestLittleWork(t *testing.T) {
	fewer := 0
	for seed := range uint64(200) {
		in := draw(rand.New(rand.NewPCG(seed, 1)))
		as := costs(in, identity(len(in.Columns)))
		limits, found := all(1<<20), 0
		whole := len(Find(in, limits))
		for limits.Work = 1; limits.Work < 1<<20; limits.Work *= 2 {
			got := Find(in, limits)
			for _, m := range got {
				if !equal(costs(in, m), as) {
					t.Fatalf("seed %d: with work %d, %v is not a symmetry", seed, limits.Work, m)
				}
			}
			if len(got) < found {
				t.Fatalf("seed %d: %d symmetries with work %d, %d with half of it", seed, len(got), limits.Work, found)
			}
			if found = len(got); 0 < found && found < whole {
				fewer++
			}
		}
	}
	if fewer == 0 {
		t.Error("there were always all or none")
	}
}

// TestFind compares with all permutations, by the definition.
func TestFind(t *testing.T) {
	symmetric, seeds := 0, max(200, cases.Some(600))
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 1))
		in := draw(rng)
		var want []Permutation
		id := identity(len(in.Columns))
		as := costs(in, id)
		permutations(len(in.Columns), func(m Permutation) {
			if !slices.Equal(m, id) && equal(costs(in, m), as) {
				want = append(want, m)
			}
		})
		got := Find(in, all(1<<20))
		slices.SortFunc(got, slices.Compare)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("seed %d: found %v, want %v\n%+v", seed, got, want, in)
		}
		if len(want) > 0 {
			symmetric++
		}
		few := Find(in, all(3))
		for _, m := range few {
			if !slices.ContainsFunc(want, func(w Permutation) bool { return slices.Equal(w, m) }) {
				t.Fatalf("seed %d: %v is not a symmetry", seed, m)
			}
		}
		if len(few) > 3 {
			t.Fatalf("seed %d: %d symmetries, at most 3 were asked for", seed, len(few))
		}
	}
	if symmetric < seeds/6 {
		t.Errorf("only %d instances have symmetries", symmetric)
	}
}

// TestFindStops: nothing is found once there is to be no further effort.
func TestFindStops(t *testing.T) {
	in := &Instance{Columns: [][]uint64{{3}, {5}}, Costs: make([]int64, 64), Words1: 1}
	in.Costs[0], in.Costs[1], in.Costs[2] = 1, 1, 1
	if got := Find(in, all(10)); len(got) != 1 {
		t.Errorf("%v, want one symmetry", got)
	}
	stopped, idle := all(10), all(10)
	stopped.GoOn = func() bool { return false }
	idle.Work = 0
	for _, l := range []Limits{stopped, idle} {
		if got := Find(in, l); len(got) != 0 {
			t.Errorf("%v although it was stopped: %+v", got, l)
		}
	}
}

// TestHashesDoNotDecide: where two sets of antecedents have the same hash,
// nothing that is no symmetry is taken for one.
func TestHashesDoNotDecide(t *testing.T) {
	in := &Instance{Columns: [][]uint64{{5}, {6}}, Costs: make([]int64, 64), Words1: 1}
	in.Costs[0], in.Costs[1], in.Costs[2] = 1, 1, 1 // of {0}, {1} and {0, 1}
	swap, same := Permutation{1, 0}, Permutation{0, 1}
	if g := newGraph(in, all(1)); !g.symmetric(swap) || !g.symmetric(same) {
		t.Fatal("two points that cost the same cannot be exchanged")
	}
	at := func(set ...int32) (key uint64) {
		for _, a := range set {
			key += hash(a)
		}
		return key
	}
	for name, spoil := range map[string]func(g *graph){
		"a set of as many": func(g *graph) { g.index[at(0)] = g.index[at(1)] },
		"a larger set":     func(g *graph) { g.index[at(0)] = g.index[at(0, 1)] },
		"a smaller set":    func(g *graph) { g.index[at(0, 1)] = g.index[at(0)] },
		"another cost":     func(g *graph) { g.costs[g.index[at(1)]][0]++ },
	} {
		g := newGraph(in, all(1))
		spoil(g)
		if g.symmetric(swap) && g.symmetric(same) {
			t.Errorf("%s was taken for the image", name)
		}
		if name == "a set of as many" && g.add([]int32{0}, 1, true) {
			t.Error("two sets are one point")
		}
	}
}
