package trie

import "testing"

// lists returns every list of nodes that are not in use. Nobody works.
func (a *Arena) lists() (all []freeList) {
	all = append(all, a.pool...)
	for i := range a.handles {
		h := &a.handles[i]
		all = append(all, h.free)
		for _, b := range h.bags {
			all = append(all, b.freeList)
		}
	}
	return all
}

// checkConserved walks all lists: with the nodes in use they are all nodes,
// each once. Nobody works. It returns which nodes are in use.
func checkConserved(t *testing.T, a *Arena, inUse int) (used []bool) {
	t.Helper()
	used = make([]bool, a.chunks*chunkLen)
	for i := range used {
		used[i] = true
	}
	left := len(used)
	for _, f := range a.lists() {
		id := f.head
		for range f.count {
			if !used[id] {
				t.Fatalf("node %d is free twice", id)
			}
			used[id] = false
			left--
			id = a.Node(id).next(id)
		}
	}
	if left != inUse {
		t.Fatalf("%d of %d nodes are in use, want %d", left, len(used), inUse)
	}
	return used
}

// retired is how many nodes were ever retired: each retirement is a generation. The root begins with the first.
func (a *Arena) retiredTotal() (n int64) {
	for id := range a.chunks * chunkLen {
		n += int64(a.Node(ID(id)).generation.Load())
	}
	return n - 1
}
