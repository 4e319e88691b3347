package search

import (
	"cmp"
	"slices"
	"time"

	"parcorels/internal/invariants"
	"parcorels/trie"
)

// The order: complete lists are compared by objective,
// then length, then antecedent indices lexicographically. It is a strict total
// order, so exactly one list is smallest, and a prefix may be dropped only if
// every completion of it is beaten by a strictly smaller list. Then no prefix
// of the smallest list is ever dropped, whatever the interleaving of the
// workers, and the same list comes back every time.

// solution is a complete list. It is immutable once published.
type solution struct {
	objective int64
	list      []antecedent // antecedent indices of the instance
	step      int64        // no other list is as good but those that are better by so much; 0: not known (known.go)
	source    byte         // 'F' first incumbent, 'S' search, 'R' checkpoint resumed
	found     time.Time
}

// Better reports whether s comes before t in the order.
func (s solution) Better(t *solution) bool { return s.compare(t) < 0 }

// compare orders solutions.
func (s *solution) compare(t *solution) int {
	switch {
	case s.objective != t.objective:
		return cmp.Compare(s.objective, t.objective)
	case len(s.list) != len(t.list):
		return cmp.Compare(len(s.list), len(t.list))
	}
	return slices.Compare(s.list, t.list)
}

// offer makes a list the incumbent if it is smaller, and reports whether it is.
func (s *search) offer(n *solution) bool {
	n.found = time.Now() // lists that are worth an offer are few
	if invariants.On && s.p.evaluate(n.list).objective != n.objective {
		panic("search: a list does not have the objective that it was offered with")
	}
	if s.reached != nil && n.objective <= s.target {
		s.reached()
	}
	return s.incumbent.Offer(n)
}

// offerColumns offers the list of the columns prefix+more.
func (s *search) offerColumns(objective int64, prefix []column, more ...column) {
	n := &solution{objective: objective, source: 'S', list: make([]antecedent, 0, len(prefix)+len(more))}
	for _, col := range prefix {
		n.list = append(n.list, s.p.antecedents[col])
	}
	for _, col := range more {
		n.list = append(n.list, s.p.antecedents[col])
	}
	s.offer(n)
}

// path writes the columns of the prefix id, first rule first, to buf.
func (x *shared) path(id trie.ID, buf []column) []column {
	n := x.arena.Node(id)
	buf = slices.Grow(buf[:0], int(n.Depth)+1)[:n.Depth]
	for id != trie.Root {
		buf[n.Depth-1] = column(n.Antecedent)
		id = n.Parent
		n = x.arena.Node(id)
	}
	return buf
}

// lexLess compares the antecedent indices of two prefixes given as columns.
func (p *problem) lexLess(a, b []column) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return p.antecedents[a[i]] < p.antecedents[b[i]]
		}
	}
	return len(a) < len(b)
}
