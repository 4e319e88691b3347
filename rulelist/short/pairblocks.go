package short

import (
	"math"

	"parcorels/bitvec"
	"parcorels/costs"
)

// Pairs whose counts do not fit into the memory.
//
// They are counted block by block, where a block of conditions may have a second rule. Let t follow s with label q, and let the
// default be r. With r = q, t changes nothing, so s alone is as good. Else t adds D(t\s) to what s and the default get right, with
// D = G_q − G_r. And D(t\s) is at most G_q(t), and at most D(t) + G_r(s), since t\s has at least G_r(t) − G_r(s) of r.
// The largest G_q(t) and D(t) of a block bound all its conditions. A block that is left out raises R_1 to its bound.
// (ticdata, 64,124 conditions: 6% of the blocks are counted, 254 CPU s become 20.)

// pairsInBlocks looks at all lists of two rules, and keeps no row. Groups of blocks are looked at before their blocks.
func (c *table[T]) pairsInBlocks() bool {
	const size = group * bitvec.Lanes
	classes := c.classes * c.classes
	most, mostOfGroup := c.mostIn(bitvec.Lanes), c.mostIn(size)
	return c.s.eachFirst(2, (c.n+together-1)/together, func() func(int) {
		row, need := make([]T, c.size()), [together]int64{}
		var counts [together]*costs.Counts
		for i := range counts {
			counts[i] = c.costs.NewCounts(c.width)
		}
		return func(g int) {
			first := g * together
			last := min(first+together, c.n)
			for s := first; s < last; s++ {
				counts[s-first].Begin(c.columns[s])
				need[s-first] = c.need(2, s)
			}
			for from := 0; from < c.n; from += size {
				for s := first; s < last; s++ {
					if !c.mayFollow(mostOfGroup[from/size*classes:], s, need[s-first]) {
						continue
					}
					for at := from; at < min(from+size, c.n); at += bitvec.Lanes {
						b := at / bitvec.Lanes
						if c.mayFollow(most[b*classes:], s, need[s-first]) {
							c.countBlocks(counts[s-first], b, b+1, row)
							c.pairs(s, need[s-first], row, at, min(at+bitvec.Lanes, c.n))
						}
					}
				}
			}
		}
	})
}

// mostIn returns, of so many conditions in a row each and by classes q and r, the largest G_q − G_r, and the largest G_q where q = r.
func (c *table[T]) mostIn(size int) (most []int64) {
	for from := 0; from < c.n; from += size {
		for q := range c.classes {
			for r := range c.classes {
				largest := int64(math.MinInt64)
				for t := from; t < min(from+size, c.n); t++ {
					x := int64(c.single[q*c.width+t])
					if q != r {
						x -= int64(c.single[r*c.width+t])
					}
					largest = max(largest, x)
				}
				most = append(most, largest)
			}
		}
	}
	return most
}

// mayFollow reports whether one of some conditions may be behind s in a list that gets right what is needed. If not, R_1 is raised to
// what bounds them.
func (c *table[T]) mayFollow(most []int64, s int, need int64) bool {
	bound := int64(0)
	for r, all := range c.gains {
		mine := int64(c.single[r*c.width+s])
		for q := range c.classes {
			if q != r {
				bound = max(bound, all-mine+min(most[q*c.classes+q], most[q*c.classes+r]+mine))
			}
		}
	}
	bound += c.right1[s]
	if bound >= need {
		return true
	}
	c.rest[s] = max(c.rest[s], bound)
	return false
}
