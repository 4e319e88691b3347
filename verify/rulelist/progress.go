package rulelist

import (
	"sync/atomic"
	"time"
)

// Progress tells how far a check has come.
type Progress struct {
	Elapsed  time.Duration
	Records  int64 // read so far
	Expanded int64 // prefixes that the proof says were expanded; 0 until it has been read
	Prefixes int64 // of them, those checked so far: in the end fewer if a prefix of theirs was found dominated later
	Final    bool  // whether it is the last of a check that has come to an end
}

// watch reports progress. It only reads what others count.
type watch struct {
	o     Options
	start time.Time
	over  chan struct{}
	done  chan struct{}

	records  atomic.Int64
	walkers  atomic.Pointer[[]*walker] // nil until the proof has been read
	expanded int64                     // set before walkers is
}

// newWatch begins to report, if anybody wants to know.
func newWatch(o Options) *watch {
	w := &watch{o: o, start: time.Now(), over: make(chan struct{}), done: make(chan struct{})}
	if o.Progress == nil {
		close(w.done)
	} else {
		go w.run()
	}
	return w
}

func (w *watch) run() {
	defer close(w.done)
	every := w.o.ProgressEvery
	if every <= 0 {
		every = time.Second
	}
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			w.o.Progress(w.progress(false))
		case <-w.over:
			w.o.Progress(w.progress(true))
			return
		}
	}
}

// end reports for the last time.
func (w *watch) end() {
	close(w.over)
	<-w.done
}

func (w *watch) progress(final bool) Progress {
	p := Progress{Elapsed: time.Since(w.start), Records: w.records.Load(), Final: final}
	if walkers := w.walkers.Load(); walkers != nil {
		p.Expanded = w.expanded
		for _, x := range *walkers {
			p.Prefixes += x.prefixes.Load()
		}
	}
	return p
}

// Options says how to check, and what to tell. The verdict does not depend on it.
type Options struct {
	Workers int // goroutines; 0: all that GOMAXPROCS allows

	// Explain asks for an Explanation. It is called when the proof has been checked, with
	// the largest objective that is smaller than the verified one, and may return
	// weights that show by themselves that no list has it, or nil. They are evaluated
	// like any others, so nothing rests on where they come from.
	Explain func(smaller int64) *Weights

	Progress      func(Progress) // called by one goroutine, never after the check has ended; may be nil
	ProgressEvery time.Duration  // 0: a second
}
