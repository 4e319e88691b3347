package trie

import (
	"testing"
	"unsafe"
)

const cacheLine = 64

func TestNodeSize(t *testing.T) {
	if size := unsafe.Sizeof(Node{}); size != NodeBytes || size > 32 {
		t.Errorf("a node takes %d bytes, NodeBytes says %d, 32 are allowed", size, NodeBytes)
	}
	if size := unsafe.Sizeof(chunk{}); size != chunkBytes {
		t.Errorf("a chunk takes %d bytes, chunkBytes says %d", size, chunkBytes)
	}
}

// Two fields whose addresses differ by a cache line or more never share one.
func TestPadding(t *testing.T) {
	var h Handle
	if own := unsafe.Offsetof(h.seen) + unsafe.Sizeof(h.seen); unsafe.Offsetof(h.pinned) < own+cacheLine-1 {
		t.Errorf("pinned, which others read, may share a cache line with what its worker writes")
	}
	if unsafe.Sizeof(h)-unsafe.Offsetof(h.pinned) < cacheLine {
		t.Errorf("pinned may share a cache line with the next worker's handle")
	}
	var a Arena
	if unsafe.Offsetof(a.handles)-unsafe.Offsetof(a.epoch) < cacheLine {
		t.Errorf("the epoch may share a cache line with the handles")
	}
}

func TestRefs(t *testing.T) {
	a := NewArena(1, func(int64) bool { return true })
	h := a.Handle(0)
	h.Pin()
	if a.Ref(Root) == 0 {
		t.Error("the root's reference is the one that names none")
	}
	id, _ := h.New(Root, 7, 1, 1, 2)
	r := a.Ref(id)
	if r>>63 != 0 {
		t.Error("the top bit is not free for a mark")
	}
	if n := a.Resolve(r); n != a.Node(id) || n.Antecedent != 7 || n.Cost != 1 || n.Bound != 2 || n.Depth != 1 ||
		n.Parent != Root {
		t.Errorf("reference resolves to %v", n)
	}
	h.Release(id)
	if a.Resolve(r) != nil {
		t.Error("the reference of a retired node resolves")
	}
	a.Node(id).generation.Store(generationMask) // the last of the 31 bits before they wrap
	if r = a.Ref(id); r>>63 != 0 || a.Resolve(r) == nil {
		t.Error("the last generation has no reference")
	}
}

// Growth asks the budget, and a refusal leaves everything in order.
func TestBudget(t *testing.T) {
	room := int64(chunkBytes)
	a := NewArena(1, func(n int64) bool {
		if room < n {
			return false
		}
		room -= n
		return true
	})
	h := a.Handle(0)
	h.Pin()
	var ids []ID
	for {
		id, ok := h.New(Root, 0, 0, 0, 0)
		if !ok {
			break
		}
		ids = append(ids, id)
	}
	if len(ids) != 2*chunkLen-1 {
		t.Fatalf("two chunks gave %d nodes besides the root", len(ids))
	}
	if _, ok := h.New(Root, 0, 0, 0, 0); ok {
		t.Fatal("a node out of nothing")
	}
	if n := a.Node(Root).references(); n != uint32(len(ids))+1 {
		t.Fatalf("root has %d references with %d children: a refusal left one", n, len(ids))
	}
	h.Discard(ids[0])
	if id, ok := h.New(Root, 0, 0, 0, 0); !ok || id != ids[0] {
		t.Fatal("a node that was taken back is not given out again")
	}
	for _, id := range ids {
		h.Release(id)
	}
	for range 3 { // others' pins would hold it up; there are none
		h.Unpin()
		h.Pin()
		a.advance(a.epoch.Load())
	}
	checkConserved(t, a, 1)
	if _, ok := h.New(Root, 0, 0, 0, 0); !ok {
		t.Error("retired nodes are not reused")
	}
}
