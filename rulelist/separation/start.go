package separation

// Start is where the LP of a root begins: where one for another price of a rule has ended.
//
// The points of both problems are the same, and so are the columns, but for their order and for
// those that are of no use at a price. A set whose points have two labels has its inequality at
// any price, and a bound is true for any weights (argument.go). So a start that does not fit
// costs time, never the truth of a bound.
type Start struct {
	Sets [][]Point
	Y    []float64 // weight of each set, in prices of a rule
	Shares
	weight float64 // primal weight
}

// End returns where the LP of r has ended, after Solve; nil if it has not begun. It shares the
// sets with r.
func (r *Root) End() *Start {
	s := &r.s
	if s.weight == 0 {
		return nil
	}
	x := &Start{Shares: s.shares(r.P, s.bestV), weight: s.weight, Y: make([]float64, r.Pool.Len())}
	for k := range int32(r.Pool.Len()) {
		x.Sets = append(x.Sets, r.Pool.Set(k))
	}
	for i, k := range s.sets {
		x.Y[k] = s.best[i]
	}
	return x
}

// RootFrom makes a root whose LP begins at x. Up to so many goroutines share its work.
func (p *Problem) RootFrom(x *Start, goroutines int) *Root {
	r := &Root{P: p, Pool: p.NewPool(), Context: p.NewContext(), start: x}
	for _, set := range x.Sets {
		r.Pool.Add(set)
	}
	r.s.goroutines = goroutines
	r.sep = separator{p: p, l: r.Pool, goroutines: goroutines}
	return r
}

// fill starts the LP, of sets of x, at x.
func (r *Root) fill(x *Start) {
	s := &r.s
	s.weight = x.weight
	s.fill(s.now.v, x.Shares)
	for i, k := range s.sets {
		s.now.y[i] = x.Y[k]
	}
	s.products(&s.now)
	s.start()
	s.next.copyFrom(&s.now)
	s.shrink()
}
