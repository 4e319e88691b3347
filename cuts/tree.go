package cuts

import (
	"parcorels/loop"
)

// grow grows a tree on the residuals, best split first, and takes what it says
// from them. It reports whether there was a split.
func (e *ensemble) grow(last bool) bool {
	for i := range e.order {
		e.order[i] = int32(i)
	}
	root := &node{rows: e.order, bins: e.root}
	if root.bins == nil {
		root.bins = e.newSums()
		e.histograms(root.bins, root.rows)
	}
	some := e.used[0]
	for _, s := range root.bins[e.first[some] : e.first[some]+e.columns[some].N] {
		root.total = root.total.plus(s)
	}
	e.search(root)
	leaves := []*node{root}
	for k := range splits {
		at := 0
		for i, n := range leaves {
			if n.best.gain > leaves[at].best.gain {
				at = i
			}
		}
		n := leaves[at]
		if n.best.gain <= 0 {
			break
		}
		if n.best.cut >= 0 {
			e.boundaries[n.best.column][n.best.cut].gain += n.best.gain
		}
		if last && k == splits-1 {
			return true // nobody asks for these leaves
		}
		in, out := e.part(n)
		if k < splits-1 {
			e.search(in)
			e.search(out)
		}
		leaves[at] = in
		leaves = append(leaves, out)
	}
	for _, n := range leaves {
		n.step = n.total.residual / n.total.weight / rate
	}
	if len(leaves) > 1 && !last {
		e.advance(leaves)
	}
	return len(leaves) > 1
}

// part splits a node at its best split.
func (e *ensemble) part(n *node) (in, out *node) {
	s := n.best
	var side [maxBins]uint8
	in, out = &node{}, &node{}
	for b := s.first; b <= s.last; b++ {
		in.total = in.total.plus(n.bins[e.first[s.column]+b])
		side[b] = 1
	}
	out.total = n.total.minus(in.total)
	in.rows, out.rows = e.partRows(n.rows, e.columns[s.column].Bins, &side)
	small, large := in, out
	if in.total.weight > out.total.weight {
		small, large = out, in
	}
	small.bins = e.newSums()
	e.histograms(small.bins, small.rows)
	large.bins = n.bins // the parent needs them no longer
	for i, s := range small.bins {
		large.bins[i] = large.bins[i].minus(s)
	}
	return in, out
}

// newSums returns room for the sums of all bins, which may hold anything.
func (e *ensemble) newSums() []sums {
	if k := len(e.spare) - 1; k >= 0 {
		s := e.spare[k]
		e.spare = e.spare[:k]
		return s
	}
	return make([]sums, e.bins)
}

// advance takes the steps of the leaves from the residuals, and the sums of the
// next tree's root from those of the leaves, without a look at the samples
// unless these are few.
func (e *ensemble) advance(leaves []*node) {
	e.take(leaves)
	if len(e.labels)*len(e.used) < len(leaves)*e.bins {
		for _, n := range leaves {
			e.spare = append(e.spare, n.bins)
		}
		e.root = nil
		return
	}
	e.root = leaves[0].bins
	for i, s := range e.root {
		e.root[i].residual -= leaves[0].step * s.weight
	}
	for _, n := range leaves[1:] {
		for i, s := range n.bins {
			s.residual -= n.step * s.weight
			e.root[i] = e.root[i].plus(s)
		}
		e.spare = append(e.spare, n.bins)
	}
}

// littleWork is how many steps are not worth another goroutine.
const littleWork = 1 << 15

// histograms writes the sums of each bin of each column that is used over rows to all. Each column is one goroutine's.
func (e *ensemble) histograms(all []sums, rows []int32) {
	column := func(k int) {
		c := e.used[k]
		bins := all[e.first[c] : e.first[c]+e.columns[c].N]
		clear(bins)
		e.sumColumn(bins, e.columns[c].Bins, rows)
	}
	if len(rows)*len(e.used) < littleWork {
		for k := range e.used {
			column(k)
		}
		return
	}
	loop.Parallel(len(e.used), column)
}

// sumColumn adds the samples in rows to the sums of their bins.
func (e *ensemble) sumColumn(sum []sums, bins []uint8, rows []int32) {
	if e.weights == nil {
		for _, i := range rows {
			s := &sum[bins[i]]
			s.residual += int64(e.residuals[i])
			s.weight++
		}
		return
	}
	for _, i := range rows {
		s := &sum[bins[i]]
		s.residual += int64(e.residuals[i]) * e.weights[i]
		s.weight += e.weights[i]
	}
}

// partRows moves rows on side 1 to the beginning, the others behind them, and returns both. Each is written to both
// places, so that no branch is to be foretold.
func (e *ensemble) partRows(rows []int32, bins []uint8, side *[maxBins]uint8) (in, out []int32) {
	n, others := 0, 0
	spare := e.spareRows
	for _, i := range rows {
		s := int(side[bins[i]])
		rows[n], spare[others] = i, i
		n += s
		others += 1 - s
	}
	copy(rows[n:], spare[:others])
	return rows[:n], rows[n:]
}

// search finds the best split of a node.
func (e *ensemble) search(n *node) {
	n.best = split{}
	if n.total.weight < 2*e.least {
		return
	}
	column := func(k int) { e.found[k] = e.searchColumn(n, e.used[k]) }
	if e.bins < littleWork/4 {
		for k := range e.found {
			column(k)
		}
	} else {
		loop.Parallel(len(e.found), column)
	}
	for _, s := range e.found {
		if s.gain > n.best.gain {
			n.best = s
		}
	}
}

// searching is the search of a node by one column.
type searching struct {
	*ensemble
	total sums
	base  float64 // score of the node
	best  split
}

// searchColumn finds the best split of a node by one column. Samples in bins
// without order, such as missing ones, go with either side of a cut.
func (e *ensemble) searchColumn(n *node, column int) split {
	s := searching{ensemble: e, total: n.total, base: n.total.score()}
	bins, last := n.bins[e.first[column]:e.first[column]+e.columns[column].N], e.columns[column].Ordered-1
	var ordered, below sums
	for _, x := range bins[:last+1] {
		ordered = ordered.plus(x)
	}
	others := s.total.minus(ordered)
	for b := range e.boundaries[column] {
		below = below.plus(bins[b])
		if !e.boundaries[column][b].allowed {
			continue
		}
		s.try(split{column: column, first: 0, last: b, cut: b}, below)
		if others.weight > 0 {
			s.try(split{column: column, first: b + 1, last: last, cut: b}, ordered.minus(below))
		}
	}
	for b := last + 1; b < len(bins); b++ {
		s.try(split{column: column, first: b, last: b, cut: -1}, bins[b])
	}
	return s.best
}

// try compares a split, of a node with in on one side, with the best so far.
func (s *searching) try(p split, in sums) {
	out := s.total.minus(in)
	if min(in.weight, out.weight) < s.least {
		return
	}
	p.gain = in.score() + out.score() - s.base
	if p.gain < s.noise {
		return
	}
	if p.cut >= 0 {
		b := &s.boundaries[p.column][p.cut]
		if !s.columns[p.column].Free && b.gain == 0 && !b.seed {
			p.gain = p.gain * newShare
		}
		p.balance = b.balance
	}
	if p.gain > s.best.gain || p.gain == s.best.gain && p.balance > s.best.balance {
		s.best = p
	}
}

// newShare is what the gain of a cut that no split has taken yet counts for.
const newShare = 0.9
