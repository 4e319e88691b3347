package dataset

import (
	"sync"
	"sync/atomic"
)

// A portion of a file takes up to five steps: it is read, cut, which makes a
// chunk of it, hashed if anybody asks for that, parsed, and what was parsed is
// merged into the result. Every step takes the portions in the order of the
// file. Parsing goes on in many at the same time, and so does reading of a plain
// file, its hash included; the other steps are done to one after the other. So the result and the
// first error are those of a reader that goes through the file once, whatever
// the size of portions and the number of workers.
//
// A worker does whatever can be done, the hash of a stream before all else, as nothing
// takes longer one portion after the other, and then the last step first. It waits
// only where the others have all portions in their hands. Merging is the first step
// to be busy all the time on many processors. Memory is bounded by the slots times chunkSize or the longest record.

// slot holds a portion on its way through the steps.
type slot[R any] struct {
	next    int // step to be done; taken while a worker is at it
	portion portion
	chunk   chunk
	last    bool // no chunk is behind this one
	by      int  // worker that did the last step, whose cache holds the portion
	parse   func(chunk) R
	result  R
}

// cutting is the step that finds the end of a file.
const cutting = 1

// taken is the next step of a slot that a worker is at.
const taken = -1

// step is what is done to each portion.
type step[R any] struct {
	do     func(number int, s *slot[R])
	number int  // of the portion that comes next
	alone  bool // one worker at a time
	busy   bool // a worker is at it alone
}

// pipeline takes the portions of a source through the steps.
type pipeline[R any] struct {
	source *source
	steps  []step[R]
	slots  []slot[R]

	hashing int // the step that hashes a stream; 0: none

	mu    sync.Mutex
	moved sync.Cond // a step may have become possible
	last  bool      // the last chunk is cut
	done  bool
	err   error // the first of merging

	ended    atomic.Uint32 // steps
	spinning bool          // a worker waits without sleep
}

// inChunks parses what s has left and merges the results in order. It returns
// the first error of merge, and reads no more then. There is a parser for each
// slot, which may use the memory of a result again once it is merged.
func inChunks[R any](s *source, workers int, newParser func() func(chunk) R, merge func(R) error) error {
	workers = s.workers(workers)
	slots := 1
	if workers > 1 {
		slots = 2 * workers
	}
	p := &pipeline[R]{source: s, slots: make([]slot[R], slots)}
	p.moved.L = &p.mu
	for i := range p.slots {
		p.slots[i].parse = newParser()
	}
	p.add(s.file == nil, func(number int, t *slot[R]) { s.read(&t.portion, number) })
	p.add(true, func(number int, t *slot[R]) { t.chunk, t.last = s.cut(&t.portion, number) })
	if s.sum != nil {
		p.hashing = len(p.steps)
		p.add(true, func(_ int, t *slot[R]) { s.hash(&t.portion) })
	}
	p.add(false, func(_ int, t *slot[R]) { t.result = t.parse(t.chunk) })
	p.add(true, func(_ int, t *slot[R]) { p.err = merge(t.result) })
	var group sync.WaitGroup
	for worker := range workers - 1 {
		group.Go(func() { p.work(worker + 1) })
	}
	p.work(0)
	group.Wait()
	for i := range p.slots {
		p.slots[i].portion.release()
	}
	return p.err
}

func (p *pipeline[R]) add(alone bool, do func(int, *slot[R])) {
	p.steps = append(p.steps, step[R]{do: do, alone: alone})
}

// work does steps until all is done.
func (p *pipeline[R]) work(worker int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.done {
		k, number := p.begin(worker)
		if k < 0 {
			if !p.spin() {
				p.moved.Wait()
			}
			continue
		}
		s := &p.slots[number%len(p.slots)]
		p.mu.Unlock()
		p.steps[k].do(number, s)
		p.mu.Lock()
		s.by = worker
		p.end(k, s)
	}
}

// spins is how often a worker looks whether another has ended a step before it sleeps,
// which takes some 50 µs. To wake up takes .1 ms, in which others do ten steps.
const spins = 1 << 16

// spin waits for the end of a step that another worker is at, and reports whether
// there was one soon. One worker at a time does so: more would be in the way of those
// that have something to do.
func (p *pipeline[R]) spin() bool {
	if p.spinning {
		return false
	}
	p.spinning = true
	ended := p.ended.Load()
	p.mu.Unlock()
	for i := 0; i < spins && p.ended.Load() == ended; i++ {
	}
	p.mu.Lock()
	p.spinning = false
	return p.ended.Load() != ended
}

// begin returns a step that can be done and the number of the portion that it is
// done to, which no other worker begins then; -1 if there is none.
func (p *pipeline[R]) begin(worker int) (k, number int) {
	if p.hashing > 0 {
		if number, ok := p.take(p.hashing, anyone); ok {
			return p.hashing, number
		}
	}
	first := 0
	if p.last {
		first = cutting + 1
	}
	for _, by := range [...]int{worker, anyone} {
		for k := len(p.steps) - 1; k >= first; k-- {
			if number, ok := p.take(k, by); ok {
				return k, number
			}
		}
	}
	return -1, 0
}

// anyone stands for all workers.
const anyone = -1

// take takes the portion that comes next in step k, if that can be done and the worker
// by did the step before.
func (p *pipeline[R]) take(k, by int) (number int, ok bool) {
	step := &p.steps[k]
	number = step.number
	s := &p.slots[number%len(p.slots)]
	if s.next != k || step.busy || by != anyone && s.by != by {
		return 0, false
	}
	step.number++
	step.busy = step.alone
	s.next = taken
	return number, true
}

// end ends step k of a slot. It makes two steps possible at the most, one of
// which this worker may take.
func (p *pipeline[R]) end(k int, s *slot[R]) {
	p.ended.Add(1)
	s.next = (k + 1) % len(p.steps)
	p.steps[k].busy = false
	p.last = p.last || k == cutting && s.last
	if k == len(p.steps)-1 && (s.last || p.err != nil) {
		p.done = true
		p.moved.Broadcast()
		return
	}
	if !p.spinning {
		p.moved.Signal()
	}
}
