package parallel

import (
	"sync"

	"parcorels/internal/testing/interleave"
)

// A pause, in which all workers stand still, so that a checkpoint can be
// written.
//
// The monitor asks for one by setting Run.state to pausing, which costs the
// workers nothing: they look at it anyway. A worker is busy while it may change
// something that a checkpoint describes. It stops being busy
//
//   - between two nodes, when it sees that a pause was asked for: what is open
//     is then in a queue, or in hands that the client knows of;
//   - while it is parked (parking.go) or does something else between Leave and
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
