// Package parallel is the engine of every search of this module. It runs workers over
// sharded priority queues, stops them at limits, pauses them for a checkpoint, and detects
// that no work is left. It knows no family of models and no data. Begin with NewRun and
// NewQueue; the example is a whole client.
//
// A client names its nodes, the subproblems that are open, by 32-bit integers,
// and gives each a lower bound that no child falls below. Then
//
//   - Run has the workers, the limits and the reason why the search ended. Its Do
//     starts work(0), work(1), … and a monitor beside them (Watch). A worker asks
//     Running within long loops and MayExpand before it expands a node.
//   - Queue has the open nodes. Each goroutine uses its Worker: Next gives a node, Push
//     takes its children, Finished says that it is done, in this order. If Push has no
//     memory for a child, the worker searches it itself, depth first.
//   - Incumbent has the best solution, for pruning; Queue.BestBound has the bound
//     to report with it; Queue.Status says whether it is proved.
//   - KeyMap remembers what is known of a subproblem by a 128-bit hash. It is
//     lock-free. Offer keeps the smallest of some values.
//   - Budget bounds the memory of all that. Allowance makes a check pay for itself.
//
// A search that is not a queue of nodes, such as depth-first search with a map of
// subproblems, takes Run, KeyMap, Budget and Incumbent, and no Queue: its workers
// return from Do when they have divided the work up and done it, and the worker that
// proves the end calls Halt(Optimal).
//
// run.go has the argument that a run ends and loses nothing. memory.go says what goroutines
// see of each other's writes. keymap.go has the map.
//
// There may be 2^32 nodes at a time and 2^14 priorities. With many sockets, the first
// things to suffer are the tables of a KeyMap, which lie on the memory node of the
// thread that grows them, and the incumbent's cache line while it improves often.
package parallel

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"parcorels/internal/status"
	"parcorels/loop/interleave"
)

// How a run ends.
//
// A run goes from running, or pausing, to one reason, once (Halt). Either a
// worker proves that no node is open; or the monitor, on a timer or a cancelled
// context, or a worker at the limit of nodes, ends it.
//
// That an end is found. A node is open from when it is counted in
// counters.inserted, before anybody else can see it, until it is counted in
// counters.finished, after its children are counted. Where the
// sums are equal, nothing is open and nothing can become open. A worker asks
// for the sums only when it has nothing in its hands and has found every shard
// empty, and the worker that finishes the last node comes to that point: it
// finds nothing more to take, and parks (worker.go). A worker that parked before it
// saw sums that differed and waits for a token or for the end.
//
// That nobody waits for ever. While nodes are open, each is in a shard, in what
// the client's whenEmpty function of Next gives out, or in the hands of a worker
// that is not parked. Either the pusher sees the parked worker, or the worker sees
// the pushed node (memory.go), and every take that leaves something wakes one more. What
// whenEmpty gives out may only shrink while workers run, so it needs no wake-up. If each
// node takes finite time and the tree is finite, the end comes; then Halt closes
// the channel for which everyone who is parked waits too.
//
// That everybody comes back. Workers look at the state before every node, and
// the client asks Running in its own loops. Do waits for all workers, then for
// the monitor, which ends when the workers have: no goroutine outlives the call.
// While the workers stand still they wait at a gate that the monitor opens in
// every case.
//
// That what was cut short is not lost. A node whose expansion the end cut short
// is never counted as finished, so BestBound covers it and Status does not say
// Optimal.

// Limits bound a run.
type Limits struct {
	Workers int           // goroutines that work, at least 1
	Start   time.Time     // from when Time counts
	Time    time.Duration // 0: no limit
	Nodes   int64         // nodes to expand; 0: no limit
}

// Run is one search as its workers see it: the limits, the pause and the reason
// why it ended. It goes from running, or pausing, to one reason, once.
type Run struct {
	limits Limits
	done   chan struct{} // closed at the end
	pause  pause

	_     [64]byte
	state atomic.Int32 // pausing, running, or the Status of the end; read in every loop
	_     [60]byte
	taken atomic.Int64 // expansions begun, counted only under a limit
	_     [56]byte
}

// MaxWorkers is the most workers that a search may ask for. Every worker has buffers
// of its own, so that a mistyped number would take all memory.
const MaxWorkers = 4096

// The states of a run beside its ends.
const pausing = -1             // the workers are to stand still
const running = int32(Unknown) // no reason to end yet

// NewRun returns a run that has not started.
func NewRun(l Limits) *Run {
	return &Run{
		limits: l, done: make(chan struct{}),
		pause: pause{busy: l.Workers, gate: make(chan struct{}), still: make(chan struct{}, 1)},
	}
}

// Workers returns the number of workers.
func (r *Run) Workers() int { return r.limits.Workers }

// Do calls work(0) to work(Workers − 1) in goroutines of their own, and waits
// for them. Beside them a monitor stops the run at its limit of time or when
// ctx is done, and calls what w asks for.
func (r *Run) Do(ctx context.Context, w Watch, work func(worker int)) {
	if ctx.Err() != nil {
		r.Halt(Interrupted) // the workers could be done before the monitor looks
	}
	over := make(chan struct{})
	var monitor, workers errgroup.Group
	monitor.Go(func() error { r.monitor(ctx, w, over); return nil })
	run := func(i int) {
		defer r.Leave()
		if r.Running() { // a worker's buffers are large
			work(i)
		}
	}
	for i := 1; i < r.limits.Workers; i++ {
		workers.Go(func() error { run(i); return nil })
	}
	run(0)             // where the stack has grown already, which takes as long as a small search
	_ = workers.Wait() // workers return no errors
	close(over)
	_ = monitor.Wait()
}

// Halt ends the run for one reason, the first that comes: Optimal when nothing
// is left to search.
func (r *Run) Halt(why Status) {
	for old := r.state.Load(); old <= running; old = r.state.Load() {
		if r.state.CompareAndSwap(old, int32(why)) {
			close(r.done)
			return
		}
	}
}

// Running reports whether nothing has ended the run.
func (r *Run) Running() bool { return r.state.Load() <= running }

// End returns why the run ended, Unknown while it runs.
func (r *Run) End() Status { return Status(max(r.state.Load(), running)) }

// Done is closed when the run ends.
func (r *Run) Done() <-chan struct{} { return r.done }

// MayExpand reports whether the limit on nodes allows one more expansion, and
// ends the run if not.
func (r *Run) MayExpand() bool {
	if r.limits.Nodes > 0 && r.taken.Add(1) > r.limits.Nodes {
		r.Halt(NodeLimit)
		return false
	}
	return true
}

// Paused is called between two nodes, never with one that nobody else knows: it
// stands still through a pause and reports whether the run goes on.
func (r *Run) Paused() bool {
	switch r.state.Load() {
	case running:
		return true
	case pausing:
		r.Leave()
		r.Enter()
	}
	return r.state.Load() <= running
}

// Leave says that the worker that calls it is not busy until it calls Enter: it
// touches nothing that a pause is asked for.
func (r *Run) Leave() { r.pause.leave() }

// Enter makes the worker that calls it busy again, after the pause if there is
// one.
func (r *Run) Enter() { r.pause.enter() }

// A pause, in which all workers stand still, so that a checkpoint can be
// written.
//
// The monitor asks for one by setting Run.state to pausing, which costs the
// workers nothing: they look at it anyway. A worker is busy while it may change
// something that a checkpoint describes. It stops being busy
//
//   - between two nodes, when it sees that a pause was asked for: what is open
//     is then in a queue, or in hands that the client knows of;
//   - while it is parked (worker.go) or does something else between Leave and
//     Enter, in which it touches no node;
//   - when it has ended.
//
// To be busy again it passes the gate, which is shut from the moment a pause
// is asked for to its end. So once nobody is busy nobody will be, and the last
// to stop being busy says so on still.
//
// No deadlock. A busy worker comes to one of these points after one node, or
// earlier if the run is ended meanwhile, so still is told of every pause asked
// for. The monitor waits for it beside all else that it waits for, and it ends
// no earlier than the workers do: it always ends the pause. A worker that waits
// at the gate holds no lock, and no node that another worker would wait for in
// vain, since all others come to the gate too; a token that woke it from parking
// is not lost, for it looks at the queues when the gate opens.
//
// No starvation. A worker that waits at the gate counts as busy from the end of the
// pause on, awake or not, and after a pause a worker takes one node without
// looking for the next: between two pauses each worker that was held does
// something, however often pauses are asked for.
//
// Limits. A time limit or a cancelled context that comes while the monitor
// waits for the workers ends the run as ever; the pause is then given up. One
// that comes during the pause is seen at its end, before the gate opens.
type pause struct {
	mu      sync.Mutex
	busy    int
	waiting int // at the gate
	asked   bool
	gate    chan struct{} // closed at the end of the pause
	still   chan struct{} // told when a pause was asked for and nobody is busy
}

// ask shuts the gate.
func (p *pause) ask() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = true
	p.tell()
}

// end opens the gate.
func (p *pause) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = false
	p.busy += p.waiting
	p.waiting = 0
	close(p.gate)
	p.gate = make(chan struct{})
}

// leave says that the caller is no longer busy.
func (p *pause) leave() {
	interleave.Here()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy--
	p.tell()
}

// enter makes the caller busy again, after the pause if there is one.
func (p *pause) enter() {
	interleave.Here()
	p.mu.Lock()
	if !p.asked {
		p.busy++
		p.mu.Unlock()
		return
	}
	p.waiting++
	gate := p.gate
	p.mu.Unlock()
	<-gate
}

// tell is called with the lock held. While a pause is asked for nobody becomes
// busy, so this tells once.
func (p *pause) tell() {
	if p.asked && p.busy == 0 {
		p.still <- struct{}{}
	}
}

// counters are written by one worker and read by those that report or ask
// whether the search has ended. Each worker's lie on cache lines of their own.
//
// Termination: inserted counts open nodes made, finished those whose expansion
// has ended, and a worker adds the children of a node to inserted before it
// adds the node to finished. A reader sums every worker's finished first, up to
// a moment t, and then every inserted. Counters only grow, so Σinserted −
// Σfinished as read is at least the number of open nodes at t; when it is zero
// nothing was open at t, and nothing can be made any more.
type counters struct {
	_        [64]byte
	inserted atomic.Int64
	finished atomic.Int64
	levels   levelCounts
	deepest  atomic.Int64 // of the nodes made
	parked   atomic.Int64 // nanoseconds without anything to take
	_        [64]byte
}

// made notes that nodes of a depth were made.
func (c *counters) made(depth int) {
	if int64(depth) > c.deepest.Load() {
		c.deepest.Store(int64(depth))
	}
}

// add increments a counter that only the caller writes.
func add(c *atomic.Int64, n int64) { c.Store(c.Load() + n) }

// outstanding returns an upper bound on the open nodes at some moment during
// the call, exact when nobody is working; zero proves the end.
func outstanding(all []*counters) int64 {
	var finished, inserted int64
	for _, c := range all {
		finished += c.finished.Load()
		interleave.Here()
	}
	for _, c := range all {
		inserted += c.inserted.Load()
	}
	return inserted - finished
}

// Watch is what the monitor does beside the workers. Its functions are called
// from one goroutine.
type Watch struct {
	OnProgress    func() // reports progress; nil: never
	ProgressEvery time.Duration

	// OnPause is called while all workers stand still. When it has done what they
	// stand still for it calls resume, which lets them go on unless a limit was
	// reached meanwhile, and reports that. They go on when OnPause returns.
	OnPause    func(resume func() bool)
	PauseEvery time.Duration // from the end of one pause to the next; 0: never
	FirstPause time.Duration // until the first; 0: PauseEvery
}

// monitor stops the run when its context or its time ends, and calls what w
// asks for. While nodes are expanded nobody else reads a clock.
func (r *Run) monitor(ctx context.Context, w Watch, over <-chan struct{}) {
	var limit, tick, still <-chan time.Time
	if r.limits.Time > 0 {
		t := time.NewTimer(r.limits.Time - time.Since(r.limits.Start))
		defer t.Stop()
		limit = t.C
	}
	if w.OnProgress != nil {
		t := time.NewTicker(w.ProgressEvery)
		defer t.Stop()
		tick = t.C
	}
	var untilPause *time.Timer
	if next := cmp.Or(w.FirstPause, w.PauseEvery); w.OnPause != nil && next > 0 {
		untilPause = time.NewTimer(next)
		defer untilPause.Stop()
		still = untilPause.C
	}
	done := ctx.Done()
	for {
		select {
		case <-done:
			r.Halt(Interrupted)
			done = nil
		case <-limit:
			r.Halt(TimeLimit)
		case <-still:
			if r.state.CompareAndSwap(running, pausing) {
				r.pause.ask()
			}
		case <-r.pause.still:
			r.standStill(ctx, w.OnPause)
			if w.PauseEvery > 0 {
				untilPause.Reset(w.PauseEvery)
			}
		case <-tick:
			w.OnProgress()
		case <-over:
			return
		}
	}
}

// standStill calls f while the workers stand still, and lets them go on.
func (r *Run) standStill(ctx context.Context, f func(resume func() bool)) {
	if r.state.Load() == pausing {
		f(func() bool {
			switch {
			case ctx.Err() != nil:
				r.Halt(Interrupted)
			case r.limits.Time > 0 && time.Since(r.limits.Start) >= r.limits.Time:
				r.Halt(TimeLimit)
			}
			return r.state.CompareAndSwap(pausing, running)
		})
	}
	r.pause.end()
}

// Progress is what the searches of all families tell while they run.
type Progress struct {
	Elapsed time.Duration // since Solve was called
	Nodes   int64         // examined so far: prefixes, sets of points, or rules
	Open    int64         // nodes that wait or are being examined; 0 where there are none
	Length  int           // of the best model: rules, or leaves
	Value   float64       // of the best model: objective, value or log posterior
	Bound   float64       // no model has a better value
	Gap     float64       // between value and bound: relative, of log posteriors in nats
	Bytes   int64         // of nodes, queues and map
	Final   bool          // the search has ended
}

// Status says why a search ended. Its zero value is Unknown, which claims
// nothing.
type Status = status.Status

const (
	// Unknown is the status of a search that runs, and of one that failed.
	Unknown = status.Unknown
	// Optimal: no model is better; the whole space was closed.
	Optimal = status.Optimal
	// TimeLimit, NodeLimit: one of Limits was reached first.
	TimeLimit = status.TimeLimit
	NodeLimit = status.NodeLimit
	// MemoryLimit: not even the data structures of one worker fit.
	MemoryLimit = status.MemoryLimit
	// Interrupted: the context was cancelled.
	Interrupted = status.Interrupted
	// Stalled: for long neither the best model nor the bound had moved.
	Stalled = status.Stalled
	// Finished: the search did all that it was to do and proved less than that.
	Finished = status.Finished
)

// Stall tells when a search is to end by itself: the last half of its work has found no better model, has left as many open
// nodes, and has closed less than a twentieth of the gap. So it looks at them each time that the work has doubled. Work is
// counted, not time: one worker always ends at the same node. The zero value never ends a search.
//
// In rule lists on telco's 1,354 pairs each doubling closes less than 1% of the gap, 43% of the objective; on COMPAS's 863, 10 to 17%.
type Stall struct {
	every int64 // of a worker's work, after which it is told
	mu    sync.Mutex
	work  int64 // of all workers
	next  int64 // when the next look is due
	last  Standing
}

// Standing is how a search stands.
type Standing struct {
	Best any // the best model, as something to be compared
	Gap  int64
	Open int64 // nodes
}

const stallParts = 64 // of the work until the first look, after which a worker tells of its own
const stallShare = 20 // of the gap, the part that must be closed

// Begin sets how much work each of the workers does until the first look.
func (x *Stall) Begin(work int64, workers int) {
	x.every, x.work, x.last = max(1, work/stallParts), 0, Standing{}
	x.next = stallParts * x.every * int64(workers)
}

// Stalled takes the work that a worker has not told of, and reports whether the search is to end. Most often the worker's own
// work says that no look is due.
func (x *Stall) Stalled(work *int64, stands func() Standing) bool {
	if x.every == 0 || *work < x.every {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.work += *work
	if *work = 0; x.work < x.next {
		return false
	}
	x.next *= 2
	before := x.last
	x.last = stands()
	return x.last.Best == before.Best && x.last.Open >= before.Open && x.last.Gap > before.Gap-before.Gap/stallShare
}
