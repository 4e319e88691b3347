//go:build race

package trie

import (
	"testing"

	"parcorels/loop/interleave"
)

// TestRetireBetweenItsSteps lets the epoch move, and a reader pin itself and
// look, at each step of a retirement in turn: a reader that still finds the
// node keeps it from being reused.
func TestRetireBetweenItsSteps(t *testing.T) {
	for step := range 8 {
		a := NewArena(3, func(int64) bool { return true })
		h, reader, third := a.Handle(0), a.Handle(1), a.Handle(2)
		h.Pin()
		id, _ := h.New(Root, 0, 0, 1, 0)
		r := a.Ref(id)
		var found *Node
		reached := interleave.Suspend(step, func() {
			a.advance(a.epoch.Load())
			reader.Pin()
			found = a.Resolve(r)
		})
		h.Release(id)
		if !reached() {
			if step == 0 {
				t.Fatal("nothing stands between the steps of a retirement")
			}
			return // every step was tried
		}
		for range 6 {
			h.Unpin()
			third.Pin()
			a.advance(a.epoch.Load())
			third.Unpin()
			h.Pin()
			if found != nil && a.free(id) {
				t.Fatalf("step %d: a node may be reused while a pinned reader holds it", step)
			}
		}
		reader.Unpin()
	}
	t.Fatal("the loop has fewer rounds than a retirement steps")
}

// free reports whether New may give a node out.
func (a *Arena) free(id ID) bool {
	lists := append([]freeList(nil), a.pool...)
	for i := range a.handles {
		lists = append(lists, a.handles[i].free)
	}
	for _, f := range lists {
		at := f.head
		for range f.count {
			if at == id {
				return true
			}
			at = a.Node(at).next(at)
		}
	}
	return false
}
