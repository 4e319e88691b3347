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

// sideBySide calls body for 0 to n-1, on all processors unless these are little work.
func sideBySide(steps, n int, body func(k int)) {
	if steps >= littleWork {
		loop.Parallel(n, body)
		return
	}
	for k := range n {
		body(k)
	}
}

// together columns are summed in one pass over the rows, which looks up a row and its residual once for all of them.
const together = 4

// histograms writes the sums of each bin of each column that is used over rows to all. A column is one goroutine's.
func (e *ensemble) histograms(all []sums, rows []int32) {
	n, body := len(e.used), func(k int) { e.sumColumn(all, e.used[k], rows) }
	if e.weights == nil {
		n = (len(e.used) + together - 1) / together
		body = func(k int) { e.sumColumns(all, e.used[k*together:min((k+1)*together, len(e.used))], rows) }
	}
	sideBySide(len(rows)*len(e.used), n, body)
}

// countBits are the low bits of a packed sum, which count samples of weight 1. Above them is the sum of residuals r. Σ r² of all n
// samples never grows, so that any sum of these r is at most √(n·Σ r²) ≤ n·one. It fits for n < 2^(63−16−24), and a sample
// has about sampleSize rows.
const countBits = 24

// sumColumns writes the sums of up to together columns of samples that weigh 1 each. Where they are fewer, the last one is summed
// again.
func (e *ensemble) sumColumns(all []sums, columns []int, rows []int32) {
	var packed [together][maxBins]int64
	var bins [together][]uint8
	for k := range bins {
		bins[k] = e.columns[columns[min(k, len(columns)-1)]].Bins
	}
	addPacked(&packed, &bins, e.residuals, rows)
	for k, c := range columns {
		for b, sum := range packed[k][:e.columns[c].N] {
			all[e.first[c]+b] = sums{sum >> countBits, sum & (1<<countBits - 1)}
		}
	}
}

// addPacked adds the samples in rows to the sums of their bins.
func addPacked(sum *[together][maxBins]int64, bins *[together][]uint8, residuals, rows []int32) {
	a := bins[0]
	b, c, d, r := bins[1][:len(a)], bins[2][:len(a)], bins[3][:len(a)], residuals[:len(a)] // so that i is checked once
	for _, i := range rows {
		x := int64(r[i])<<countBits | 1
		sum[0][a[i]] += x
		sum[1][b[i]] += x
		sum[2][c[i]] += x
		sum[3][d[i]] += x
	}
}

// sumColumn writes the sums of a column of samples that have weights.
func (e *ensemble) sumColumn(all []sums, column int, rows []int32) {
	bins, sum := e.columns[column].Bins, all[e.first[column]:e.first[column]+e.columns[column].N]
	clear(sum)
	for _, i := range rows {
		s := &sum[bins[i]]
		s.residual += int64(e.residuals[i]) * e.weights[i]
		s.weight += e.weights[i]
	}
}

// partRows moves rows on side 1 to the beginning, the others behind them, and returns both. Each is written to both
// places, so that no branch is to be foretold. Were it inlined, its counters would be in memory.
//
//go:noinline
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
	sideBySide(4*e.bins, len(e.found), func(k int) { e.found[k] = e.searchColumn(n, e.used[k]) })
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
