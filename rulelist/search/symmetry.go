package search

import (
	"slices"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// Pruning 4: equal remaining sets (Theorem 15; the permutation bound,
// Corollary 16, is the special case of equal sets of antecedents).
//
// Let prefixes A and B leave the same points, with (cost, length, antecedents
// lexicographically) of A smaller than that of B. Whatever completes B
// completes A to the same errors behind the prefix, so the completed A has a
// smaller objective, or the same with fewer rules, or the same with as many
// rules and lexicographically smaller: it is strictly smaller. (A rule of the
// completion that is in A already captures nothing there; dropping it makes
// the list smaller still.) So B may be dropped, whether A is alive or not.
//
// The map (parallel.KeyMap) keeps the smallest prefix of each remaining set. A
// prefix that it displaces is killed, with everything below it.

// symmetryMap holds the smallest prefix of each remaining set.
type symmetryMap = parallel.KeyMap[trie.Ref]

// claim is a prefix that asks for its place in the symmetry map. It compares
// itself with the present holder.
type claim struct {
	p      *problem.Problem
	arena  *trie.Arena
	cost   int64
	depth  int
	prefix []problem.Column // columns
	other  []problem.Column // buffer
	holder trie.Ref         // that the claim was last compared with
}

// Against compares the claim with the prefix that r names. The caller is
// pinned.
func (c *claim) Against(r trie.Ref) parallel.Verdict {
	c.holder = r
	n := c.arena.Resolve(r)
	if n == nil {
		return parallel.Stale
	}
	switch {
	case n.Cost != c.cost:
		return parallel.WinsIf(c.cost < n.Cost)
	case int(n.Depth) != c.depth:
		return parallel.WinsIf(c.depth < int(n.Depth))
	}
	c.other = trie.Path(c.arena, trie.ID(r), c.other)
	return parallel.WinsIf(c.p.LexLess(c.prefix, c.other))
}

// same reports whether the holder that the claim was last compared with is the
// prefix itself.
func (c *claim) same() bool {
	n := c.arena.Resolve(c.holder)
	if n == nil || n.Cost != c.cost || int(n.Depth) != c.depth {
		return false
	}
	c.other = trie.Path(c.arena, trie.ID(c.holder), c.other)
	return slices.Equal(c.prefix, c.other)
}

// symmetryKey returns the key of a prefix of so many rules that leaves a set with hash k.
// Where lists are limited each length has a key of its own (limit.go).
func symmetryKey(p *problem.Problem, mode Symmetry, k bitvec.Key, prefix []problem.Column, depth int) bitvec.Key {
	switch {
	case mode == Permutation:
		return bitvec.HashMembers(prefix)
	case p.Limited:
		k.Hi += uint64(depth) * 0x9e3779b97f4a7c15
	}
	return k
}
