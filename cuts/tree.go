package cuts

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
