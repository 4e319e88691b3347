package rashomon

import (
	"context"
	"time"
)

// What a limit leaves true. A graph that is built for a smaller threshold is whole for that: its
// counts are exact there, and lower bounds for the threshold that was asked for. What was
// proved of V does not depend on the threshold, so a second attempt begins with the memo of the
// first. Of the time each attempt may take half of what is left.

// largest builds the graph for the largest threshold up to the one asked for that the limits
// allow, of those that halving finds.
func (b *builder) largest(asked int64) (*Set, error) {
	if b.attempt(asked) == nil {
		return b.finish(), nil
	}
	least, err := b.least(asked)
	if err != nil {
		return nil, err
	}
	var found *Set
	for slack, failed := (asked-least)/2, asked-least; ; {
		if err := b.ctx.Err(); err != nil && found == nil {
			return nil, err
		}
		err := b.attempt(least + slack)
		if err == nil {
			before := found
			found = b.finish()
			found.Complete = false
			if before != nil || failed-slack < 2 || b.options.Proof != nil { // a proof is of the graph built last
				return found, nil
			}
			slack = (slack + failed) / 2
			continue
		}
		switch {
		case found != nil:
			return found, nil
		case slack == 0:
			return nil, ErrLimit
		}
		slack, failed = slack/2, slack
	}
}

// attempt is build within half of the time that is left.
func (b *builder) attempt(threshold int64) error {
	if b.options.Time == 0 {
		return b.build(threshold)
	}
	whole := b.ctx
	defer func() { b.ctx = whole }()
	left := b.options.Time - time.Since(b.start)
	limited, cancel := context.WithTimeout(whole, left/2)
	defer cancel()
	b.ctx = limited
	return b.build(threshold)
}

// least returns the least cost of a list beyond base.
func (b *builder) least(asked int64) (int64, error) {
	w := b.workers[0]
	b.stopped.Store(false)
	f := w.frame(0)
	copy(f.u, b.all)
	b.weights.within(f)
	v, ok := w.value(0, b.costHash.Hash(f.u), asked)
	if !ok {
		return 0, ErrLimit
	}
	return v, nil
}
