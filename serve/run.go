package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/report"
	runs "parcorels/run"
)

// ended is how a run went: result.json.
type ended struct {
	Error    string           `json:"error,omitempty"` // why there is no model
	Proved   bool             `json:"proved"`          // the proof in the folder is whole
	Resumes  bool             `json:"resumes"`         // the search can go on
	Warnings []string         `json:"warnings,omitempty"`
	Result   *report.Result   `json:"result,omitempty"`
	Unseen   *crossval.Unseen `json:"unseen,omitempty"`
	Choice   *answer.Several  `json:"choice,omitempty"` // of a run that finds several models
	Chance   *report.Chance   `json:"chance,omitempty"` // what shuffled answers say, once somebody asked
}

// optimal reports whether a run is proved.
func (e *ended) optimal() bool { return e.Result != nil && e.Result.Status == status.Optimal }

// state is what a run does.
type state string

const (
	queued    state = "waits"
	reading   state = "reads the table"
	mining    state = "looks for conditions"
	searching state = "searches"
	done      state = "done"
	failed    state = "failed"
	removed   state = "removed"
)

// active reports whether a search runs, or prepares to.
func (s state) active() bool { return s == reading || s == mining || s == searching }

// run is a run, on the disk and as it goes.
type run struct {
	*store
	files *runs.Folder
	mutex sync.Mutex
	facts facts // changes under the mutex alone
	stop  context.CancelFunc
}

// facts are a run at one moment. What they point to does not change.
type facts struct {
	ID       string
	Asked    question
	State    state
	Begun    time.Time // of the work since the start of this program
	End      *ended
	Stopped  bool          // somebody wants no more
	Look     *report.Look  // at the search, nil before the first
	Best     family.Shown  // the best so far, which may be known as a text alone
	Model    *family.Model // the same, or one that is not on the disk yet
	Unseen   *crossval.Unseen
	Warnings []string
	Check    string // what the checker said of the proof, "" where nobody asked
	Verified bool   // it found it right
	Told     string // how far a search for several models is
	Version  int    // of all but the figures of the search: a page shows its parts anew where it is another
}

// At is the address of a run.
func (x *facts) At() string { return "/runs/" + x.ID }

// Running reports whether a run waits or searches.
func (x *facts) Running() bool { return x.State == queued || x.State.active() }

// Seconds is how long a run has been worked on, 0 of one that waits.
func (x *facts) Seconds() float64 {
	if x.Begun.IsZero() {
		return 0
	}
	return time.Since(x.Begun).Seconds()
}

// finish takes the end of a run.
func (x *facts) finish(e *ended) {
	x.End, x.State, x.Unseen = e, done, e.Unseen
	if e.Error != "" {
		x.State = failed
	}
}

// newRun returns a run with these facts.
func (s *store) newRun(x facts) *run {
	return &run{store: s, facts: x, files: &runs.Folder{Path: s.path(runsFolder, x.ID), Write: s.o.write}}
}

// load finds what the folder of a run says. A run without a result waits.
func (s *store) load(id string) (*run, error) {
	r, e := s.newRun(facts{ID: id, State: queued}), &ended{}
	r.files.Sweep("model.json")
	if err := r.files.ReadJSON("run.json", &r.facts.Asked); err != nil {
		return nil, err
	}
	switch err := r.files.ReadJSON("result.json", e); {
	case err == nil:
		r.facts.finish(e)
		r.files.Tidy(e.Proved, e.Resumes)
	case !errors.Is(err, fs.ErrNotExist):
		r.facts.finish(&ended{Error: fmt.Sprintf("result.json cannot be read: %v", err)})
	}
	return r, nil
}

// update changes the facts of a run, which pages then show anew.
func (r *run) update(change func(x *facts)) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	change(&r.facts)
	r.facts.Version++
}

// now returns the facts of a run.
func (r *run) now() facts {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.facts
}

// enter enters a state.
func (r *run) enter(s state) { r.update(func(x *facts) { x.State = s }) }

// warn says something that stays on the page, once.
func (r *run) warn(text string) {
	r.update(func(x *facts) {
		if !slices.Contains(x.Warnings, text) {
			x.Warnings = append(slices.Clip(x.Warnings), text)
		}
	})
}

// onEvent takes a look at the running search.
func (r *run) onEvent(e family.Event) {
	r.mutex.Lock() // a look is no news
	r.facts.Look = new(e.Look())
	r.mutex.Unlock()
	if e.Best == nil {
		return
	}
	if best, err := e.Best(); err == nil {
		r.update(func(x *facts) {
			x.Best, x.Model = best, nil
			if m, ok := best.(model.Model); ok {
				x.Model = &family.Model{Model: m}
			}
		})
	}
}

// unwritten warns that the disk does not take something.
func (r *run) unwritten(what string, err error) {
	r.warn(what + " cannot be written: " + r.said(err) + ". The search goes on, and nothing found so far is lost while this program runs.")
}

// Searches run one after the other, or as many at a time as Options.AtOnce says. Each has an equal share of the cores and of
// the memory.

// find returns a run, nil for none.
func (s *Server) find(id string) *run {
	r, _ := s.runs.Load(id)
	return r
}

// all returns the runs, the newest first.
func (s *Server) all() (list []*run) {
	s.runs.Range(func(_ string, r *run) bool { list = append(list, r); return true })
	slices.SortFunc(list, func(a, b *run) int { return strings.Compare(b.facts.ID, a.facts.ID) })
	return list
}

// made makes the folder of a run, which is in no queue yet.
func (s *Server) made(a question) (*run, error) {
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
func (s *Server) ask(a question) (at string, err error) {
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
func (s *Server) next() (found *run) {
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
		} else {
			found = nil
		}
	})
	return found
}

// The time from one look at what waits to the next, how many runs may begin beside those that have a place, and how long a search
// has its place to itself: so a question of a second does not wait behind one of minutes.
const (
	lookForRuns = 100 * time.Millisecond
	overtaking  = 2
	turn        = 5 * time.Second
)

// work searches until ctx ends, then waits for the searches to be saved.
func (s *Server) work(ctx context.Context) {
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
func (s *Server) bringBack(r *http.Request) (*view, error) {
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
func (s *Server) waiting(id string) (before int) {
	for _, other := range s.all() {
		if x := other.now(); x.State.active() || x.ID < id && x.State == queued {
			before++
		}
	}
	return before
}
