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
		stamp := a.epoch.Load()
		advance := func() uint64 {
			h.Pin()
			a.advance(a.epoch.Load())
			h.Unpin()
			return a.epoch.Load()
		}
		for range 5 {
			if now := advance(); now > stamp+1 {
				t.Fatalf("epoch %d while worker %d is pinned since %d", now, reader, stamp)
			}
		}
		a.Handle(reader).Unpin()
		for range 5 {
			advance()
		}
		if now := a.epoch.Load(); now < stamp+2 {
			t.Errorf("epoch %d although nobody has been pinned since %d", now, stamp)
		}
	}
}
