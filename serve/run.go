package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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

// state is what a run does.
type state string

const (
	queued    state = "waits"
	reading   state = "reads the table"
	mining    state = "looks for conditions"
	searching state = "searches"
	done      state = "done"
	failed    state = "failed"
)

// active reports whether a search runs, or prepares to.
func (s state) active() bool { return s == reading || s == mining || s == searching }

// run is a run, on the disk and as it goes. Its facts change under the mutex.
type run struct {
	s     *Server
	files *runs.Folder
	mutex sync.Mutex
	facts
	stop context.CancelFunc
}

// facts are a run at one moment.
type facts struct {
	ID       string
	Asked    question
	State    state
	Begun    time.Time // of the work since the start of this program
	End      *ended
	Stopped  bool // somebody wants no more
	Trace    report.Trace
	Best     string
	Model    *family.Model // the best so far, or one that is not on the disk yet
	Unseen   *crossval.Unseen
	Warnings []string
	Check    check
	Told     string // how far a search for several models is
	Version  int    // of all but the figures of the search: a page shows a part anew where it is another
}

const mostLooks = 300 // of a trace

// newRun returns a run with these facts.
func (s *Server) newRun(x facts) *run {
	return &run{s: s, facts: x, files: &runs.Folder{Path: s.path(runsFolder, x.ID), Write: s.o.write}}
}

// load finds what the folder of a run says. A run without a result waits.
func (s *Server) load(id string) (*run, error) {
	r := s.newRun(facts{ID: id, State: queued})
	r.files.Sweep("model.json")
	if err := r.files.ReadJSON("run.json", &r.Asked); err != nil {
		return nil, err
	}
	e := &ended{}
	switch err := r.files.ReadJSON("result.json", e); {
	case err == nil:
		r.finish(e)
		r.files.Tidy(e.Proved, e.Resumes)
	case !errors.Is(err, fs.ErrNotExist):
		r.finish(&ended{Error: fmt.Sprintf("result.json cannot be read: %v", err)})
	}
	return r, nil
}

// finish takes the end of a run.
func (r *run) finish(e *ended) {
	r.End, r.State, r.Unseen = e, done, e.Unseen
	if e.Error != "" {
		r.State = failed
	}
}

// update changes a run.
func (r *run) update(change func()) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	change()
}

// touch says that there is something new beside the figures. The mutex is held.
func (r *run) touch() { r.Version++ }

// At is the address of a run.
func (x facts) At() string { return "/runs/" + x.ID }

// Running reports whether a run waits or searches.
func (x *facts) Running() bool { return x.State == queued || x.State.active() }

// snapshot returns a copy of the facts of a run. The trace is copied under the mutex, as a full one is halved in place.
func (r *run) snapshot() (x facts) {
	r.update(func() {
		x = r.facts
		x.Trace, x.Warnings = slices.Clone(x.Trace), slices.Clone(x.Warnings)
	})
	return x
}

// question returns what was asked, without the trace that a snapshot copies.
func (r *run) question() (q question) {
	r.update(func() { q = r.Asked })
	return q
}

// is returns the state of a run.
func (r *run) is() (s state) {
	r.update(func() { s = r.State })
	return s
}

// set enters a state.
func (r *run) set(s state) {
	r.update(func() { r.State = s })
}

// warn says something that stays on the page, once.
func (r *run) warn(text string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
		r.touch()
	}
}

// onEvent takes a look at the running search.
func (r *run) onEvent(e family.Event) {
	best, text := (*family.Model)(nil), ""
	if e.Best != nil {
		if shown, err := e.Best(); err == nil {
			text = strings.TrimRight(shown.Text(model.DefaultWidth), "\n")
			if m, ok := shown.(model.Model); ok {
				best = &family.Model{Model: m}
			}
		}
	}
	r.update(func() {
		if r.Trace.Add(e.Look(), mostLooks); text != "" {
			r.Best, r.Model = text, best
			r.touch()
		}
	})
}

// unwritten says that the disk takes nothing.
func unwritten(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", filepath.Base(path.Path), path.Err)
	}
	return fmt.Sprintf("cannot be written: %v. The search goes on, and nothing found so far is lost while this program runs.", err)
}

// result returns the model of a run that has one.
func (r *run) result() (*family.Model, error) {
	var m *family.Model
	if r.update(func() { m = r.Model }); m != nil {
		return m, nil
	}
	return r.files.Model("model.json")
}

// optimal reports whether a run is proved.
func (e *ended) optimal() bool { return e.Result != nil && e.Result.Status == status.Optimal }
