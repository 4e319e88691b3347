package graph

import (
	"context"
	"time"

	"parcorels/loop"
)

// What a limit leaves true. A graph that is built for a smaller threshold is whole for that: its
// counts are exact there, and lower bounds for the threshold that was asked for. What was
// proved of V does not depend on the threshold, so a second attempt begins with the memo of the
// first. Each attempt may take half of the time that is left.

// Weights take some milliseconds to find, good ones some tenths of a second, which small graphs do not
// need. So a build begins with little work on them, and begins anew with more when it has counted
// many columns.
var stages = []struct{ entries, columns int64 }{{1 << 20, 1 << 19}, {1 << 23, 1 << 22}, {1 << 26, 0}}

// staged runs a part of a build that depends on the weights within half of the time that is left, with better weights where
// that takes long.
func (b *builder) staged(threshold int64, run func() error) error {
	if b.options.Time > 0 {
		whole := b.ctx
		defer func() { b.ctx = whole }()
		limited, cancel := context.WithTimeout(whole, (b.options.Time-time.Since(b.start))/2)
		defer cancel()
		b.ctx = limited
	}
	for {
		s := stages[b.stage]
		if b.weights == nil {
			sets, y := b.proposer.propose(b.Price, max(threshold-b.Price, 0), s.entries, func() bool { return b.ctx.Err() == nil })
			b.weights = newWeights(b.layout, sets, y)
		}
		if b.mostNodes = 0; s.columns > 0 {
			b.mostNodes = b.nodes() + s.columns/int64(b.live+1)
		}
		err := run()
		if err == nil || b.mostNodes == 0 || b.nodes() < b.mostNodes {
			return err
		}
		b.stage++
		b.weights = nil
	}
}

// Build finds all good models whose objective is at most threshold: plain rule lists, or trees. If a limit does not allow
// that, it finds those within a smaller threshold (limit.go), which Set.Threshold tells.
func Build(ctx context.Context, p *Problem, threshold int64, o Options) (*Set, error) {
	b, err := newBuilder(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if threshold > mostObjective {
		return nil, ErrScale
	}
	defer b.report()()
	s, err := b.largest(threshold - b.base)
	if err == nil && o.Proof != nil {
		err = b.prove(o.Proof, nil)
	}
	return s, err
}

// largest builds the graph for the largest threshold up to the one asked for that the limits
// allow, of those that halving finds.
func (b *builder) largest(asked int64) (*Set, error) {
	if b.attempt(asked) == nil {
		return b.finish(), nil
	}
	least, err := b.optimum(asked)
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
	return b.staged(threshold, func() error { return b.build(threshold) })
}

// optimum returns the least cost of a model beyond base, if it is at most asked.
func (b *builder) optimum(asked int64) (least int64, err error) {
	err = b.staged(asked, func() (err error) {
		var ok bool
		if least, ok = b.least(asked); !ok {
			err = ErrLimit
		}
		return err
	})
	return least, err
}

// report tells of progress from a goroutine of its own, until the returned function is called: a level of
// the graph may take long.
func (b *builder) report() (end func()) {
	if b.options.Progress == nil {
		return func() {}
	}
	return loop.Every(b.options.Every, func(final bool) {
		if !final {
			b.options.Progress(Progress{Elapsed: time.Since(b.start), States: int(b.states.Load()), Open: int(b.open.Load()),
				Nodes: b.nodes()})
		}
	})
}
