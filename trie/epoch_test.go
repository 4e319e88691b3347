package trie

import "testing"

// TestEveryReaderHoldsTheEpoch: whichever worker is pinned, the epoch passes it
// once and no more until it unpins.
func TestEveryReaderHoldsTheEpoch(t *testing.T) {
	const workers = 3
	for reader := range workers {
		a := NewArena(workers, func(int64) bool { return true })
		h := a.Handle((reader + 1) % workers)
		a.Handle(reader).Pin()
		stamp := h.Epoch()
		for range 5 {
			h.Pin()
			passed := h.Passed(stamp)
			h.Unpin()
			if passed || h.Epoch() > stamp+1 {
				t.Fatalf("epoch %d while worker %d is pinned since %d", h.Epoch(), reader, stamp)
			}
		}
		a.Handle(reader).Unpin()
		for range 5 {
			h.Pin()
			h.Passed(stamp)
			h.Unpin()
		}
		if !h.Passed(stamp) {
			t.Errorf("epoch %d although nobody has been pinned since %d", h.Epoch(), stamp)
		}
	}
}
