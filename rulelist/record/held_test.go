package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/cases"
	"parcorels/parallel"
)

// TestHeldWriter: whatever fails in between, what arrives is what was written, in
// order, and what waits is counted.
func TestHeldWriter(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 50))
		var budget parallel.Budget
		to := &cases.Moody{Rng: rng}
		h := newHeldWriter(to, &budget)
		var want []byte
		for range 50 {
			if to.Full = rng.IntN(3) == 0; rng.IntN(4) == 0 {
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
		to.Full = false
		if err := h.retry(); err != nil || !bytes.Equal(to.Bytes(), want) {
			t.Fatalf("seed %d: %v, %d bytes arrived of %d", seed, err, to.Len(), len(want))
		}
	}
}

// TestHeldWriterGivesUp: no more waits than a share of the budget.
func TestHeldWriterGivesUp(t *testing.T) {
	budget := parallel.Budget{Limit: 100 * heldShare}
	to := &cases.Moody{Rng: rand.New(rand.NewPCG(1, 51)), Full: true}
	h := newHeldWriter(to, &budget)
	for i := range 1000 {
		_, err := h.Write(make([]byte, 10))
		if budget.Used() > 100 {
			t.Fatalf("%d bytes wait", budget.Used())
		}
		if errors.Is(err, cases.ErrFull) {
			if i < 5 || budget.Used() != 0 {
				t.Errorf("given up after %d writes with %d bytes held", i, budget.Used())
			}
			return
		}
	}
	t.Error("never given up")
}
