package guess

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// sums is what is known of a set of samples: its weight, and the sum of its
// weighted residuals.
type sums struct{ residual, weight int64 }

func (s sums) plus(t sums) sums  { return sums{s.residual + t.residual, s.weight + t.weight} }
func (s sums) minus(t sums) sums { return sums{s.residual - t.residual, s.weight - t.weight} }

// score is what squared loss a set is spared by its own mean.
func (s sums) score() float64 {
	r := float64(s.residual)
	return float64(r*r) / float64(s.weight)
}

// node is a leaf of the tree that grows.
type node struct {
	rows  []int32
	total sums
	bins  [][]sums // of each column, the sums of each bin
	best  split
	step  int64 // what the scores become more by
}

// split is a way to split a node: the samples of a column in the bins from
// first to last go one way, all others the other way.
type split struct {
	column, first, last int
	cut                 int // -1: a category
	gain                float64
	balance             int64 // of the cut, see ensemble
}

// grow grows a tree on the residuals, best split first, and adds what it says
// to the scores. It reports whether there was a split.
func (e *ensemble) grow(residuals []int64) bool {
	rows := make([]int32, len(e.ones))
	for i := range rows {
		rows[i] = int32(i)
	}
	if e.root == nil {
		e.root = e.histograms(rows, residuals)
	}
	root := &node{rows: rows, bins: e.root}
	for i := range rows {
		root.total = root.total.plus(sums{residuals[i], e.weight(i)})
	}
	e.search(root)
	leaves := []*node{root}
	for range splits {
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
			e.gains[n.best.column][n.best.cut] += n.best.gain
		}
		in, out := e.part(n, residuals)
		leaves[at] = in
		leaves = append(leaves, out)
	}
	for _, n := range leaves {
		n.step = n.total.residual / n.total.weight / rate
		for _, i := range n.rows {
			e.scores[i] += int32(n.step)
		}
	}
	e.root = e.rootOf(leaves)
	return len(leaves) > 1
}

// rootOf returns the sums of the next tree's root without a look at the
// samples: the residuals of a leaf all become less by its step.
func (e *ensemble) rootOf(leaves []*node) [][]sums {
	all := make([][]sums, len(e.columns))
	for c := range all {
		all[c] = make([]sums, e.columns[c].N)
		for _, n := range leaves {
			for b, s := range n.bins[c] {
				s.residual -= n.step * s.weight
				all[c][b] = all[c][b].plus(s)
			}
		}
	}
	return all
}

func (e *ensemble) weight(i int) int64 {
	if e.weights == nil {
		return 1
	}
	return e.weights[i]
}

// part splits a node at its best split.
func (e *ensemble) part(n *node, residuals []int64) (in, out *node) {
	s := n.best
	bins := e.columns[s.column].Bins
	in, out = &node{}, &node{}
	for _, i := range n.rows {
		if b := int(bins[i]); s.first <= b && b <= s.last {
			in.rows = append(in.rows, i)
		} else {
			out.rows = append(out.rows, i)
		}
	}
	for b := s.first; b <= s.last; b++ {
		in.total = in.total.plus(n.bins[s.column][b])
	}
	out.total = n.total.minus(in.total)
	small, large := in, out
	if len(small.rows) > len(large.rows) {
		small, large = out, in
	}
	small.bins = e.histograms(small.rows, residuals)
	large.bins = n.bins // the parent needs them no longer
	for c, h := range large.bins {
		for b := range h {
			h[b] = h[b].minus(small.bins[c][b])
		}
	}
	e.search(in)
	e.search(out)
	return in, out
}

// histograms returns the sums of each bin of each column. The columns are
// shared by all processors.
func (e *ensemble) histograms(rows []int32, residuals []int64) [][]sums {
	values := make([]int64, len(rows))
	var weights []int64
	if e.weights != nil {
		weights = make([]int64, len(rows))
	}
	for k, i := range rows {
		values[k] = residuals[i]
		if weights != nil {
			weights[k] = e.weights[i]
		}
	}
	all := make([][]sums, len(e.columns))
	e.share(func(c int) {
		h := make([]sums, e.columns[c].N)
		bins := e.columns[c].Bins
		for k, i := range rows {
			s := &h[bins[i]]
			s.residual += values[k]
			if weights == nil {
				s.weight++
			} else {
				s.weight += weights[k]
			}
		}
		all[c] = h
	})
	return all
}

// share does work for every column, on all processors.
func (e *ensemble) share(work func(column int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(e.columns)) {
		group.Go(func() {
			for c := next.Add(1) - 1; c < int64(len(e.columns)); c = next.Add(1) - 1 {
				work(int(c))
			}
		})
	}
	group.Wait()
}

// search finds the best split of a node.
func (e *ensemble) search(n *node) {
	n.best = split{}
	if n.total.weight*leafShare < 2*e.total {
		return
	}
	found := make([]split, len(e.columns))
	e.share(func(c int) { found[c] = e.searchColumn(n, c) })
	for _, s := range found {
		if s.gain > n.best.gain {
			n.best = s
		}
	}
}

// searchColumn finds the best split of a node by one column. Samples in bins
// without order, such as missing ones, go with either side of a cut.
func (e *ensemble) searchColumn(n *node, c int) (best split) {
	column, bins := &e.columns[c], n.bins[c]
	base := n.total.score()
	try := func(s split, in sums) {
		out := n.total.minus(in)
		if in.weight*leafShare < e.total || out.weight*leafShare < e.total {
			return
		}
		s.gain = in.score() + out.score() - base
		if s.gain < e.noise {
			return
		}
		if s.cut >= 0 && !column.Free && e.gains[c][s.cut] == 0 && !e.seeds[c][s.cut] {
			s.gain = s.gain * newShare
		}
		if s.cut >= 0 {
			s.balance = e.balance[c][s.cut]
		}
		if s.gain > best.gain || s.gain == best.gain && s.balance > best.balance {
			best = s
		}
	}
	var ordered, others sums
	for b, s := range bins {
		if b < column.Ordered {
			ordered = ordered.plus(s)
		} else {
			others = others.plus(s)
		}
	}
	var below sums
	for b := range max(0, column.Ordered-1) {
		below = below.plus(bins[b])
		if !e.allowed[c][b] {
			continue
		}
		try(split{column: c, first: 0, last: b, cut: b}, below)
		if others.weight > 0 {
			try(split{column: c, first: b + 1, last: column.Ordered - 1, cut: b}, ordered.minus(below))
		}
	}
	for b := column.Ordered; b < column.N; b++ {
		try(split{column: c, first: b, last: b, cut: -1}, bins[b])
	}
	return best
}

// newShare is what the gain of a cut that no split has taken yet counts for.
const newShare = 0.9
