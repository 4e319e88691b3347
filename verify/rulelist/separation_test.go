package rulelist_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/search"
)

// TestBoundsAreChecked alters the bounds of proofs: weaker ones no longer show what
// was left out, and larger weights cost more than they bring.
func TestBoundsAreChecked(t *testing.T) {
	altered, refused := 0, 0
	for seed := range uint64(16) {
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
	if altered == 0 || refused*3 < altered {
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
		best := must.Get(in.Best())(t)
		list := must.Get(in.Evaluate(randomPrefix(rng, len(in.Columns))))(t)
		if !best.Less(list) {
			continue
		}
		tried++
		p := prove(t, in, nil, 0, rng)
		s := p.script
		s.claims(list)
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
