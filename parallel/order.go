package parallel

import (
	"slices"
	"sync/atomic"
	"time"

	"parcorels/trie"
)

// The order (DESIGN of the search): complete lists are compared by objective,
// then length, then antecedent indices lexicographically. It is a strict total
// order, so exactly one list is smallest, and a prefix may be dropped only if
// every completion of it is beaten by a strictly smaller list. Then no prefix
// of the smallest list is ever dropped, whatever the interleaving of the
// workers, and the same list comes back every time.

// solution is a complete list. It is immutable once published.
type solution struct {
	objective int64
	list      []uint16 // antecedent indices of the instance
	source    byte     // 'F' first incumbent, 'S' search, 'R' checkpoint resumed
	found     time.Time
}

// compare orders solutions.
func (s *solution) compare(t *solution) int {
	switch {
	case s.objective != t.objective:
		return sign(s.objective - t.objective)
	case len(s.list) != len(t.list):
		return sign(int64(len(s.list) - len(t.list)))
	}
	return slices.Compare(s.list, t.list)
}

func sign(x int64) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

// incumbent is the smallest solution so far. It is one pointer to an immutable
// record rather than an atomic objective beside a list: a prefix that ties
// with the incumbent is judged by its length, and an objective read from one
// solution with a length from another could drop the optimum.
type incumbent struct {
	_    [64]byte
	best atomic.Pointer[solution]
	_    [56]byte
}

func (in *incumbent) load() *solution { return in.best.Load() }

// offer replaces the incumbent if s is smaller. Nobody else may know s yet.
func (in *incumbent) offer(s *solution) bool {
	for {
		old := in.best.Load()
		if old != nil && s.compare(old) >= 0 {
			return false
		}
		s.found = time.Now() // improvements are few
		interleave()
		if in.best.CompareAndSwap(old, s) {
			return true
		}
	}
}

// path writes the columns of the prefix id, first rule first, to buf.
func (s *search) path(id trie.ID, buf []uint16) []uint16 {
	n := s.arena.Node(id)
	buf = slices.Grow(buf[:0], int(n.Depth)+1)[:n.Depth]
	for id != trie.Root {
		buf[n.Depth-1] = n.Antecedent
		id = n.Parent
		n = s.arena.Node(id)
	}
	return buf
}

// lexLess compares the antecedent indices of two prefixes given as columns.
func (p *problem) lexLess(a, b []uint16) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return p.names[a[i]] < p.names[b[i]]
		}
	}
	return len(a) < len(b)
}
