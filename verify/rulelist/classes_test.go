package rulelist_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/prooftamper"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
	"parcorels/rules"
	verifylist "parcorels/verify/rulelist"
)

// TestClassProofs checks what the solver writes about tables of several classes, and that a proof
// that was changed and sealed again is refused, or is still one of the smallest list. Those of lists of at most three rules
// have one record.
func TestClassProofs(t *testing.T) {
	t.Parallel()
	for name, counted := range map[string]bool{"searched": false, "counted": true} {
		t.Run(name, func(t *testing.T) { testClassProofs(t, counted) })
	}
}

func testClassProofs(t *testing.T, counted bool) {
	t.Parallel()
	records, refused, accepted, forged := int64(0), 0, 0, 0
	for seed := range uint64(testgen.Few(cases.Count(3000))) {
		rng := rand.New(rand.NewPCG(seed, 62))
		p := testgen.Classes(rng)
		if counted {
			p.Depth = 1 + rng.IntN(3)
		}
		set, want := testgen.ClassSet(&p), p.BestList()
		o := ways(seed)[0]
		o.Memory, o.Without = 0, problem.Incumbent|problem.Prunings(rng.Uint64())&problem.AllPrunings()
		if counted {
			o = search.Options{Workers: o.Workers}
		}
		o.Lambda, o.MaxRules = ratio.New(p.Num, p.Den), max(p.Depth, 0)
		file, r := solved(t, set, o)
		if r.Status != parallel.Optimal {
			t.Fatal(r.Status)
		}
		v, err := check(t, file, set, 1+int(seed%3))
		if err != nil {
			t.Fatalf("seed %d: %v\n%+v\n%+v", seed, err, o, p)
		}
		if err := provesClasses(v, want); err != nil || v.Records != r.Stats.ProofRecords || counted && v.Records > 1 {
			t.Fatalf("seed %d: %v, %d records of %d", seed, err, v.Records, r.Stats.ProofRecords)
		}
		records += v.Records
		if len(want.Antecedents) > 0 {
			if _, err := check(t, claimEmpty(&p, file, r.Stats.ProofRecords), set, 1); !isRefusal(err) {
				t.Fatalf("seed %d: the empty list as the smallest: %v\n%+v", seed, err, p)
			}
			forged++
		}
		n, err := changeClasses(t, rng, file, set, &o, want)
		if accepted, refused = accepted+n, refused+mutants-n; err != nil {
			t.Fatalf("seed %d: a changed proof is accepted, and %v\n%+v", seed, err, p)
		}
	}
	t.Logf("%d records; of changed proofs %d refused, %d accepted", records, refused, accepted)
	if refused < 5*accepted || records == 0 || forged == 0 {
		t.Error("hardly a changed proof is refused, or there is nothing to change")
	}
}

// claimEmpty returns a proof with the empty list as its claim.
func claimEmpty(p *oracle.TreeProblem, proof []byte, records int64) []byte {
	empty := oracle.TreeProblem{Classes: p.Classes, K: p.K, Weights: p.Weights, Num: p.Num, Den: 1}
	l := empty.BestList()
	blocks := prooftamper.Blocks(proof)
	claim := binary.AppendUvarint([]byte{0, byte(l.Labels[0])}, uint64(l.Objective))
	claim = binary.AppendUvarint(claim, uint64(len(blocks)-2))
	blocks[len(blocks)-1].Payload = binary.AppendUvarint(claim, uint64(records))
	return prooftamper.File(proof[:12], blocks)
}

// mutants is how many changed proofs changeClasses looks at.
const mutants = 4

// changeClasses changes a proof and checks it, several times. It returns how many are accepted, and an error if one of these is about
// the same question and wrong.
func changeClasses(t *testing.T, rng *rand.Rand, proof []byte, set *rules.Set, o *search.Options,
	want oracle.ClassList) (accepted int, _ error) {
	t.Helper()
	for range mutants {
		v, err := check(t, prooftamper.Mutate(rng, proof), set, 1)
		if err != nil {
			continue
		}
		accepted++
		if err := provesClasses(v, want); err != nil && v.Lambda == o.Lambda && v.MaxRules == o.MaxRules {
			return accepted, err
		}
	}
	return accepted, nil
}

// provesClasses compares what was verified with the smallest list.
func provesClasses(v verifylist.Result, want oracle.ClassList) error {
	var list, labels []int
	for _, r := range v.Rules {
		list, labels = append(list, r.Antecedent), append(labels, r.Class)
	}
	if v.Objective != want.Objective || !slices.Equal(list, want.Antecedents) || !slices.Equal(append(labels, v.Default), want.Labels) {
		return fmt.Errorf("%v, labels %v, default %d, objective %d; the optimum is %+v", list, labels, v.Default, v.Objective, want)
	}
	return nil
}
