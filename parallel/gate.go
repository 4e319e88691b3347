package parallel

import (
	"context"
	"sync"
)

// Gate holds searches and lets them go on. The zero value is open. A limit of time goes on
// counting while a search is held, and ends it.
type Gate struct {
	mutex  sync.Mutex
	opened chan struct{} // closed when the gate opens; nil while it is open
	runs   map[*Run]bool // that began and have not ended
}

// Close holds all runs below the gate, and those that begin.
func (g *Gate) Close() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.opened != nil {
		return
	}
	g.opened = make(chan struct{})
	for r := range g.runs {
		r.state.CompareAndSwap(running, holding)
	}
}

// Open lets them go on.
func (g *Gate) Open() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.opened == nil {
		return
	}
	for r := range g.runs {
		r.state.CompareAndSwap(holding, running)
	}
	close(g.opened)
	g.opened = nil
}

// enter puts a run below the gate until leave is called. A nil gate is always open.
func (g *Gate) enter(r *Run) (leave func()) {
	if g == nil {
		return func() {}
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.runs == nil {
		g.runs = map[*Run]bool{}
	}
	g.runs[r], r.gate = true, g
	g.hold(r)
	return func() {
		g.mutex.Lock()
		delete(g.runs, r)
		g.mutex.Unlock()
	}
}

// hold holds a run that is neither held nor in a pause, if the gate is closed. The caller
// has locked the gate.
func (g *Gate) hold(r *Run) {
	if g.opened != nil {
		r.state.CompareAndSwap(running, holding)
	}
}

// paused holds a run whose pause is over, if the gate was closed meanwhile.
func (g *Gate) paused(r *Run) {
	if g != nil {
		g.mutex.Lock()
		g.hold(r)
		g.mutex.Unlock()
	}
}

// wait returns when the gate is open or the run has ended, and reports that the run goes on.
func (r *Run) wait() bool {
	r.gate.mutex.Lock()
	opened := r.gate.opened
	r.gate.mutex.Unlock()
	if opened != nil {
		select {
		case <-opened:
		case <-r.done:
		}
	}
	return r.state.Load() <= running
}

type gateKey struct{}

// WithGate returns a context whose runs are below a gate.
func WithGate(ctx context.Context, g *Gate) context.Context {
	return context.WithValue(ctx, gateKey{}, g)
}

// gateOf returns the gate of a context, nil for none.
func gateOf(ctx context.Context) *Gate {
	g, _ := ctx.Value(gateKey{}).(*Gate)
	return g
}
