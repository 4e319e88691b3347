package cuts

import "parcorels/internal/loop"

// search finds the best split of a node.
func (e *ensemble) search(n *node) {
	n.best = split{}
	if n.total.weight < 2*e.least {
		return
	}
	found := make([]split, len(e.table.views))
	if e.table.bins < littleWork/4 {
		for i := range found {
			found[i] = e.searchView(n, i)
		}
	} else {
		loop.Parallel(len(found), func(i int) { found[i] = e.searchView(n, i) })
	}
	for _, s := range found {
		if s.gain > n.best.gain {
			n.best = s
		}
	}
}

// searching is the search of a node by one view.
type searching struct {
	*ensemble
	view  *view
	total sums
	base  float64 // score of the node
	best  split
}

// searchView finds the best split of a node by one view. Samples in bins
// without order, such as missing ones, go with either side of a cut.
func (e *ensemble) searchView(n *node, index int) split {
	v := e.table.views[index]
	s := searching{ensemble: e, view: v, total: n.total, base: n.total.score()}
	bins := n.bins[v.first : v.first+v.n]
	var ordered, others sums
	for b, x := range bins {
		if b < v.ordered {
			ordered = ordered.plus(x)
		} else {
			others = others.plus(x)
		}
	}
	var below sums
	for b, cut := range v.cuts {
		below = below.plus(bins[b])
		s.try(split{view: index, first: 0, last: b, column: v.column, cut: int(cut)}, below)
		if others.weight > 0 {
			s.try(split{view: index, first: b + 1, last: v.ordered - 1, column: v.column, cut: int(cut)}, ordered.minus(below))
		}
	}
	for b := v.ordered; b < v.tried; b++ {
		s.try(split{view: index, first: b, last: b, column: v.column, cut: -1}, bins[b])
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
		if !s.columns[p.column].Free && s.gains[p.column][p.cut] == 0 && !s.seeds[p.column][p.cut] {
			p.gain = p.gain * newShare
		}
		p.balance = s.balance[p.column][p.cut]
	}
	if p.gain > s.best.gain || p.gain == s.best.gain && p.balance > s.best.balance {
		s.best = p
	}
}

// newShare is what the gain of a cut that no split has taken yet counts for.
const newShare = 0.9
