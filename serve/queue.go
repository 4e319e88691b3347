package serve

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/puzpuzpuz/xsync/v3"
)

const runsFolder = "runs"

// queue runs searches one after the other, or as many at a time as Options.AtOnce says. Each
// has an equal share of the cores and of the memory.
type queue struct {
	s    *Server
	runs *xsync.MapOf[string, *run]
	wake chan struct{}
}

// newQueue finds the runs of the folder.
func newQueue(s *Server) (*queue, error) {
	q := &queue{s: s, runs: xsync.NewMapOf[string, *run](), wake: make(chan struct{}, 1)}
	entries, err := os.ReadDir(s.path(runsFolder))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if r, err := s.load(e.Name()); err == nil { // one without run.json was never asked for
			q.runs.Store(r.ID, r)
		}
	}
	return q, nil
}

// find returns a run, nil for none.
func (q *queue) find(id string) *run {
	r, _ := q.runs.Load(id)
	return r
}

// all returns the runs, the newest first.
func (q *queue) all() []*run {
	var list []*run
	q.runs.Range(func(_ string, r *run) bool { list = append(list, r); return true })
	slices.SortFunc(list, func(a, b *run) int { return strings.Compare(b.ID, a.ID) })
	return list
}

// mostRuns bounds what waits, so that no loop in a browser fills the disk.
const mostRuns = 1000

// add makes the folder of a run, which then waits.
func (q *queue) add(a question) (*run, error) {
	waiting := 0
	for _, other := range q.all() {
		if other.is() == queued {
			waiting++
		}
	}
	if waiting >= mostRuns {
		return nil, fmt.Errorf("%d runs wait already", waiting)
	}
	r, err := q.folder(a)
	if err != nil {
		return nil, err
	}
	if err := r.files.WriteJSON("run.json", r.Asked); err != nil {
		_ = os.Remove(r.files.Path)
		return nil, err
	}
	q.runs.Store(r.ID, r)
	q.nudge()
	return r, nil
}

// nudge says that there may be something to do.
func (q *queue) nudge() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// next takes the run that waits longest; nil for none.
func (q *queue) next() (found *run) {
	for _, r := range slices.Backward(q.all()) {
		r.update(func() {
			if r.State == queued && found == nil {
				r.State, r.Begun, found = reading, time.Now(), r
				r.touch()
			}
		})
	}
	return found
}

// overtaking is how many runs may begin beside those that have a place, and turn how long a search has its
// place to itself: so a question of a second does not wait behind one of minutes.
const (
	overtaking = 2
	turn       = 5 * time.Second
)

// mayBegin reports whether another run may begin.
func (q *queue) mayBegin() bool {
	active, alone := 0, 0
	for _, r := range q.all() {
		r.update(func() {
			if r.State.active() {
				if active++; time.Since(r.Begun) < q.s.o.turn {
					alone++
				}
			}
		})
	}
	return active < q.s.o.AtOnce || alone == 0 && active < q.s.o.AtOnce+overtaking
}

// work searches until ctx ends, then waits for the searches to be saved.
func (q *queue) work(ctx context.Context) {
	var searches sync.WaitGroup
	defer searches.Wait()
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		for q.mayBegin() {
			r := q.next()
			if r == nil {
				break
			}
			searches.Go(func() { r.work(ctx, max(runtime.GOMAXPROCS(0)/q.s.o.AtOnce, 1)) })
		}
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
		case <-look.C:
		}
	}
}

// cancel ends a search with what it found, or takes a run that waits out of the queue.
func (q *queue) cancel(r *run) {
	waits := false
	r.update(func() {
		if r.Stopped, waits = true, r.State == queued; r.stop != nil {
			r.stop()
		}
	})
	if waits {
		_ = r.conclude(&ended{Error: "stopped before it began"}, nil) // what is not written waits again at the next start
	}
}

// resume puts a run that ended without a proof back into the queue.
func (q *queue) resume(r *run) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.Asked.Opened ||
		r.State != done && r.State != failed || (r.End.optimal() || r.End.Choice != nil) && !r.End.Resumes {
		return fmt.Errorf("this run cannot go on: it %s", r.State)
	}
	if err := os.Remove(r.files.At("result.json")); err != nil {
		return err
	}
	r.State, r.End, r.Model, r.Stopped, r.Warnings = queued, nil, nil, false, nil
	r.touch()
	q.nudge()
	return nil
}

// remove deletes a run that does not run.
func (q *queue) remove(r *run) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.State.active() {
		return fmt.Errorf("this run %s: stop it first", r.State)
	}
	if err := os.RemoveAll(r.files.Path); err != nil {
		return err
	}
	r.State = failed
	q.runs.Delete(r.ID)
	return nil
}

// waiting returns how many runs are to be searched before this one.
func (q *queue) waiting(r *run) (before int) {
	for _, other := range q.all() {
		if s := other.is(); s.active() || other.ID < r.ID && s == queued {
			before++
		}
	}
	return before
}
