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
	"parcorels/internal/option"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/report"
)

// asked is what a run is to do: run.json. Options are those of the table, by name.
type asked struct {
	Table   string         `json:"table"`
	Hash    string         `json:"hash,omitempty"` // of the table, once it was read
	Options []model.Option `json:"options"`
	Kind    string         `json:"kind,omitempty"`   // "" for one model, or pathKind, or alternativesKind
	Within  string         `json:"within,omitempty"` // of alternatives: per cent above the best that are good; "": less than a rule
	Least   string         `json:"least,omitempty"`  // smallest λ of a path
	Proof   bool           `json:"proof"`            // write one
	By      string         `json:"by,omitempty"`     // column whose groups the page compares
	From    string         `json:"from,omitempty"`   // the run that this one is a wish about
	Made    time.Time      `json:"made"`
	// Cuts are where a wish cuts numbers: as the run that it is about, so that both have
	// the same conditions, and the wish cannot be better.
	Cuts map[string][]float64 `json:"cuts,omitempty"`
}

// ended is how a run went: result.json.
type ended struct {
	Error    string         `json:"error,omitempty"` // why there is no model
	Proved   bool           `json:"proved"`          // the proof in the folder is whole
	Resumes  bool           `json:"resumes"`         // the search can go on
	Warnings []string       `json:"warnings,omitempty"`
	Result   *report.Result `json:"result,omitempty"`
	Choice   *chosen        `json:"choice,omitempty"` // of a run that finds several models
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
	asked    asked
	state    state
	end      *ended
	stopped  bool // somebody wants no more
	stop     context.CancelFunc
	trace    report.Trace
	best     string
	earlier  float64 // seconds of the searches before a restart
	kept     float64 // seconds of the last look that is on the disk
	warnings []string
	unsaved  func() error // writes what a full disk did not take; nil: nothing
	model    *family.Model
	check    check // of the proof

	version int // of what is shown
	changed chan struct{}
	frame   []byte // of version framed
	framed  int
}

const mostLooks = 300 // of a trace: a frame with its picture goes to every client four times a second

// path is the path of a file of the run.
func (r *run) path(file string) string { return r.s.path(runsFolder, r.id, file) }

// open opens a file of the run for reading.
func (r *run) open(file string) (*os.File, error) {
	return r.s.root.Open(runsFolder + "/" + r.id + "/" + file)
}

// load finds what the folder of a run says. A run without a result waits.
func (s *Server) load(id string) (*run, error) {
	r := &run{id: id, s: s, state: queued, changed: make(chan struct{})}
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
	r.end, r.state = e, done
	if e.Error != "" {
		r.state = failed
	}
}

// touch tells who looks that there is something new. The mutex is held.
func (r *run) touch() {
	r.version++
	close(r.changed)
	r.changed = make(chan struct{})
}

// snapshot is a run at one moment.
type snapshot struct {
	ID       string
	Asked    asked
	State    state
	End      *ended
	Trace    report.Trace
	Best     string
	Warnings []string
	Stopped  bool
	Unsaved  bool
}

func (r *run) snapshot() snapshot {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return snapshot{r.id, r.asked, r.state, r.end, slices.Clone(r.trace), r.best, slices.Clone(r.warnings), r.stopped, r.unsaved != nil}
}

// is returns the state of a run.
func (r *run) is() state {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.state
}

// set enters a state.
func (r *run) set(s state) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.state = s
	r.touch()
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

// options returns what was asked as options of the library.
func (a *asked) options() (family.Reading, family.Options, error) {
	var read family.Reading
	var o family.Options
	table := family.OptionTable(&read, &o)
	for _, given := range a.Options {
		row := option.Find(table, given.Name)
		if row == nil {
			return read, o, fmt.Errorf("no option is called %q", given.Name)
		}
		if given.Name == "time" && given.Value == "none" {
			o.Time = -1
			continue
		}
		if err := row.Set(given.Value); errors.Is(err, option.ErrExpected) {
			return read, o, fmt.Errorf("%s is %q: expected %s", row.Name, given.Value, row.Expect)
		} else if err != nil {
			return read, o, fmt.Errorf("%s is %q: %w", row.Name, given.Value, err)
		}
	}
	return read, o, nil
}

// reading returns how the table is read, as far as rows go.
func (a *asked) reading() family.Reading {
	read, _, _ := a.options()
	return read
}

// option returns the value that was asked for, "" for none.
func (a *asked) option(name string) string {
	for _, o := range a.Options {
		if o.Name == name {
			return o.Value
		}
	}
	return ""
}

// resolved returns the options of the search with the defaults of this server.
func (s *Server) resolved(a *asked) (*family.Family, family.Reading, family.Options, error) {
	read, o, err := a.options()
	f := family.Families()[0]
	if o.Family != "" {
		f = family.Of(o.Family)
	}
	switch {
	case o.Time < 0:
		o.Time = 0
	case o.Time == 0:
		o.Time = s.o.Time
	}
	read = f.Reading(read)
	read.Memory, read.Chosen = s.o.Memory/2, a.Cuts
	if err == nil {
		err = o.Validate(read)
	}
	o.Software = s.o.Software
	return f, read, o, err
}

// onEvent takes a look at the running search: on the page at once, on the disk now and then.
func (r *run) onEvent(e family.Event) {
	l := look{Look: e.Look()}
	l.Seconds += r.earlier
	if e.Best != nil {
		if text, err := e.Best(); err == nil {
			l.Best = strings.TrimRight(text, "\n")
		}
	}
	r.mutex.Lock()
	kept := len(r.trace) == 0 || l.Best != "" || e.Final || l.Seconds >= r.kept+max(.2, l.Seconds/mostLooks)
	if kept {
		r.kept = l.Seconds
		r.add(l)
	} else {
		r.trace[len(r.trace)-1] = l.Look
	}
	r.touch()
	r.mutex.Unlock()
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
