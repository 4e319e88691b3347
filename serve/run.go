package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/report"
)

// ended is how a run went: result.json.
type ended struct {
	Error    string         `json:"error,omitempty"` // why there is no model
	Proved   bool           `json:"proved"`          // the proof in the folder is whole
	Resumes  bool           `json:"resumes"`         // the search can go on
	Warnings []string       `json:"warnings,omitempty"`
	Result   *report.Result `json:"result,omitempty"`
	Unseen   *unseen        `json:"unseen,omitempty"`
	Choice   *chosen        `json:"choice,omitempty"` // of a run that finds several models
	Chance   *report.Chance `json:"chance,omitempty"` // what shuffled answers say, once somebody asked
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

// look is a line of events.jsonl.
type look struct {
	report.Look
	Best string `json:"best,omitempty"` // the model, where it is better than at the look before
}

// run is a run, on the disk and as it goes.
type run struct {
	id string
	s  *Server

	mutex    sync.Mutex
	asked    question
	state    state
	begun    time.Time // of the work since the start of this program
	end      *ended
	stopped  bool // somebody wants no more
	stop     context.CancelFunc
	trace    report.Trace
	best     string
	earlier  float64 // seconds of the searches before a restart
	kept     float64 // seconds of the last look that is on the disk
	warnings []string
	unsaved  func() error  // writes what a full disk did not take; nil: nothing
	model    *family.Model // the best so far, or one that is not on the disk yet
	unseen   *unseen
	check    check // of the proof
	version  int   // of all but the figures of the search: a page shows a part anew where it is another
}

const mostLooks = 300 // of a trace

// path is the path of a file of the run.
func (r *run) path(file string) string { return r.s.path(runsFolder, r.id, file) }

// room is how many bytes the folder of a run has.
func (r *run) room() (n int64) {
	entries, _ := os.ReadDir(r.path("")) // none of a run that was removed meanwhile
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

// open opens a file of the run for reading.
func (r *run) open(file string) (*os.File, error) {
	return r.s.root.Open(runsFolder + "/" + r.id + "/" + file)
}

// load finds what the folder of a run says. A run without a result waits.
func (s *Server) load(id string) (*run, error) {
	r := &run{id: id, s: s, state: queued}
	atomicfile.Sweep(r.path("run.ckpt")) // a kill leaves what was half written
	atomicfile.Sweep(r.path("model.json"))
	if err := r.readJSON("run.json", &r.asked); err != nil {
		return nil, err
	}
	r.readTrace()
	e := &ended{}
	switch err := r.readJSON("result.json", e); {
	case err == nil:
		r.finish(e)
		r.tidy()
	case !errors.Is(err, fs.ErrNotExist):
		r.finish(&ended{Error: fmt.Sprintf("result.json cannot be read: %v", err)})
	}
	return r, nil
}

func (r *run) readJSON(file string, into any) error {
	f, err := r.open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewDecoder(f).Decode(into)
}

// readTrace reads events.jsonl, of which a kill may have torn the last line.
func (r *run) readTrace() {
	f, err := r.open("events.jsonl")
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l look
		if json.Unmarshal(lines.Bytes(), &l) == nil {
			r.add(l)
		}
	}
	r.earlier = r.seconds()
}

// seconds is how long the search took so far.
func (r *run) seconds() float64 {
	if n := len(r.trace); n > 0 {
		return r.trace[n-1].Seconds
	}
	return 0
}

// add keeps a look.
func (r *run) add(l look) {
	if l.Best != "" {
		r.best = l.Best
	}
	r.trace.Add(l.Look, mostLooks)
}

// finish takes the end of a run.
func (r *run) finish(e *ended) {
	r.end, r.state, r.unseen = e, done, e.Unseen
	if e.Error != "" {
		r.state = failed
	}
}

// update changes a run.
func (r *run) update(change func()) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	change()
}

// touch says that there is something new beside the figures. The mutex is held.
func (r *run) touch() { r.version++ }

// snapshot is a run at one moment.
type snapshot struct {
	ID       string
	Asked    question
	State    state
	Begun    time.Time
	Earlier  float64
	End      *ended
	Trace    report.Trace
	Best     string
	Model    *family.Model // where it is in memory
	Unseen   *unseen
	Warnings []string
	Stopped  bool
	Unsaved  bool
	Version  int
}

// Running reports whether a run waits or searches.
func (x *snapshot) Running() bool { return x.State == queued || x.State.active() }

func (r *run) snapshot() snapshot {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return snapshot{r.id, r.asked, r.state, r.begun, r.earlier, r.end, slices.Clone(r.trace),
		r.best, r.model, r.unseen, slices.Clone(r.warnings),
		r.stopped, r.unsaved != nil, r.version}
}

// question returns what was asked, without the trace that a snapshot copies.
func (r *run) question() question {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.asked
}

// is returns the state of a run.
func (r *run) is() state {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.state
}

// set enters a state.
func (r *run) set(s state) {
	r.update(func() { r.state = s })
}

// warn says something that stays on the page, once.
func (r *run) warn(text string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
		r.touch()
	}
}

// onEvent takes a look at the running search: on the page at once, on the disk now and then.
func (r *run) onEvent(e family.Event) {
	l := look{Look: e.Look()}
	l.Seconds += r.earlier
	var best *family.Model
	if e.Best != nil {
		if shown, err := e.Best(); err == nil {
			l.Best = strings.TrimRight(shown.Text(model.DefaultWidth), "\n")
			if m, ok := shown.(model.Model); ok {
				best = &family.Model{Model: m}
			}
		}
	}
	kept := false
	r.update(func() {
		if kept = len(r.trace) == 0 || l.Best != "" || e.Final || l.Seconds >= r.kept+max(.2, l.Seconds/mostLooks); kept {
			r.kept = l.Seconds
			r.add(l)
		} else {
			r.trace[len(r.trace)-1] = l.Look
		}
		if l.Best != "" {
			r.model = best
			r.touch()
		}
	})
	if kept {
		r.append(l)
	}
}

// append adds a line to events.jsonl. Without it the run goes on: it only draws the trace.
func (r *run) append(l look) {
	line, err := json.Marshal(l)
	if err != nil {
		return
	}
	f, err := os.OpenFile(r.path("events.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err == nil {
		_, err = f.Write(append(line, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		r.warn("The trace of the search " + unwritten(err))
	}
}

// unwritten says that the disk takes nothing.
func unwritten(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", filepath.Base(path.Path), path.Err)
	}
	return fmt.Sprintf("cannot be written: %v. The search goes on, and nothing found so far is lost while this program runs.", err)
}

// writeJSON writes a file of the run.
func (r *run) writeJSON(file string, v any) error {
	return r.s.o.write(r.path(file), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		return e.Encode(v)
	})
}

// result returns the model of a run that has one.
func (r *run) result() (*family.Model, error) {
	r.mutex.Lock()
	m := r.model
	r.mutex.Unlock()
	if m != nil {
		return m, nil
	}
	f, err := r.open("model.json")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return family.Decode(f, "model.json")
}

// optimal reports whether a run is proved.
func (e *ended) optimal() bool { return e.Result != nil && e.Result.Status == status.Optimal }
