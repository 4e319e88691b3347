package rulelist_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/rules"
)

// prover writes proofs by plain recursion, from the definitions in
// docs/proof-format.md, and shares no code with the checker or the solver. It
// expands every prefix that the bound leaves, useless or not, and takes
// dominations where chance finds some.
type prover struct {
	grouping
	set    *rules.Set
	best   oracle.List
	rng    *rand.Rand
	effort int // dominators tried for an extension
	most   int // records, after which it gives up

	script script

	dominations []domination // those in the script
}

// domination is a statement: b is dominated by a.
type domination struct{ b, a []int }

// prove returns a prover that is done. The claim is the smallest list unless
// another one is given.
func prove(t testing.TB, in testgen.Instance, claim []int, effort int, rng *rand.Rand) *prover {
	t.Helper()
	p := newProver(t, in, claim, effort, rng)
	p.expand(nil)
	rng.Shuffle(len(p.script.records), func(i, j int) {
		r := p.script.records
		r[i], r[j] = r[j], r[i]
	})
	return p
}

// newProver returns a prover that has written no records.
func newProver(t testing.TB, in testgen.Instance, claim []int, effort int, rng *rand.Rand) *prover {
	t.Helper()
	p := &prover{grouping: grouped(in), set: in.Set(), effort: effort, rng: rng, most: math.MaxInt}
	var err error
	if claim == nil {
		p.best, err = in.Best()
	} else {
		p.best, err = in.Evaluate(claim)
		p.most = 1500 // a poor claim bounds little
	}
	if err != nil {
		t.Fatal(err)
	}
	p.script = script{
		digest: p.set.Digest(), lambda: in.Lambda, antecedents: len(in.Columns), weight: in.Total(),
		settings: []byte("none"), perBlock: 1 + rng.IntN(5),
	}
	p.script.claims(p.best)
	return p
}

// expand writes the record of a prefix and those of its extensions.
func (p *prover) expand(prefix []int) {
	at := len(p.script.records)
	if at > p.most {
		return
	}
	p.script.records = append(p.script.records, nil)
	record := append([]byte{1}, ints(prefix)...)
	for s := range p.Instance.Columns {
		if slices.Contains(prefix, s) {
			continue
		}
		b := append(slices.Clip(prefix), s)
		if p.cost(b)+p.price() > p.best.Objective {
			continue
		}
		switch dominator := p.dominator(b); {
		case dominator == nil:
			p.expand(b)
		case p.rng.IntN(2) == 0:
			record = append(append(record, byte(s+1)), dominator...)
		default:
			p.script.records = append(p.script.records, slices.Concat([]byte{2}, ints(b), dominator))
			if p.rng.IntN(4) == 0 {
				p.expand(b) // of no use, but no harm either
			}
		}
	}
	p.script.records[at] = append(record, 0)
}

// dominator tries some dominators of b at random, and returns the encoding of
// one that holds.
func (p *prover) dominator(b []int) []byte {
	for range p.effort {
		code, a := randomDominator(p.rng, b, len(p.Instance.Columns))
		if p.dominates(a, b) {
			p.dominations = append(p.dominations, domination{b, a})
			return code
		}
	}
	return nil
}

// randomDominator draws one of the two kinds.
func randomDominator(rng *rand.Rand, b []int, antecedents int) (code []byte, a []int) {
	switch rng.IntN(2) {
	case 0:
		a = rng.Perm(antecedents)[:rng.IntN(min(antecedents, len(b)+1)+1)]
		code = append([]byte{0}, ints(a)...)
	case 1:
		i := rng.IntN(len(b))
		a, code = slices.Delete(slices.Clone(b), i, i+1), []byte{1, byte(i)}
	}
	return code, a
}

func (p *prover) price() int64 { return p.Instance.Lambda.Num * p.Instance.Total() }

// walk shares the samples out among the rules of a prefix and what they leave.
func (p *prover) walk(prefix []int) (captured [][]int, left []int) {
	captured = make([][]int, len(prefix))
next:
	for i := range p.Instance.Labels {
		for k, a := range prefix {
			if p.Instance.Columns[a][i] {
				captured[k] = append(captured[k], i)
				continue next
			}
		}
		left = append(left, i)
	}
	return captured, left
}

// grouping numbers the samples of an instance by what they satisfy.
type grouping struct {
	testgen.Instance
	groupOf []int // of each sample
}

func grouped(in testgen.Instance) grouping {
	x, known := grouping{Instance: in}, map[string]int{}
	for i := range in.Labels {
		key := ""
		for _, c := range in.Columns {
			key += map[bool]string{true: "1", false: "0"}[c[i]]
		}
		if _, ok := known[key]; !ok {
			known[key] = len(known)
		}
		x.groupOf = append(x.groupOf, known[key])
	}
	return x
}

// groups sums the weights of the samples in each group by label.
func (x *grouping) groups(samples []int) [][2]int64 {
	groups := make([][2]int64, len(x.groupOf))
	for _, i := range samples {
		groups[x.groupOf[i]][one(x.Labels[i])] += x.Weight(i)
	}
	return groups
}

// all is the weights of all groups.
func (x *grouping) all() [][2]int64 {
	samples := make([]int, len(x.groupOf))
	for i := range samples {
		samples[i] = i
	}
	return x.groups(samples)
}

// cost is that of a prefix: what its rules get wrong, what every list gets wrong
// of the rest, and the price of its rules.
func (p *prover) cost(prefix []int) int64 {
	captured, left := p.walk(prefix)
	var errors int64
	for _, samples := range captured {
		var sum [2]int64
		for _, g := range p.groups(samples) {
			sum[0] += g[0]
			sum[1] += g[1]
		}
		errors += min(sum[0], sum[1])
	}
	for _, g := range p.groups(left) {
		errors += min(g[0], g[1])
	}
	return p.Instance.Lambda.Den*errors + p.price()*int64(len(prefix))
}

// dominates is the definition.
func (p *prover) dominates(a, b []int) bool {
	_, leftA := p.walk(a)
	_, leftB := p.walk(b)
	var only []int
	for _, i := range leftA {
		if !slices.Contains(leftB, i) {
			only = append(only, i)
		}
	}
	least := p.cost(a)
	for _, g := range p.groups(only) {
		least += p.Instance.Lambda.Den * (max(g[0], g[1]) - min(g[0], g[1]))
	}
	cost := p.cost(b)
	if least != cost {
		return least < cost
	}
	return len(a) < len(b) || len(a) == len(b) && slices.Compare(a, b) < 0
}
