package short

import (
	"math"
	"slices"
	"unsafe"

	"parcorels/bitvec"
	"parcorels/costs"
)

// allPairs looks at all lists of two rules. It counts the rows, and keeps them if there is memory. Like
// allTriples, it reports whether it has come to the end.
func (c *table[T]) allPairs() (all bool) {
	if c.fits(c.n) {
		all = c.keepRows() && c.s.eachFirst(2, c.n, func() func(int) {
			return func(s int) { c.pairs(s, c.need(2, s), c.kept(s), 0, c.n) }
		})
	} else {
		all = c.pairsInBlocks()
	}
	c.best, c.counted = slices.Max(c.rest), true
	return all
}

// keepRows counts all rows. It reports whether it has come to the end.
func (c *table[T]) keepRows() bool {
	c.strip = [2]int{0, c.n}
	c.takeRows(c.n)
	counted := c.s.eachFirst(2, c.n, func() func(int) {
		x := c.costs.NewCounts(c.width)
		return func(s int) { c.row(x, c.columns[s], s/bitvec.Lanes, c.kept(s)) }
	})
	return counted && c.s.each((c.n+tile-1)/tile, func() func(int) { return c.mirror })
}

// fits reports whether so many rows fit into the memory.
func (c *table[T]) fits(rows int) bool { return int64(rows)*c.rowBytes() <= c.s.o.Memory }

func (c *table[T]) rowBytes() int64 { return int64(unsafe.Sizeof(T(0))) * int64(c.size()) }

// kept returns a row of the strip.
func (c *table[T]) kept(t int) []T { return c.rows[(t-c.strip[0])*c.size():][:c.size()] }

// rowOf returns a function that returns rows, each until it is called again.
func (c *table[T]) rowOf() func(s int) []T {
	var x *costs.Counts
	var buffer []T
	return func(s int) []T {
		if s >= c.strip[0] && s < c.strip[1] {
			return c.kept(s)
		}
		if x == nil {
			x, buffer = c.costs.NewCounts(c.width), make([]T, c.size())
		}
		c.row(x, c.columns[s], 0, buffer)
		return buffer
	}
}

// tile is how many columns are written from the other side at a time.
const tile = 64

// mirror writes the part of a tile's rows that lies before their own blocks.
func (c *table[T]) mirror(part int) {
	first, last := part*tile, min((part+1)*tile, c.n)
	for q := range c.classes {
		for v := range last {
			from := c.rows[v*c.size()+q*c.width:]
			for t := max(first, (v/bitvec.Lanes+1)*bitvec.Lanes); t < last; t++ {
				c.rows[t*c.size()+q*c.width+v] = from[t]
			}
		}
	}
}

// pairs looks at the lists of two rules whose first is s and whose second is one of from..to−1.
func (c *table[T]) pairs(s int, need int64, row []T, from, to int) {
	best := c.rest[s]
	var few [4]int64 // no memory is taken for few classes
	left := few[:0]
	for q, all := range c.gains {
		left = append(left, all-int64(c.single[q*c.width+s]))
	}
	look := func(t int, right int64) {
		if best = max(best, right); right >= need && t != s {
			c.offer(right, s, t)
		}
	}
	if c.classes == 2 { // the same, in half of the time
		single0, single1 := c.single[from:to], c.single[c.width:][from:to]
		row0, row1, left0, left1 := row[from:to], row[c.width:][from:to], left[0], left[1]
		first := c.right1[s]
		for t, g := range single0 {
			g0, g1 := int64(g-row0[t]), int64(single1[t]-row1[t])
			if right := first + max(g0, g1) + max(left0-g0, left1-g1); right > best || right >= need {
				look(from+t, right)
			}
		}
	} else {
		for t := from; t < to; t++ {
			right, rest := int64(0), int64(0)
			for q, l := range left {
				g := int64(c.single[q*c.width+t] - row[q*c.width+t])
				right, rest = max(right, g), max(rest, l-g)
			}
			if right += c.right1[s] + rest; right > best || right >= need {
				look(t, right)
			}
		}
	}
	c.rest[s] = best
}

// takeRows takes memory for so many rows.
func (c *table[T]) takeRows(rows int) {
	*c.memory = slices.Grow((*c.memory)[:0], rows*c.size())
	c.rows = (*c.memory)[:rows*c.size()]
}

// outside writes D of each condition outside one with this row.
func (c *table[T]) outside(d, row []T, q, r int) {
	insideQ, insideR := row[q*c.width:][:c.n], row[r*c.width:][:c.n]
	allQ, allR := c.single[q*c.width:][:c.n], c.single[r*c.width:][:c.n]
	d = d[:c.n]
	for v, g := range allQ {
		d[v] = g - insideQ[v] - allR[v] + insideR[v]
	}
}

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
