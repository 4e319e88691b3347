package search

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
	"parcorels/rules"
	"parcorels/verify"
)

// boundProof returns a proof that rests on bounds of prefixes, with no look-ahead
// and few other prunings that would do their work.
func boundProof(t *testing.T, in testgen.Instance, rng *rand.Rand) (*rules.Set, []byte) {
	t.Helper()
	without := pick(rng, []problem.Prunings{0, problem.Incumbent | problem.LookAhead, problem.LookAhead | problem.Similar})
	o := Separated(Options{Lambda: in.Lambda, Workers: 1 + rng.IntN(2), Without: without})
	set := in.Set()
	_, proof, err := prove(set, o)
	if err != nil {
		t.Fatal(err)
	}
	return set, proof
}

// altered returns a proof with other records or another claim, and checksums and
// seal as they should be. The list of a claim may be nil: it stays.
func altered(file []byte, change func(records []byte), list *oracle.List) []byte {
	blocks := prooftamper.Blocks(file)
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case 'R':
			change(b.Payload)
		case 'Z':
			b.Payload = reclaimed(b.Payload, list)
		}
	}
	return prooftamper.File(file[:12], blocks)
}

// reclaimed returns a claim of another list, with the counts of this one.
func reclaimed(claim []byte, list *oracle.List) []byte {
	if list == nil {
		return claim
	}
	rules, n := binary.Uvarint(claim)
	at := n
	for range rules {
		_, n = binary.Uvarint(claim[at:])
		at += n
	}
	at += int(rules) + 1
	_, n = binary.Uvarint(claim[at:])
	counts := claim[at+n:]
	b := binary.AppendUvarint(nil, uint64(len(list.Antecedents)))
	for _, a := range list.Antecedents {
		b = binary.AppendUvarint(b, uint64(a))
	}
	for _, one := range append(slices.Clone(list.Predict), list.Default) {
		b = append(b, map[bool]byte{true: 1}[one])
	}
	return append(binary.AppendUvarint(b, uint64(list.Errors)), counts...)
}

// TestBoundMutants alters bytes of proofs that rest on bounds of prefixes, claims
// other lists, or does both. A mutant may pass, as not all records are needed and
// other bounds hold as well; but never with a list that is not the smallest.
func TestBoundMutants(t *testing.T) {
	t.Parallel()
	generators := []testgen.Generator{testgen.Small, testgen.Ties, testgen.Nearly}
	var passed, refused, wrong, bounds int
	seeds(t, 400, func(seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 43))
		in := pick(rng, generators)(seed)
		smallest := best(t, in)
		set, file := boundProof(t, in, rng)
		v, err := checkProof(file, set, 1)
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, in)
		}
		bounds += int(v.Bounds)
		for range 40 {
			var claim *oracle.List
			if rng.IntN(2) == 0 {
				if l, err := in.Evaluate(rng.Perm(len(in.Columns))[:min(len(in.Columns), rng.IntN(4))]); err == nil {
					claim = &l
				}
			}
			mutant := altered(file, func(b []byte) {
				for range rng.IntN(3) {
					b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
				}
			}, claim)
			got, err := checkProof(mutant, set, 1)
			switch {
			case err != nil && !errors.Is(err, verify.ErrRefused):
				t.Fatalf("seed %d: %v", seed, err)
			case err != nil:
				refused++
			case got.Objective != smallest.Objective || !slices.Equal(antecedents(Result{Rules: got.Rules}), smallest.Antecedents):
				t.Fatalf("seed %d: %v verified, %v is smaller\n%v", seed, got.Rules, smallest, in)
			default:
				passed++
			}
			if claim != nil && smallest.Less(*claim) {
				wrong++
			}
		}
	})
	t.Logf("%d mutants refused, %d passed; %d claimed a list that is not the smallest; %d bounds", refused, passed, wrong, bounds)
	if passed == 0 || refused == 0 || wrong == 0 || bounds == 0 {
		t.Errorf("%d refused, %d passed, %d wrong claims, %d bounds: this shows nothing", refused, passed, wrong, bounds)
	}
}
