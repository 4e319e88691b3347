package separation

// Sets at rest.
//
// The pool has thousands of sets, but at the LP's solution few of their rows are tight. A row whose y
// is 0 and whose left side is well above 1 costs as much as any other in each step, and makes
// the steps shorter. So its set rests: it has no row until its left side falls below 1. Within some
// rules of the incumbent the LP takes half the time then, and often comes nearer. Farther away it only gathers
// more sets in the same time, and the ascents over these close less: noisy/1301x157x20 took 1.0 s instead of .8.

const slack = 1.1 // the least left side of a row that rests

// firstSets returns the sets that the LP begins with, and lets the others rest.
func (r *Root) firstSets() []int32 {
	sets := r.everySet()
	if r.start == nil {
		return sets
	}
	used := r.used(&r.start.Shares)
	first := sets[:0]
	for _, k := range sets {
		if r.start.Y[k] == 0 && r.leftSide(k, &r.start.Shares, used, 0) > slack {
			r.resting = append(r.resting, k)
		} else {
			first = append(first, k)
		}
	}
	return first
}

// rouse returns the resting sets whose rows the LP's last point violates; they rest no longer.
func (r *Root) rouse() (roused []int32) {
	if len(r.resting) == 0 {
		return nil
	}
	shares := r.s.shares(r.P, r.s.next.v)
	used := r.used(&shares)
	still := r.resting[:0]
	for _, k := range r.resting {
		if r.leftSide(k, &shares, used, 0) < 1-tolerance {
			roused = append(roused, k)
		} else {
			still = append(still, k)
		}
	}
	r.s.work += int64(len(r.resting)) * int64(r.P.labels*r.P.width)
	r.resting = still
	return roused
}

// used returns the context of the live rules that have a share.
func (r *Root) used(x *Shares) *Context {
	c := &Context{Live: make([][]uint64, r.P.labels)}
	for q := range c.Live {
		c.Live[q] = make([]uint64, r.P.width)
	}
	for rule, v := range x.Rules {
		if v > 0 && r.Context.IsLive(rule) {
			col := rule / r.P.labels
			c.Live[rule%r.P.labels][col/64] |= 1 << (col % 64)
		}
	}
	return c
}

// leftSide is that of a set's inequality, over the rules of a context. Each rule counts as so much more than its share.
func (r *Root) leftSide(k int32, x *Shares, c *Context, more float64) (sum float64) {
	for rule := range c.pure(r.Pool, k) {
		sum += more + x.Rules[rule]
	}
	for _, e := range r.Pool.Set(k) {
		sum += x.Points[e]
	}
	return sum
}
