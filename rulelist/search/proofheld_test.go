package search

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
)

// moody is a writer that takes a part of what it is given, or nothing, while it is
// full.
type moody struct {
	bytes.Buffer
	rng  *rand.Rand
	full bool
}

var errFull = errors.New("full")

func (m *moody) Write(b []byte) (int, error) {
	if !m.full {
		return m.Buffer.Write(b)
	}
	n, _ := m.Buffer.Write(b[:m.rng.IntN(len(b)+1)])
	return n, errFull
}

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
	file := &moody{rng: rand.New(rand.NewPCG(seed, 52))}
	step := 0
	o := Options{Lambda: testgen.Knotty(seed).Lambda, Workers: 1,
		Without: problem.Incumbent | problem.LookAhead | problem.Similar | problem.Separation, Proof: &Proof{File: file}}
	var s *search
	o.Checkpoint = &Checkpoint{Save: func(func(io.Writer) error) error {
		if m := s.proof.mark(); m.bytes != int64(file.Len()) || m.hash != sha256.Sum256(file.Bytes()) {
			t.Fatalf("seed %d: saved with a proof of %d bytes, there are %d", seed, m.bytes, file.Len())
		}
		saves = append(saves, step)
		return nil
	}}
	p, err := laidOutProblem(in, o)
	if err != nil {
		t.Fatal(err)
	}
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
			file.full = full(step)
			s.saver.save()
		}
		id, ok := w.queue.Next(parallel.Nothing)
		if !ok {
			break
		}
		w.process(id)
	}
	file.full = false
	if r := s.result(s.queue.Status(), 0); r.Status != parallel.Optimal || r.ProofErr != nil {
		t.Fatalf("seed %d: status %v, %v", seed, r.Status, r.ProofErr)
	}
	return file.Bytes(), step, saves
}

// TestHeldWriter: whatever fails in between, what arrives is what was written, in
// order, and what waits is counted.
func TestHeldWriter(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 50))
		var budget parallel.Budget
		to := &moody{rng: rng}
		h := newHeldWriter(to, &budget)
		var want []byte
		for range 50 {
			if to.full = rng.IntN(3) == 0; rng.IntN(4) == 0 {
				if err := h.retry(); (err == nil) != (h.err == nil) || err == nil && budget.Used() > 0 {
					t.Fatalf("seed %d: retry %v, %v, %d bytes", seed, err, h.err, budget.Used())
				}
			}
			b := make([]byte, rng.IntN(20))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			if n, err := h.Write(b); n != len(b) || err != nil {
				t.Fatalf("seed %d: wrote %d of %d bytes: %v", seed, n, len(b), err)
			}
			want = append(want, b...)
			if got := int64(to.Len()) + budget.Used(); got != int64(len(want)) || budget.Used() != h.bytes {
				t.Fatalf("seed %d: %d bytes there or held, %d written", seed, got, len(want))
			}
		}
		to.full = false
		if err := h.retry(); err != nil || !bytes.Equal(to.Bytes(), want) {
			t.Fatalf("seed %d: %v, %d bytes arrived of %d", seed, err, to.Len(), len(want))
		}
	}
}

// TestHeldWriterGivesUp: no more waits than a share of the budget.
func TestHeldWriterGivesUp(t *testing.T) {
	budget := parallel.Budget{Limit: 100 * heldShare}
	to := &moody{rng: rand.New(rand.NewPCG(1, 51)), full: true}
	h := newHeldWriter(to, &budget)
	for i := range 1000 {
		_, err := h.Write(make([]byte, 10))
		if budget.Used() > 100 {
			t.Fatalf("%d bytes wait", budget.Used())
		}
		if errors.Is(err, errFull) {
			if i < 5 || budget.Used() != 0 {
				t.Errorf("given up after %d writes with %d bytes held", i, budget.Used())
			}
			return
		}
	}
	t.Error("never given up")
}
