package rulelist

import (
	"fmt"
	"math"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"parcorels/verify/framing"
)

// What the way down from the empty prefix had no use for: prefixes that were
// expanded before a prefix of theirs was found dominated, for one. That a
// dominated record is true does not depend on where it is met, and all of them
// are checked.

// remainingSize is how many nodes, or repeated records, a walker takes at a time.
const remainingSize = 256

// remaining is shared by the walkers that check the remaining records.
type remaining struct {
	next   atomic.Int64 // node
	failed atomic.Int64 // first node found so far of which a record fails
}

// others checks the nodes that are left. It returns the first failure.
func (c *checker) others(walkers []*walker) error {
	c.group = &errgroup.Group{}
	var r remaining
	r.failed.Store(math.MaxInt64)
	failures := make([]*Failure, len(walkers))
	at := make([]int64, len(walkers))
	for i, w := range walkers {
		c.group.Go(func() error {
			at[i], failures[i] = w.others(&r)
			return nil
		})
	}
	_ = c.group.Wait() // no walker returns an error
	for i, f := range failures {
		if f != nil && at[i] == r.failed.Load() {
			return fmt.Errorf("%w: %w", framing.ErrRefused, f)
		}
	}
	return c.ctx.Err()
}

// others returns the first node that w found to fail.
func (w *walker) others(r *remaining) (int64, *Failure) {
	nodes := int64(len(w.tree.nodes))
	all := nodes + int64(len(w.tree.again))
	for {
		first := r.next.Add(remainingSize) - remainingSize
		if first >= all || first > r.failed.Load() || w.ctx.Err() != nil {
			return 0, nil
		}
		for id := first; id < min(first+remainingSize, all); id++ {
			var f *Failure
			if id < nodes {
				f = w.record(uint32(id))
			} else {
				f = w.repeated(w.tree.again[id-nodes])
			}
			if f != nil {
				for old := r.failed.Load(); id < old && !r.failed.CompareAndSwap(old, id); old = r.failed.Load() {
				}
				return id, f
			}
		}
	}
}

// record checks the records of a node that were not checked on the way down.
func (w *walker) record(id uint32) *Failure {
	n := &w.tree.nodes[id]
	if n.flags&hasDominated != 0 && n.flags&dominatedDone == 0 {
		if f := w.dominatedRecord(id, w.tree.record(id, hasDominated)); f != nil {
			return f
		}
	}
	if n.flags&expandedDone != 0 {
		return nil
	}
	w.of = w.tree.prefix(id, w.of[:0])
	return w.tree.expansions(id, func(p parser) *Failure {
		for {
			e, ok := p.exception(w.of, w.limits, w.seen, &w.other)
			if !ok {
				return nil
			}
			if f := w.apart(w.of, e.antecedent, e.by); f != nil {
				return f
			}
		}
	})
}

// repeated checks one more dominated record of a node.
func (w *walker) repeated(r repeated) *Failure {
	return w.dominatedRecord(r.id, w.tree.parser(r.at))
}

func (w *walker) dominatedRecord(id uint32, p parser) *Failure {
	w.of = w.tree.prefix(id, w.of[:0])
	d := p.dominator(w.of, w.limits, w.seen, &w.other)
	return w.apart(w.of[:len(w.of)-1], int(w.tree.nodes[id].antecedent), d)
}

// apart checks that a prefix and s is dominated, away from any frame.
func (w *walker) apart(prefix []uint16, s int, d dominator) *Failure {
	at := w.stateOf(prefix)
	return w.domination(at, s, w.countAnd(w.left, at.left, w.captured[s]), d)
}
