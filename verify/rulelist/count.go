package rulelist

import "math/bits"

// The loops over groups. A set of groups is a bit a group.

// countSome sets counts to the costs, for each of some antecedents, of the
// groups in a∩b that satisfy it; others may be overwritten. It goes through what
// each group satisfies or through what each antecedent captures, whichever is
// less.
func (g *groups) countSome(some []int, a, b []uint64, counts []gains) {
	if size(a, b)*len(g.satisfied) <= len(some)*g.effort*len(g.share) {
		g.countLists(a, b, counts)
		return
	}
	for _, s := range some {
		counts[s] = g.count(a, b, g.captured[s])
	}
}

// countLists does so for all antecedents.
func (g *groups) countLists(a, b []uint64, counts []gains) {
	clear(counts)
	for k, w := range a {
		for w &= b[k]; w != 0; w &= w - 1 {
			i := k<<6 + bits.TrailingZeros64(w)
			share, heavy := g.share[i], g.heavy[i]&1
			for _, s := range g.at(i) {
				counts[s][heavy] += share
			}
		}
	}
}

// count returns the costs of the groups in a∩b∩c.
func (g *groups) count(a, b, c []uint64) (sum gains) {
	for _, s := range g.segments {
		a, b, c := a[s.from:s.to], b[s.from:s.to], c[s.from:s.to]
		if s.share == 0 {
			for k, w := range a {
				sum = g.countMixed(s.from+k, w&b[k]&c[k], sum)
			}
			continue
		}
		n := 0
		for k, w := range a {
			n += bits.OnesCount64(w & b[k] & c[k])
		}
		sum[s.heavy&1] += s.share * int64(n)
	}
	return sum
}

// countAnd returns the costs of the groups in a∩b.
func (g *groups) countAnd(a, b []uint64) gains { return g.count(a, b, b) }

// countMixed adds the costs of the groups in word k of a set.
func (g *groups) countMixed(k int, w uint64, sum gains) gains {
	for ; w != 0; w &= w - 1 {
		i := k<<6 + bits.TrailingZeros64(w)
		sum[g.heavy[i]&1] += g.share[i]
	}
	return sum
}

// size returns how many groups are in a∩b.
func size(a, b []uint64) (n int) {
	for k, w := range a {
		n += bits.OnesCount64(w & b[k])
	}
	return n
}

// remove makes to the set a without b.
func remove(to, a, b []uint64) {
	for k, w := range a {
		to[k] = w &^ b[k]
	}
}

// intersect makes to the set a∩b.
func intersect(to, a, b []uint64) {
	for k, w := range a {
		to[k] = w & b[k]
	}
}
