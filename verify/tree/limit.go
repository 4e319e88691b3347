package tree

import (
	"math/big"

	"parcorels/verify/framing"
)

// At most K leaves. Records without a limit are on values for some price of a leaf. The others
// claim that all trees of n leaves on a set, none of them empty, cost at least so much. A tree
// with an empty leaf is no worse without it, and smaller. So by induction over sizes of sets all
// records hold if each follows from counts and from records on smaller sets; and the claimed
// tree is the best if no number of leaves up to K allows for a better one.

// size is what a tree costs, and its leaves.
type size struct {
	cost   int64
	leaves int
}

func sizedKey(key string, leaves int) string {
	return key + string([]byte{byte(leaves), byte(leaves >> 8), byte(leaves >> 16), byte(leaves >> 24)})
}

// holdsSized makes sure of a record on trees of so many leaves, given all that are on smaller sets.
func (c *checker) holdsSized(n *counter, r *record) bool {
	c.begin(n, r.set, r.splits)
	if r.leaves == 1 {
		return n.leaf() >= r.bound
	}
	if r.bound == 0 || r.splits == 0 {
		return true
	}
	above := far // a value that trees of so many leaves that cost less do not have
	if v := c.of(min(r.bound, far/c.unit)-1, int64(r.leaves)); r.bound < far/c.unit && v < far {
		above = v + 1
	}
	left := fewer(r.splits)
	for f := range c.columns {
		values := [2]int64{c.sideBound(n, 0, f, r.splits), c.sideBound(n, 1, f, r.splits)}
		if above < far && values[0]+values[1] >= above {
			continue
		}
		sides := [2][]uint64{c.side(r.set, f, false), c.side(r.set, f, true)}
		if empty(sides[0]) || empty(sides[1]) {
			continue // a tree with an empty leaf
		}
		keys := [2]string{key(sides[0], left), key(sides[1], left)}
		for i := range 2 {
			values[i] = max(values[i], c.known[keys[i]])
		}
		if above < far && values[0]+values[1] >= above {
			continue
		}
		for a := 1; a < r.leaves; a++ {
			if c.sideCost(n, 0, f, left, keys[0], r.leaves-a)+c.sideCost(n, 1, f, left, keys[1], a) < r.bound {
				return false
			}
		}
	}
	return true
}

// sideCost returns what is known of the cost of trees of so many leaves on a side of the counted set:
// from the counts, and from records on the side, which has a key.
func (c *checker) sideCost(n *counter, side, f, splits int, key string, leaves int) int64 {
	var counted int64
	switch {
	case leaves == 1:
		counted = n.one[side][f]
	case splits < 31 && leaves > 1<<splits:
		return far
	case leaves == 2:
		counted = n.two[side][f]
	case leaves == 3:
		counted = n.cut[side][f]
	}
	return max(counted, c.ofValue(c.known[key], leaves), c.sized[sizedKey(key, leaves)])
}

// ofValue returns the least cost of a tree of so many leaves that has at least a value.
func (c *checker) ofValue(value int64, leaves int) int64 {
	over := value - c.of(0, int64(leaves))
	if over <= 0 {
		return 0
	}
	return (over + c.unit - 1) / c.unit
}

// checkLimited makes sure that no tree of at most K leaves comes before one of the claimed size, by
// objective and leaves.
func (c *checker) checkLimited(n *counter, claimed size, splits int) error {
	h := c.header
	if claimed.leaves > h.MaxLeaves {
		return framing.Refused("the claimed tree has %d leaves, the limit is %d", claimed.leaves, h.MaxLeaves)
	}
	best := c.objective(claimed)
	if whole := c.objective(claimed); !whole.Add(whole, new(big.Int).Mul(big.NewInt(h.Lambda.Den), big.NewInt(c.total))).IsInt64() {
		return framing.Refused("the objective of the claimed tree exceeds 63 bits")
	}
	all := key(c.all, splits)
	n.begin(c.all)
	for leaves := 1; leaves <= min(h.MaxLeaves, max(c.groups, 1)); leaves++ {
		least := size{max(c.ofValue(c.known[all], leaves), c.sized[sizedKey(all, leaves)]), leaves}
		if leaves == 1 {
			least.cost = max(least.cost, n.leaf())
		}
		if o := c.objective(least).Cmp(best); o < 0 || o == 0 && leaves < claimed.leaves {
			return framing.Refused("a tree of %d leaves may be better than the claimed one: nothing shows that it costs more than %d", leaves, least.cost)
		}
	}
	return nil
}

// objective returns that of λ, less what no tree avoids.
func (c *checker) objective(s size) *big.Int {
	h := c.header
	o := new(big.Int).Mul(big.NewInt(h.Lambda.Num), big.NewInt(c.total))
	o.Mul(o, big.NewInt(int64(s.leaves)))
	return o.Add(o, new(big.Int).Mul(big.NewInt(h.Lambda.Den), big.NewInt(s.cost)))
}
