package search

// This file drops a prefix for another one of the same future.
//
// What a prefix may become depends on the set that it leaves and on how many
// antecedents of each cardinality it used, and on nothing else. Let prefixes P and Q agree
// in both, and let Q add more to F, or as much and come first lexicographically (both are as
// long). Then no best list begins with P: behind Q, its rules behind P give a list that
// is better, or as good and first. If one of these rules is in Q already it captures
// nothing; as P and Q used as many antecedents of its cardinality, one of P that is
// in neither Q nor the list can take its place, which captures nothing either.
//
// The key map finds Q by a hash of both. Sets and counts are compared before anything
// is dropped: prefixes whose hashes are equal by chance do not know of each other.

import (
	"slices"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/trie"
)

// keyOf returns the key of a prefix that used u and leaves a set with hash k, and that ends with a rule of some probability.
func keyOf(k bitvec.Key, u *used, last probability) bitvec.Key {
	x := uint64(0x9e3779b97f4a7c15)
	for _, n := range u {
		x = (x ^ uint64(n)) * 0xd6e8feb86659fd93
		x ^= x >> 32
	}
	return bitvec.Key{Hi: k.Hi ^ x ^ last.num*0xe7037ed1a0b428db, Lo: k.Lo + x*0xa0761d6478bd642f + last.den*0x8ebc6af09c88c6e3}
}

// claim is a prefix that asks for its place in the key map.
type claim struct {
	s     *exact
	rules []uint16
	use   used
	sum   int64
	left  []uint64
	last  probability

	other []uint16 // buffers
	set   []uint64
}

// of makes the claim that of a frame's prefix.
func (c *claim) of(f *frame) {
	c.rules, c.use, c.sum, c.left, c.last = f.rules, f.use, f.sum, f.set, f.last
}

// Against compares the claim with the prefix that r names. The caller is pinned.
func (c *claim) Against(r trie.Ref) parallel.Verdict {
	n := c.s.arena.Resolve(r)
	if n == nil || int(n.Depth) != len(c.rules) {
		return parallel.Stale
	}
	c.other = trie.Path(c.s.arena, trie.ID(r), c.other)
	var use used
	copy(c.set, c.s.p.all)
	last := c.last
	for i, a := range c.other {
		if i == len(c.other)-1 && last.den > 0 {
			last = c.s.p.may.of(c.s.p.in.Planes.CostAnd(c.set, c.s.p.in.Columns[a]))
		}
		use[c.s.p.card[a]]++
		bitvec.AndNot(c.set, c.set, c.s.p.in.Columns[a])
	}
	switch {
	case use != c.use || last != c.last || !slices.Equal(c.set, c.left):
		return parallel.Stale // the hashes are equal by chance
	case n.Cost != c.sum:
		return parallel.WinsIf(c.sum > n.Cost)
	}
	return parallel.WinsIf(slices.Compare(c.rules, c.other) < 0)
}
