package cuts

import "parcorels/internal/loop"

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
