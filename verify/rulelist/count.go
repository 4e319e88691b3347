package rulelist

import "math/bits"

// The loops over groups. A set of groups is a bit a group.

// runEffort is how many words a run is like.
const runEffort = 3

// countSome sets sums to those, for each of some antecedents, of the groups in a∩b
// that satisfy it; others may be overwritten. It goes through what each group satisfies
// or through what each antecedent captures, whichever is less.
func (g *groups) countSome(some []int, a, b []uint64, sums []int64) {
	if size(a, b)*len(g.satisfied) <= len(some)*(len(g.all)+runEffort*len(g.runs))*len(g.losses) {
		g.countLists(a, b, sums)
		return
	}
	for _, s := range some {
		g.count(g.at(sums, s), a, b, g.captured[s])
	}
}

// countLists does so for all antecedents.
func (g *groups) countLists(a, b []uint64, sums []int64) {
	clear(sums)
	numbers := g.numbers
	for k, w := range a {
		for w &= b[k]; w != 0; w &= w - 1 {
			i := k<<6 + bits.TrailingZeros64(w)
			list := g.list(i)
			for _, x := range g.losses[i] {
				for _, s := range list {
					sums[int(s)*numbers+x.at] += x.is
				}
			}
		}
	}
}

// count sets sum to that of the groups in a∩b∩c.
func (g *groups) count(sum []int64, a, b, c []uint64) []int64 {
	clear(sum)
	for i := range g.runs {
		r := &g.runs[i]
		a, b, c, n := a[r.from:r.to], b[r.from:r.to], c[r.from:r.to], 0
		for k, w := range a {
			n += bits.OnesCount64(w & b[k] & c[k] & r.mask)
		}
		for _, x := range r.losses {
			sum[x.at] += x.is * int64(n)
		}
	}
	return sum
}

// countAnd sets sum to that of the groups in a∩b.
func (g *groups) countAnd(sum []int64, a, b []uint64) []int64 { return g.count(sum, a, b, b) }

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
