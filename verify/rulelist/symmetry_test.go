package rulelist_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/oracle"
	"parcorels/internal/testgen"
	"parcorels/ratio"
	"parcorels/verify"
)

// permutations returns those of n antecedents that exchange two, or two and two,
// or move three around; none of more than eight, of which there are too many.
func permutations(n int) (all [][]int) {
	if n > 8 {
		return nil
	}
	with := func(moves ...int) {
		g := make([]int, n)
		for a := range g {
			g[a] = a
		}
		for i := 0; i < len(moves); i += 2 {
			g[moves[i]] = moves[i+1]
		}
		all = append(all, g)
	}
	for a := range n {
		for b := range a {
			with(a, b, b, a)
			for c := range b {
				with(a, b, b, c, c, a)
				with(a, c, c, b, b, a)
				for d := range c {
					with(a, b, b, a, c, d, d, c)
					with(a, c, c, a, b, d, d, b)
					with(a, d, d, a, b, c, c, b)
				}
			}
		}
	}
	return all
}

// isSymmetry is the definition.
func (p *prover) isSymmetry(g []int) bool {
	among := p.possible()
	for a, to := range g {
		among[a] = among[a] || to != a
	}
	surplus := map[string]int64{}
	for group, w := range p.groups(p.everySample()) {
		surplus[p.row(group, among, nil)] += w[1] - w[0]
	}
	for group := range costsByGroup(p) {
		d := surplus[p.row(group, among, nil)]
		if d != 0 && surplus[p.row(group, among, g)] != d {
			return false
		}
	}
	return true
}

// costsByGroup has the groups that there are.
func costsByGroup(p *prover) map[int]bool {
	groups := map[int]bool{}
	for _, g := range p.groupOf {
		groups[g] = true
	}
	return groups
}

func (p *prover) everySample() (all []int) {
	for i := range p.in.Labels {
		all = append(all, i)
	}
	return all
}

// row returns what the samples of a group satisfy of some antecedents, or the
// image of that.
func (p *prover) row(group int, among []bool, g []int) string {
	sample := slices.Index(p.groupOf, group)
	key := slices.Repeat([]byte{'0'}, len(among))
	if sample < 0 {
		return string(key)
	}
	for a, c := range p.in.Columns {
		switch {
		case !among[a] || !c[sample]:
		case g == nil:
			key[a] = '1'
		default:
			key[g[a]] = '1'
		}
	}
	return string(key)
}

// possible says of which antecedents the smallest list can consist.
func (p *prover) possible() []bool {
	possible := make([]bool, len(p.in.Columns))
	known := map[string]bool{}
	groups := p.groups(p.everySample())
	for a, c := range p.in.Columns {
		var key []byte
		var inside, outside [2]int64
		for group := range costsByGroup(p) {
			w, cost := groups[group], &outside
			if c[slices.Index(p.groupOf, group)] {
				cost = &inside
				if w[0] != w[1] {
					key = append(key, byte(group))
				}
			}
			least := min(w[0], w[1])
			cost[0] += w[0] - least
			cost[1] += w[1] - least
		}
		slices.Sort(key)
		if p.in.Lambda.Den*max(inside[0], inside[1]) <= p.price() || p.in.Lambda.Den*(outside[0]+outside[1]) <= p.price() {
			continue
		}
		possible[a] = !known[string(key)]
		known[string(key)] = true
	}
	return possible
}

// symmetryRecord encodes a permutation.
func symmetryRecord(g []int) []byte {
	var moves []byte
	n := uint64(0)
	for a, to := range g {
		if to != a {
			moves = append(moves, byte(a), byte(to))
			n++
		}
	}
	return append(binary.AppendUvarint([]byte{3}, n), moves...)
}

// useSymmetries draws some symmetries of the instance, which expand makes use of.
func (p *prover) useSymmetries() {
	all := slices.DeleteFunc(permutations(len(p.in.Columns)), func(g []int) bool { return !p.isSymmetry(g) })
	p.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	p.symmetries = all[:min(len(all), 1+p.rng.IntN(6))]
	for _, g := range p.symmetries {
		p.script.records = append(p.script.records, symmetryRecord(g))
	}
}

// lowers reports whether a symmetry leaves a prefix alone and maps s to a smaller
// index.
func (p *prover) lowers(prefix []int, s int) bool {
	return slices.ContainsFunc(p.symmetries, func(g []int) bool {
		return g[s] < s && !slices.ContainsFunc(prefix, func(a int) bool { return g[a] != a })
	})
}

// TestSymmetries holds what is taken for a symmetry against the definition, for
// permutations of the antecedents of all sorts of instances.
func TestSymmetries(t *testing.T) {
	symmetries, others := 0, 0
	for seed := range seeds(150) {
		rng := rand.New(rand.NewPCG(seed, 40))
		in := sample(seed)
		if seed%3 == 0 && len(in.Columns) > 0 && len(in.Columns) < 7 {
			in = nearlyTwice(in, rng)
		}
		p := prove(t, in, nil, 1, rng)
		records := p.script.records
		all := permutations(len(p.in.Columns))
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, g := range all[:min(len(all), 60)] {
			p.script.records = append(slices.Clip(records), symmetryRecord(g))
			r, err := check(t, p.script.file(), p.set, 1)
			if p.isSymmetry(g) {
				if symmetries++; err != nil {
					t.Fatalf("seed %d: the symmetry %v: %v\n%v", seed, g, err, in)
				}
				expect(t, in, p.best, r)
				continue
			}
			if others++; !errors.Is(err, verify.ErrRefused) || !strings.Contains(err.Error(), "symmetry") {
				t.Fatalf("seed %d: %v, which is no symmetry: %v\n%v", seed, g, err, in)
			}
		}
	}
	if t.Logf("%d symmetries, %d others", symmetries, others); symmetries < int(seeds(150)) || others < int(seeds(150)) {
		t.Errorf("%d symmetries, %d others", symmetries, others)
	}
}

// nearlyTwice has one antecedent again, which differs on two samples that are
// alike but for their labels: all lists get one of them wrong.
func nearlyTwice(in testgen.Instance, rng *rand.Rand) testgen.Instance {
	again := slices.Clone(in.Columns[rng.IntN(len(in.Columns))])
	columns := append(slices.Clone(in.Columns), again)
	for a, c := range columns {
		one := rng.IntN(2) == 0
		columns[a] = append(slices.Clone(c), one, one)
	}
	in.Columns = columns
	in.Labels = append(slices.Clone(in.Labels), true, false)
	if in.Weights != nil {
		in.Weights = append(slices.Clone(in.Weights), 2, 2)
	}
	return in
}

// TestSymmetriesCarryProofs takes the symmetries out of proofs that make use of
// them: most then lack something.
func TestSymmetriesCarryProofs(t *testing.T) {
	carried := 0
	for seed := range seeds(200) {
		p := prove(t, symmetric(seed), nil, 0, rand.New(rand.NewPCG(seed, 41)))
		if _, err := check(t, p.script.file(), p.set, 1+int(seed%3)); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p.in)
		}
		p.script.records = slices.DeleteFunc(p.script.records, func(r []byte) bool { return r[0] == 3 })
		if _, err := check(t, p.script.file(), p.set, 1); err != nil {
			if carried++; !errors.Is(err, verify.ErrRefused) {
				t.Fatal(err)
			}
		}
	}
	if carried < int(seeds(20)) {
		t.Errorf("only %d proofs needed their symmetries", carried)
	}
}

// TestImageIsRefused claims images of the smallest list, which are as good and as
// long, with all the records that a prover could wish for.
func TestImageIsRefused(t *testing.T) {
	tried := 0
	for seed := range seeds(400) {
		in := symmetric(seed)
		rng := rand.New(rand.NewPCG(seed, 42))
		best := prove(t, in, nil, 0, rng)
		for _, g := range best.symmetries {
			claim := []int{}
			for _, a := range best.best.Antecedents {
				claim = append(claim, g[a])
			}
			if slices.Equal(claim, best.best.Antecedents) {
				continue
			}
			tried++
			p := prove(t, in, claim, 2, rng)
			if p.best.Objective != best.best.Objective {
				t.Fatalf("seed %d: %v has another objective than its image %v by %v", seed, best.best.Antecedents, claim, g)
			}
			if _, err := check(t, p.script.file(), p.set, 1+int(seed%3)); !errors.Is(err, verify.ErrRefused) {
				t.Fatalf("seed %d: claim %v, the smallest list is %v: %v\n%v", seed, claim, best.best.Antecedents, err, in)
			}
		}
	}
	if t.Logf("%d claims", tried); tried < int(seeds(50)) {
		t.Errorf("only %d claims", tried)
	}
}

// TestMostSymmetries: more than the format allows are refused before any of them
// is looked at, and one that is named again is none more.
func TestMostSymmetries(t *testing.T) {
	set := setOf(testgen.Instance{Problem: oracle.Problem{
		Columns: slices.Repeat([][]bool{{false, false}}, 200), Labels: []bool{true, false}, Lambda: ratio.New(1, 3),
	}})
	s := script{digest: set.Digest(), lambda: ratio.New(1, 3), antecedents: 200, weight: 2, perBlock: 1000, labels: []byte{0}, errors: 1}
	s.records = [][]byte{{1, 0, 0}}
	for a := range 200 {
		for b := range a {
			if n := len(s.records) - 1; n < 8192 {
				swap := binary.AppendUvarint(binary.AppendUvarint([]byte{3, 2}, uint64(b)), uint64(a))
				s.records = append(s.records, binary.AppendUvarint(binary.AppendUvarint(swap, uint64(a)), uint64(b)))
			}
		}
	}
	s.records = append(s.records, s.records[1])
	if r, err := check(t, s.file(), set, 1); err != nil || r.Symmetries != 8192 {
		t.Errorf("%d symmetries, %v", r.Symmetries, err)
	}
	s.records = append(s.records, []byte{3, 3, 0, 1, 1, 2, 2, 0})
	if _, err := check(t, s.file(), set, 1); !errors.Is(err, verify.ErrRefused) || !strings.Contains(err.Error(), "more than 8192") {
		t.Error(err)
	}
}
