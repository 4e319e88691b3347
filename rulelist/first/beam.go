package first

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/rulelist/problem"
)

// Beam search: of all prefixes of K rules that extend those kept with K−1
// rules, the best few are kept, by two rankings side by side.
//
//   - Objective: what the prefix costs as a complete list. It finds short
//     lists, whose default rule carries much of the weight.
//   - Cost per captured weight: what the prefix pays, its rules' prices
//     included, for each unit of weight that it has dealt with. It finds long
//     lists, of which every rule captures little and errs little.
//
// Prefixes with the same cost that leave the same costs are most likely
// permutations of one another, and only the first is kept.

// beam holds the buffers of a beam search.
type beam struct {
	p            *problem.Problem
	work         *meter
	level, below []beamPrefix // the prefixes kept, and their children's places
	kept         [rankings][]beamChild
	child        beamChild // the one at hand
	counts       *costs.Counts

	objective int64            // of the best list
	list      []problem.Column // columns of the best list, if one was found
	fewest    []int64          // by length from 1, the fewest errors of a list, times the unit
}

// beamPrefix is a prefix of the beam.
type beamPrefix struct {
	list []problem.Column
	u    []uint64 // remaining set
	cost int64
}

// beamChild extends the prefix parent of the level by one rule.
type beamChild struct {
	parent      int
	col         problem.Column
	cost        int64
	left, left0 int64 // costs of what it leaves, and of class 0 there
	objective   int64
	paid        int64 // cost beyond the root's
	captured    int64 // weight captured
}

// rankings is their number.
const rankings = 2

func newBeam(p *problem.Problem, work *meter) *beam {
	return &beam{p: p, work: work, counts: p.NewCounts(p.Padded())}
}

// run searches with width prefixes by each ranking for lists with an
// objective below the given one, and reports whether it found any.
func (b *beam) run(width int, objective int64) bool {
	b.objective, b.list = objective, b.list[:0]
	b.begin()
	for n := 1; n > 0; n = b.descend() {
		for i := 0; i < n && !b.work.over(); i++ {
			b.expand(i, width)
		}
	}
	return len(b.list) > 0
}

// begin makes the empty prefix the level.
func (b *beam) begin() {
	root := b.place(&b.level, 0)
	root.list = root.list[:0]
	copy(root.u, b.p.All)
	root.cost = b.p.RootCost()
}

// place returns prefix i of a level, with buffers.
func (b *beam) place(level *[]beamPrefix, i int) *beamPrefix {
	if i == len(*level) {
		*level = append(*level, beamPrefix{u: make([]uint64, b.p.Words)})
	}
	return &(*level)[i]
}

// expand ranks the children of prefix i.
func (b *beam) expand(i, width int) {
	p, x, n := b.p, b.counts, &b.level[i]
	if !x.Count(n.u, b.work.counter(p)) {
		return
	}
	room := bitvec.Far // for errors, so that a child may be better than the best list
	if !p.Limited {
		room = (b.objective-n.cost-p.Price)/p.Unit + 1
	}
	for col := range x.Among(len(p.Antecedents), p.Support, room) {
		y := x.Column(col)
		if y.Cost == 0 || !p.Useful(&y) {
			continue // without pruning 2 a rule that captures nothing counts as useful
		}
		c := &b.child // the binary search would make a local variable escape, once a child
		*c = beamChild{parent: i, col: problem.Column(col), left: x.Total - y.Cost, left0: x.All[0] - x.Gains[0][col]}
		c.cost = n.cost + p.Price + p.Unit*y.Errors
		c.objective = c.cost + p.Unit*y.Stop
		length := len(n.list) + 1
		if p.Limited {
			b.note(length, c.objective-p.Price*int64(length))
		}
		if c.objective < b.objective && length <= p.Longest {
			b.objective = c.objective
			b.list = append(append(b.list[:0], n.list...), c.col)
		}
		if c.cost+p.Price < b.objective && length < p.Levels() {
			c.paid, c.captured = c.cost-p.RootCost(), p.Sum-c.left
			b.rank(c, width)
		}
	}
}

// rank keeps the child where it is among the best.
func (b *beam) rank(c *beamChild, width int) {
	for r := range b.kept {
		kept := b.kept[r]
		if len(kept) == width && c.compare(&kept[width-1], r) >= 0 {
			continue
		}
		at, twin := slices.BinarySearchFunc(kept, c, func(k beamChild, c *beamChild) int { return k.compare(c, r) })
		if twin {
			continue
		}
		if len(kept) == width {
			kept = kept[:width-1]
		}
		b.kept[r] = slices.Insert(kept, at, *c)
	}
}

// compare orders children by ranking r, then so that only twins are equal.
func (c *beamChild) compare(d *beamChild, r int) int {
	var by int
	if r == 0 {
		by = cmp.Compare(c.objective, d.objective)
	} else {
		by = compareProducts(c.paid, d.captured, d.paid, c.captured)
	}
	if by != 0 {
		return by
	}
	return cmp.Or(cmp.Compare(c.cost, d.cost), cmp.Compare(c.left, d.left), cmp.Compare(c.left0, d.left0))
}

// compareProducts compares a·b with c·d, all of them not negative.
func compareProducts(a, b, c, d int64) int {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	hi2, lo2 := bits.Mul64(uint64(c), uint64(d))
	return cmp.Or(cmp.Compare(hi, hi2), cmp.Compare(lo, lo2))
}

// descend makes the children kept the next level and returns their number.
func (b *beam) descend() (n int) {
	for r := range b.kept {
		for i := range b.kept[r] {
			c := &b.kept[r][i]
			up, next := &b.level[c.parent], b.place(&b.below, n)
			next.list = append(append(next.list[:0], up.list...), c.col)
			next.cost = c.cost
			bitvec.AndNot(next.u, up.u, b.p.Columns[c.col])
			n++
		}
		b.kept[r] = b.kept[r][:0]
	}
	b.level, b.below = b.below, b.level
	return n
}

// slopes returns the slopes of the lower convex hull of errors by length, times the unit, on both
// sides of the limit, the steeper one first.
// If the limit is above the hull, both are the slope of the edge below it. Where the beams do without so
// many rules all is 0.
func (b *beam) slopes() (left, right int64) {
	least := append([]int64{b.p.EmptyObjective()}, b.fewest...) // beyond price·length, by length
	for k := 1; k < len(least); k++ {
		least[k] = min(least[k], least[k-1])
	}
	k := b.p.Longest
	if k >= len(least) {
		return 0, 0
	}
	left = problem.Unknown
	for i := range k {
		left = min(left, (least[i]-least[k])/int64(k-i))
	}
	for j := k + 1; j < len(least); j++ {
		right = max(right, (least[k]-least[j])/int64(j-k))
	}
	if left < right {
		slope := edge(least, k)
		return slope, slope
	}
	return left, right
}

// edge returns the slope of the lower convex hull's edge above which place k lies.
func edge(least []int64, k int) (slope int64) {
	lowest := problem.Unknown
	for i := range k {
		for j := k + 1; j < len(least); j++ {
			s := (least[i] - least[j]) / int64(j-i)
			if at := least[i] - s*int64(k-i); at < lowest {
				lowest, slope = at, s
			}
		}
	}
	return slope
}

// note keeps the fewest errors of a list of so many rules, times the unit.
func (b *beam) note(length int, errors int64) {
	for len(b.fewest) < length {
		b.fewest = append(b.fewest, problem.Unknown)
	}
	b.fewest[length-1] = min(b.fewest[length-1], errors)
}
