package search

import (
	"bytes"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/save"
)

// moody is a file that is full at times.
type moody struct{ cases.Moody }

// Truncate and Sync, with Read, make moody a ProofFile of a search that begins anew.
func (m *moody) Truncate(int64) error { return nil }
func (m *moody) Sync() error          { return nil }

// TestProofRecovers: while the proof cannot be written no checkpoint is saved over
// the last that has it; once it can, checkpoints with their proof go on; and the
// proof is the one of a search to which nothing happened.
func TestProofRecovers(t *testing.T) {
	t.Parallel()
	recovered := 0
	for seed := range uint64(20) {
		calm, steps, _ := proveInSteps(t, seed, func(int) bool { return false })
		for from := 2; from < 6; from++ {
			for to := from; to < 9; to++ {
				proof, _, saves := proveInSteps(t, seed, func(step int) bool { return from <= step && step < to })
				if !bytes.Equal(proof, calm) {
					t.Fatalf("seed %d: full from step %d to %d, the proof has %d bytes, want %d", seed, from, to, len(proof), len(calm))
				}
				if from < to && to <= steps {
					if recovered++; slices.Max(saves) < to {
						t.Fatalf("seed %d: full from step %d to %d, saved at %v", seed, from, to, saves)
					}
				}
			}
		}
	}
	if recovered < 100 {
		t.Errorf("the disk was full for a while in %d searches only", recovered)
	}
}

// proveInSteps searches with one worker, and asks for a checkpoint every few
// prefixes, at which the disk is full or not. It returns the proof and the steps at
// which checkpoints were saved.
func proveInSteps(t *testing.T, seed uint64, full func(step int) bool) (proof []byte, steps int, saves []int) {
	t.Helper()
	in := reduced(t, testgen.Knotty(seed))
	file := &moody{cases.Moody{Rng: rand.New(rand.NewPCG(seed, 52))}}
	step := 0
	o := Options{Lambda: testgen.Knotty(seed).Lambda, Workers: 1,
		Without: problem.Incumbent | problem.LookAhead | problem.Similar | problem.Separation, Proof: &Proof{File: file}}
	var s *search
	o.Checkpoint = &save.Checkpoint{Save: func(func(io.Writer) error) error {
		if m := s.proof.Mark(); m.Bytes != int64(file.Len()) || m.Hash != sha256.Sum256(file.Bytes()) {
			t.Fatalf("seed %d: saved with a proof of %d bytes, there are %d", seed, m.Bytes, file.Len())
		}
		saves = append(saves, step)
		return nil
	}}
	p := laidOut(t, in, o)
	s = newSearch(p, o.withDefaults())
	s.proof = s.newProof()
	if !s.build() {
		t.Fatal("no memory")
	}
	s.begin()
	w := newWorker(s, 0)
	s.workers[0] = w
	for done := 0; ; done++ {
		if done%3 == 0 {
			step++
			file.Full = full(step)
			s.saver.save()
		}
		id, ok := w.queue.Next(parallel.Nothing)
		if !ok {
			break
		}
		w.process(id)
	}
	file.Full = false
	if r := s.result(s.queue.Status(), 0); r.Status != parallel.Optimal || r.ProofErr != nil {
		t.Fatalf("seed %d: status %v, %v", seed, r.Status, r.ProofErr)
	}
	return file.Bytes(), step, saves
}
