package serve

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/puzpuzpuz/xsync/v3"
)

// site is what all pages show: the folder, with the queue of its runs. Searches run one after the other, or as many at a time
// as Options.AtOnce says. Each has an equal share of the cores and of the memory.
type site struct {
	*store
	runs     *xsync.MapOf[string, *run]
	removed  *xsync.MapOf[string, *run]
	asking   sync.Mutex // held by who puts a run in the queue
	checking sync.Mutex // held by the check of a proof
}

// newSite finds the runs of a folder.
func newSite(s *store) (*site, error) {
	q := &site{store: s, runs: xsync.NewMapOf[string, *run](), removed: xsync.NewMapOf[string, *run]()}
	entries, err := os.ReadDir(s.path(runsFolder))
	for _, e := range entries {
		if r, err := s.load(e.Name()); err == nil { // one without run.json was never asked for
			q.runs.Store(e.Name(), r)
		}
	}
	return q, err
}

// find returns a run, nil for none.
func (s *site) find(id string) *run {
	r, _ := s.runs.Load(id)
	return r
}

// all returns the runs, the newest first.
func (s *site) all() (list []*run) {
	s.runs.Range(func(_ string, r *run) bool { list = append(list, r); return true })
	slices.SortFunc(list, func(a, b *run) int { return strings.Compare(b.facts.ID, a.facts.ID) })
	return list
}

// made makes the folder of a run, which is in no queue yet.
func (s *site) made(a question) (*run, error) {
	now := time.Now().UTC()
	a.Made = now.Truncate(time.Second)
	r := s.newRun(facts{Asked: a, State: queued, ID: now.Format("20060102-150405.000000-") + newToken()[:6]}) // in the order of asking
	err := os.Mkdir(r.files.Path, 0o777)
	if err == nil {
		err = r.files.WriteJSON("run.json", a)
	}
	if err != nil {
		_ = os.Remove(r.files.Path)
		return nil, fmt.Errorf("the run could not be kept: %w", err)
	}
	return r, nil
}

// mostRuns bounds what waits, so that no loop in a browser fills the disk.
const mostRuns = 1000

// ask puts a run in the queue, and returns its address. The same question is the same run.
func (s *site) ask(a question) (at string, err error) {
	if _, _, _, err := s.resolved(&a); err != nil {
		return "", err
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	waiting := 0
	for _, run := range s.all() {
		x := run.now()
		if x.State != failed && !x.Stopped && x.Asked.same(&a) {
			return x.At(), nil
		}
		if x.State == queued {
			waiting++
		}
	}
	if waiting >= mostRuns {
		return "", fmt.Errorf("%d runs wait already", waiting)
	}
	r, err := s.made(a)
	if err != nil {
		return "", err
	}
	s.runs.Store(r.facts.ID, r)
	return r.facts.At(), nil
}

// next takes the run that waits longest, if it may begin; nil for none.
func (s *site) next() (found *run) {
	active, alone := 0, 0
	for _, r := range s.all() {
		switch x := r.now(); {
		case x.State == queued:
			found = r
		case x.State.active():
			if active++; time.Since(x.Begun) < s.o.turn {
				alone++
			}
		}
	}
	if found == nil || active >= s.o.AtOnce && (alone > 0 || active >= s.o.AtOnce+overtaking) {
		return nil
	}
	found.update(func(x *facts) {
		if x.State == queued { // or it was stopped or removed meanwhile
			x.State, x.Begun = reading, time.Now()
			x.Version++
		} else {
			found = nil
		}
	})
	return found
}

// lookForRuns is the time from one look at what waits to the next.
const lookForRuns = 100 * time.Millisecond

// work searches until ctx ends, then waits for the searches to be saved.
func (s *site) work(ctx context.Context) {
	var searches sync.WaitGroup
	defer searches.Wait()
	look := time.NewTicker(lookForRuns)
	defer look.Stop()
	for {
		for r := s.next(); r != nil; r = s.next() {
			searches.Go(func() { r.work(ctx, max(runtime.GOMAXPROCS(0)/s.o.AtOnce, 1)) })
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

// stopRun ends a search with what it found, or takes a run that waits out of the queue.
func stopRun(v *runView, _ *http.Request) (*view, error) {
	r, waits := v.run, false
	r.update(func(x *facts) {
		if x.Stopped, waits = true, x.State == queued; r.stop != nil {
			r.stop()
		}
	})
	if waits {
		_ = r.conclude(&ended{Error: "stopped before it began"}, nil) // what is not written waits again at the next start
	}
	return lead(v.At(), nil)
}

// resumeRun puts a run that ended without a proof back into the queue.
func resumeRun(v *runView, _ *http.Request) (_ *view, err error) {
	v.run.update(func(x *facts) {
		if x.Asked.Opened || x.State != done && x.State != failed || (x.End.optimal() || x.End.Choice != nil) && !x.End.Resumes {
			err = fmt.Errorf("this run cannot go on: it %s", x.State)
		} else if err = os.Remove(v.run.files.At("result.json")); err == nil {
			x.State, x.End, x.Model, x.Stopped, x.Warnings = queued, nil, nil, false, nil
			x.Version++
		}
	})
	return lead(v.At(), err)
}

// removeRun takes a run away that does not run, until it is brought back or the next server starts.
func removeRun(v *runView, _ *http.Request) (_ *view, err error) {
	v.run.update(func(x *facts) {
		if x.State.active() {
			err = fmt.Errorf("this run %s: stop it first", x.State)
		} else if err = os.Rename(v.run.files.Path, v.path(removedFolder, x.ID)); err == nil {
			x.State = removed
			v.runs.Delete(x.ID)
			v.removed.Store(x.ID, v.run)
		}
	})
	return lead("/", err)
}

// bringBack undoes that a run was removed.
func (s *site) bringBack(r *http.Request) (*view, error) {
	id := r.PathValue("run")
	if _, is := s.removed.LoadAndDelete(id); !is {
		return nil, errNothing
	}
	if err := os.Rename(s.path(removedFolder, id), s.path(runsFolder, id)); err != nil {
		return nil, err
	}
	back, err := s.load(id)
	if err == nil {
		s.runs.Store(id, back)
	}
	return lead("/runs/"+id, err)
}

// waiting returns how many runs are to be searched before one.
func (s *site) waiting(id string) (before int) {
	for _, other := range s.all() {
		if x := other.now(); x.State.active() || x.ID < id && x.State == queued {
			before++
		}
	}
	return before
}
