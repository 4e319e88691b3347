package rulelist_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/search"
)

// TestBoundsAreChecked alters the bounds of proofs: weaker ones no longer show what
// was left out, and larger weights cost more than they bring.
func TestBoundsAreChecked(t *testing.T) {
	altered, refused := 0, 0
	for seed := range uint64(4) {
		in := testgen.Noisy(seed) // whose proof begins with records of bounds
		set := in.Set()
		file, r := solved(t, set, search.Options{Lambda: in.Lambda, Workers: 1})
		v, err := check(t, file, set, 1)
		if err != nil || v.Objective != r.Objective {
			t.Fatalf("seed %d: %v", seed, err)
		}
		blocks := prooftamper.Blocks(file)
		rng := rand.New(rand.NewPCG(seed, 77))
		for i, b := range blocks {
			if b.Kind != 'R' || b.Payload[0] != 3 {
				continue
			}
			weaken := func(change func(payload []byte)) {
				c := slices.Clone(blocks)
				c[i].Payload = slices.Clone(b.Payload)
				change(c[i].Payload)
				altered++
				if _, err := check(t, prooftamper.File(file[:12], c), set, 1); isRefusal(err) {
					refused++
				} else if err != nil {
					t.Fatal(err)
				}
			}
			weaken(func(p []byte) { p[1] += 4 }) // a sixteenth of the weights
			weaken(func(p []byte) { p[2] += 3 }) // eight times the weights
			weaken(func(p []byte) { p[2] -= 4 }) // a sixteenth
			for range 20 {
				weaken(func(p []byte) { p[3+rng.IntN(len(p)-3)] ^= 1 << rng.IntN(8) })
			}
		}
	}
	t.Logf("%d of %d altered proofs refused", refused, altered)
	if altered == 0 || refused*2 < altered {
		t.Errorf("%d of %d altered proofs refused", refused, altered)
	}
}

// TestBoundsNeverProveAWrongList claims lists that are not the smallest, with random
// bounds, which may be as good or bad as they like.
func TestBoundsNeverProveAWrongList(t *testing.T) {
	tried := 0
	for seed := range seeds(1500) {
		in := sample(seed)
		rng := rand.New(rand.NewPCG(seed, 12))
		best, err := in.Best()
		if err != nil {
			t.Fatal(err)
		}
		list, err := in.Evaluate(randomPrefix(rng, len(in.Columns)))
		if err != nil {
			t.Fatal(err)
		}
		if !best.Less(list) {
			continue
		}
		tried++
		p := prove(t, in, nil, 0, rng)
		s := p.script
		s.list, s.labels, s.errors = list.Antecedents, nil, list.Errors
		for _, q := range append(slices.Clone(list.Predict), list.Default) {
			s.labels = append(s.labels, map[bool]byte{true: 1}[q])
		}
		var bounds [][]byte
		for range 1 + rng.IntN(3) {
			bounds = append(bounds, randomBound(rng, in))
		}
		s.records = append(bounds, s.records...)
		if _, err := check(t, s.file(), p.set, 1); !isRefusal(err) {
			t.Fatalf("seed %d: %v proved, %v is smaller: %v\n%v", seed, list, best, err, in)
		}
	}
	if tried < int(seeds(500)) {
		t.Errorf("only %d lists", tried)
	}
}

// randomBound returns a bound by some pairs and larger sets of the first groups.
func randomBound(rng *rand.Rand, in testgen.Instance) []byte {
	sets := 1 + rng.IntN(6)
	b := []byte{3, 0, 0}
	b = binary.AppendUvarint(b, uint64(sets))
	for range sets {
		members := rng.Perm(6)[:2+rng.IntN(2)]
		slices.Sort(members)
		b = binary.AppendUvarint(b, uint64(len(members)))
		from := 0
		for _, g := range members {
			b = binary.AppendUvarint(b, uint64(g-from))
			from = g
		}
		b = binary.AppendUvarint(b, uint64(rng.Int64N(2*in.Lambda.Num*in.Total()+in.Lambda.Den)))
	}
	return b
}

// TestMalformedBounds has sets that the format forbids.
func TestMalformedBounds(t *testing.T) {
	in := testgen.Noisy(1)
	for name, record := range map[string][]byte{
		"one label":      {4, 20, 0, 1, 2, 0, 1, 1},
		"no group":       {4, 20, 0, 1, 0, 1},
		"a group twice":  {4, 20, 0, 1, 2, 0, 0, 1},
		"no such group":  {4, 20, 0, 1, 2, 0, 0xff, 0x7f, 1},
		"large weights":  {4, 20, 61, 2, 2, 0, 1, 1, 2, 0, 1, 1},
		"large scale":    {4, 41, 0, 0},
		"ends too early": {4, 20, 0, 1, 2, 0},
	} {
		p := prove(t, testgen.Small(3), nil, 0, rand.New(rand.NewPCG(1, 1)))
		set := in.Set()
		s := p.script
		s.digest, s.lambda, s.antecedents, s.weight = set.Digest(), in.Lambda, len(in.Columns), in.Total()
		list, err := in.Evaluate(nil)
		if err != nil {
			t.Fatal(err)
		}
		s.list, s.labels, s.errors = nil, []byte{0}, list.Errors
		if list.Default {
			s.labels[0] = 1
		}
		s.records = [][]byte{record}
		_, err = check(t, s.file(), set, 1)
		if !isRefusal(err) || !strings.Contains(err.Error(), "bound") && !strings.Contains(err.Error(), "record 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTiesStay has bounds that come to just what the claimed list costs, at the empty
// prefix and behind it. A list as good as the claimed one with smaller indices
// must not be lost to them.
//
// Samples A and C have label 1, B and D label 0; antecedents 0 and 1 hold A, 2 holds
// C and 3 holds D. The sets {A, B} and {C, D} with the price of a rule each show
// that two rules are needed, and 0, 2 are the smallest that do.
func TestTiesStay(t *testing.T) {
	in := testgen.Instance{Problem: oracle.Problem{
		Columns: [][]bool{{true, false, false, false}, {true, false, false, false}, {false, false, true, false},
			{false, false, false, true}},
		Labels: []bool{true, false, true, false}, Weights: []int64{40, 20, 30, 10}, Lambda: ratio.New(1, 100),
	}}
	set := in.Set()
	const ab, cd = 0, 1
	sets := [][]byte{{2, 0, 2}, {2, 1, 2}} // groups A, C, B, D from 0
	for _, scale := range []int{0, 1, 3, 17, 20} {
		y := uint64(in.Lambda.Num*in.Total()) << scale
		if scale >= 17 {
			y++
		}
		link := func(some ...int) (b []byte) {
			for _, k := range some {
				b = binary.AppendUvarint(append(b, sets[k]...), y)
			}
			return b
		}
		s := byte(scale)
		for name, records := range map[string][][]byte{
			"of all lists":        {append([]byte{3, s, 0, 2}, link(ab, cd)...)},
			"of the empty prefix": {append([]byte{4, 0, s, 1, 0, 0, 2}, link(ab, cd)...)},
			"of prefix 0":         {append([]byte{4, 1, 0, s, 1, 0, 0, 1}, link(cd)...)},
			"of prefix 0, in two": {append([]byte{4, 0, s, 1, 0, 0, 2}, link(ab, cd)...),
				append(binary.AppendUvarint([]byte{4, 1, 0, s, 1, 0, 1, 1}, y), 0)},
			"of prefix 0, with AB": {append([]byte{4, 1, 0, s, 1, 0, 0, 2}, link(ab, cd)...)},
		} {
			for _, claim := range [][]int{{0, 2}, {1, 2}} {
				l, err := in.Evaluate(claim)
				if err != nil {
					t.Fatal(err)
				}
				p := newProver(t, in, claim, 0, rand.New(rand.NewPCG(1, 1)))
				p.script.records = append(records, []byte{1, 1, 0, 0}, []byte{1, 1, 1, 0})
				p.script.perBlock = len(p.script.records) // a bound names sets of its block
				_, err = check(t, p.script.file(), set, 1)
				if claim[0] == 0 && err != nil {
					t.Errorf("scale %d, a bound %s: %v is the smallest list: %v", scale, name, l, err)
				}
				if claim[0] == 1 && !isRefusal(err) {
					t.Errorf("scale %d, a bound %s: %v proved", scale, name, l)
				}
			}
		}
	}
}

// TestBoundsOfOnePrefixAlone has a bound of prefix 0 that closes its extension by 2,
// and one of prefix 1 that says nothing: the smallest list begins with 1 and 2.
func TestBoundsOfOnePrefixAlone(t *testing.T) {
	sample := func(of ...int) (column []bool) {
		column = make([]bool, 7)
		for _, i := range of {
			column[i] = true
		}
		return column
	}
	in := testgen.Instance{Problem: oracle.Problem{ // A, C, E have label 1; B, D, F, G label 0, of which D and G are light
		Columns: [][]bool{sample(0, 3), sample(0), sample(2, 6), sample(2, 6), sample(4), sample(4), sample(5), sample(6)},
		Labels:  []bool{true, false, true, false, true, false, false}, Weights: []int64{40, 20, 30, 1, 25, 10, 1}, Lambda: ratio.New(1, 50),
	}}
	price := uint64(in.Lambda.Num * in.Total())
	links := [][]byte{{2, 1, 2}, {2, 2, 1}} // {C, B} and {E, B}: groups A, C, E, B, F, D from 0
	record := []byte{4, 1, 0, 0, 1, 0, 0, 2}
	for _, set := range links {
		record = binary.AppendUvarint(append(record, set...), price*3/4)
	}
	for _, claim := range [][]int{{1, 2, 4}, {1, 2, 5}} {
		p := newProver(t, in, claim, 0, rand.New(rand.NewPCG(1, 1)))
		p.script.records = [][]byte{record, {4, 1, 1, 0, 0}}
		for a := range byte(8) {
			p.script.records = append(p.script.records, []byte{1, 1, a, 0})
			for b := range byte(8) {
				if b != a {
					p.script.records = append(p.script.records, []byte{1, 2, a, b, 0})
				}
			}
		}
		p.script.perBlock = len(p.script.records)
		_, err := check(t, p.script.file(), p.set, 1)
		if claim[2] == 4 && err != nil || claim[2] == 5 && !isRefusal(err) {
			t.Errorf("%v, the smallest is 1, 2, 4: %v", claim, err)
		}
	}
}
