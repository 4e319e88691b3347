package rulelist_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/search"
	"parcorels/verify/framing"
)

// TestCountedProofs checks proofs of lists of at most three rules, which have one record. One that was changed and
// sealed again is refused, or is still one of the smallest list.
func TestCountedProofs(t *testing.T) {
	t.Parallel()
	refused, accepted, forged := 0, 0, 0
	for seed := range uint64(testgen.Few(cases.Count(2500))) {
		rng := rand.New(rand.NewPCG(seed, 63))
		p := testgen.Classes(rng)
		p.Depth = 1 + rng.IntN(3)
		set, want := testgen.ClassSet(&p), p.BestList()
		o := search.Options{Lambda: ratio.New(p.Num, p.Den), MaxRules: p.Depth, Workers: 1 + int(seed%3)}
		file, r := solved(t, set, o)
		if r.Status != parallel.Optimal {
			t.Fatal(r.Status)
		}
		v, err := check(t, file, set, 1+int(seed%2))
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, p)
		}
		if err := provesClasses(v, want); err != nil || v.Records > 1 {
			t.Fatalf("seed %d: %v, %d records", seed, err, v.Records)
		}
		if len(want.Antecedents) > 0 {
			_, err := check(t, claimEmpty(&p, file, r.Stats.ProofRecords), set, 1)
			if !errors.Is(err, framing.ErrRefused) {
				t.Fatalf("seed %d: the empty list as the smallest: %v\n%+v", seed, err, p)
			}
			forged++
		}
		n, err := changeClasses(t, rng, file, set, &o, want)
		if accepted, refused = accepted+n, refused+mutants-n; err != nil {
			t.Fatalf("seed %d: a changed proof is accepted, and %v\n%+v", seed, err, p)
		}
	}
	t.Logf("of changed proofs %d refused, %d accepted", refused, accepted)
	if refused < 5*accepted || forged == 0 {
		t.Error("hardly a changed proof is refused, or there is nothing to change")
	}
}

// TestCountedLists adds the record that lists of so many rules are counted to proofs of all lists. For up to three
// rules that is what is checked alone, whatever the limit of rules.
func TestCountedLists(t *testing.T) {
	t.Parallel()
	p := testgen.Classes(rand.New(rand.NewPCG(3, 63)))
	for _, c := range []struct{ most, rules, counted int }{
		{0, 0, -1}, {0, 1, 1}, {0, 3, 3}, {0, 4, -1}, {4, 4, -1}, {4, 3, 3}, {4, 1, 1}, {2, 2, 0}, {2, 1, 1}, {2, 3, 0},
	} {
		p.Num, p.Den, p.Depth = 1, 10, c.most
		set := testgen.ClassSet(&p)
		file, r := solved(t, set, search.Options{Lambda: ratio.New(1, 10), MaxRules: c.most})
		blocks := prooftamper.Blocks(file)
		last := len(blocks) - 1
		counted := prooftamper.Block{Kind: 'R', Payload: []byte{5, byte(c.rules)}}
		old := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(last-1)), uint64(r.Stats.ProofRecords))
		claim := bytes.TrimSuffix(blocks[last].Payload, old)
		claim = binary.AppendUvarint(binary.AppendUvarint(claim, uint64(last)), uint64(r.Stats.ProofRecords)+1)
		blocks = append(blocks[:last:last], counted, prooftamper.Block{Kind: 'Z', Payload: claim})
		v, err := check(t, prooftamper.File(file[:12], blocks), set, 1)
		if c.counted >= 0 && (err != nil || v.Counted != c.counted) ||
			c.counted < 0 && (!errors.Is(err, framing.ErrRefused) || !strings.Contains(err.Error(), "are to be counted")) {
			t.Errorf("%+v: %d, %v", c, v.Counted, err)
		}
	}
}
