package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
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
	Check    check
	Told     string // how far a search for several models is
	Version  int    // of all but the figures of the search: a page shows a part anew where it is another
}

// check is what the checker said of a proof; the zero value is of one that nobody has checked.
type check struct {
	Verified bool
	Text     string
}

// At is the address of a run.
func (x *facts) At() string { return "/runs/" + x.ID }

// Running reports whether a run waits or searches.
func (x *facts) Running() bool { return x.State == queued || x.State.active() }

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

// update changes the facts of a run.
func (r *run) update(change func(x *facts)) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	change(&r.facts)
}

// now returns the facts of a run.
func (r *run) now() facts {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.facts
}

// enter enters a state.
func (r *run) enter(s state) {
	r.update(func(x *facts) { x.State = s })
}

// warn says something that stays on the page, once.
func (r *run) warn(text string) {
	r.update(func(x *facts) {
		if !slices.Contains(x.Warnings, text) {
			x.Warnings = append(slices.Clip(x.Warnings), text)
			x.Version++
		}
	})
}

// onEvent takes a look at the running search.
func (r *run) onEvent(e family.Event) {
	var best family.Shown
	if e.Best != nil {
		if shown, err := e.Best(); err == nil {
			best = shown
		}
	}
	r.update(func(x *facts) {
		if x.Look = new(e.Look()); best == nil {
			return
		}
		x.Best, x.Model = best, nil
		if m, ok := best.(model.Model); ok {
			x.Model = &family.Model{Model: m}
		}
		x.Version++
	})
}

// unwritten warns that the disk does not take something.
func (r *run) unwritten(what string, err error) {
	r.warn(what + " cannot be written: " + r.said(err) + ". The search goes on, and nothing found so far is lost while this program runs.")
}

// result returns the model of a run that has one.
func (r *run) result() (*family.Model, error) {
	if m := r.now().Model; m != nil {
		return m, nil
	}
	return r.files.Model("model.json")
}
