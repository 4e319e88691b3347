package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/ask/fair"
	askpath "parcorels/ask/path"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules/rates"
	runs "parcorels/run"
)

// ended is how a run went: result.json.
type ended struct {
	Error    string           `json:"error,omitempty"`  // why there is no model
	Unsaid   bool             `json:"unsaid,omitempty"` // rows lack an answer
	Proved   bool             `json:"proved"`           // the proof in the folder is whole
	Resumes  bool             `json:"resumes"`          // the search can go on
	Warnings []string         `json:"warnings,omitempty"`
	Result   *report.Result   `json:"result,omitempty"`
	Unseen   *crossval.Unseen `json:"unseen,omitempty"`
	Choice   *answer.Several  `json:"choice,omitempty"`  // of a run that finds several models
	Columns  []report.Column  `json:"columns,omitempty"` // with the conditions on them, which can be wished
	Chance   *report.Chance   `json:"chance,omitempty"`  // what shuffled answers say, once somebody asked
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
	Glance   *family.Model // the first list or tree, of single conditions; nil once there is a better one
	Judged   bool          // Unseen is of the whole question, not of a first look
	Columns  []report.Column
	Warnings []string // what went wrong
	Check    string   // what the checker said of the proof, "" where nobody asked
	Verified bool     // it found it right
	Told     string   // how far a search for several models is
	Version  int      // of all but the figures of the search: a page shows its parts anew where it is another
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
	x.End, x.State, x.Glance, x.Unseen, x.Columns, x.Warnings = e, done, nil, e.Unseen, e.Columns, e.Warnings
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
	r.look(func(x *facts) { change(x); x.Version++ })
}

// look changes the figures of a search, which pages ask for once a second.
func (r *run) look(change func(x *facts)) {
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
func (r *run) enter(s state) { r.look(func(x *facts) { x.State = s }) }

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
	r.look(func(x *facts) { x.Look = new(e.Look()) })
	if first := r.now().Glance; e.Best == nil || first != nil && first.Certificate().Objective.Value < e.Value {
		return
	}
	if best, err := e.Best(); err == nil {
		r.update(func(x *facts) {
			x.Best, x.Model, x.Glance = best, nil, nil
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

// Times of searches. So many runs may begin beside those that have a place, and a search has its place to itself for a turn: so a
// question of a second does not wait behind one of minutes.
const (
	lookForRuns = 100 * time.Millisecond // from one look at what waits to the next
	lookEvery   = 250 * time.Millisecond // at a running search; a better model may come in between
	overtaking  = 2
	turn        = 5 * time.Second
	saveEvery   = time.Minute     // where Options do not say
	retryEvery  = 5 * time.Second // to write the result on a full disk

	glancing       = time.Second      // at most, twice
	longestJudging = 15 * time.Second // what the figures of unseen rows may take, beside a quarter of the limit of time
)

// work searches for the model of a run. Where the server is told to end, nothing is
// concluded: the run waits for the next start, with its checkpoint.
func (r *run) work(ctx context.Context, workers int) {
	inside, cancel := context.WithCancel(ctx)
	defer cancel()
	r.update(func(x *facts) {
		if r.stop = cancel; x.Stopped { // meanwhile
			cancel()
		}
	})
	m, e, err := r.search(inside, workers)
	stopped := false
	r.update(func(x *facts) { r.stop, stopped = nil, x.Stopped })
	switch {
	case ctx.Err() != nil && !stopped && (err != nil || m != nil && m.Certificate().Status == status.Interrupted):
		r.enter(queued)
		return
	case errors.Is(err, context.Canceled) && stopped:
		e = &ended{Error: "stopped before there was a model"}
	case err != nil:
		e = &ended{Error: r.said(err), Unsaid: wrongField(err) == "DropUnlabelled"}
	}
	x := r.now()
	e.Warnings, e.Unseen, e.Columns = append(e.Warnings, x.Warnings...), x.Unseen, x.Columns
	for r.now().State != removed && r.conclude(e, m) != nil {
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(r.o.every, retryEvery)):
		}
	}
}

// search reads, mines and searches.
func (r *run) search(ctx context.Context, workers int) (*family.Model, *ended, error) {
	start, asked := time.Now(), r.now().Asked
	f, read, o, err := r.resolved(&asked)
	if err != nil {
		return nil, nil, err
	}
	read.KeepColumns = asked.Get("kind") != alternativesKind // parts of the rows cut numbers anew
	var within []fair.Limit                                  // on the share of class 1 that a list finds, where somebody wished for one
	if least, err := ratio.Parse(asked.Get("recall")); err == nil {
		within = []fair.Limit{{Measure: rates.Recall, Most: ratio.New(least.Num, 100*least.Den)}}
	}
	most := o.MaxCard
	data, err := r.read(ctx, asked.Table, read)
	if err == nil {
		err = r.bind(data.Hash)
	}
	var p *family.Problem
	if err == nil {
		r.look(func(x *facts) { x.Columns = report.Columns(data.Dataset) })
		if f.Asks() && within == nil && o.Maximise == "" && asked.Get("kind") == "" {
			r.glance(ctx, data, read, o)
		}
		p, err = mined(ctx, data, read, &o)
	}
	if first := r.now(); err != nil && first.Stopped && first.Glance != nil {
		return r.keepGlance(first.Glance, 0)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.MaxCard != most {
		r.warn("The limit of time ended while conjunctions were looked for: the model has single conditions.")
	}
	o.Workers = workers
	if r.o.Memory > 0 && f.Kind != model.RuleSet {
		o.Memory = max(r.o.Memory/int64(r.o.AtOnce+overtaking)/2, 64<<20)
	}
	if o.Time > 0 {
		o.Time = max(o.Time-time.Since(start), time.Second)
	}
	r.enter(searching)
	if asked.Get("kind") != "" {
		c, err := r.choose(ctx, &asked, p, data, o, start)
		return nil, &ended{Choice: c}, err
	}
	var judged sync.WaitGroup
	defer judged.Wait()
	like := o // without the proof and the checkpoint of the search
	judged.Go(func() { r.judge(ctx, p, data, like, within) })
	part := r.beginProof(&o, asked.Get("proof") != "no" && f.Kind != model.RuleSet, f.Kind == model.RuleList && within == nil)
	defer part.Close() // of no file is an error that does no harm
	if within != nil {
		return r.within(ctx, p, fair.Options{Options: o, Limits: within}, part)
	}
	o.Progress, o.ProgressEvery, o.Models = r.onEvent, lookEvery, true
	if f.Kind == model.RuleList {
		o.Checkpoint = &family.Checkpoint{Every: r.o.every, Failed: func(err error) { r.unwritten("The search so far", err) }}
		from := r.files.Checkpoint(o.Checkpoint)
		defer from.Close()
	}
	m, err := p.Fit(ctx, o)
	if errors.Is(err, family.ErrCheckpoint) || errors.Is(err, family.ErrProof) {
		r.warn(fmt.Sprintf("The search began anew: %v.", err)) // what was saved cannot be continued
		if err := r.files.Forget(); err != nil {
			return nil, nil, err
		}
		return r.search(ctx, workers)
	}
	if err != nil {
		return nil, nil, err
	}
	if x := r.now(); x.Glance != nil && x.Glance.Certificate().Objective.Value < m.Certificate().Objective.Value &&
		(x.Stopped || m.Certificate().Status != status.Interrupted) { // else the server ends, and the run goes on later
		return r.keepGlance(x.Glance, m.Report().LowerBound)
	}
	return m, r.found(m, m.Report(), part), nil
}

// glance shows the first model of single conditions and how such a model does on unseen rows, by one step of a search, before
// conjunctions are looked for. That may take long. The search for the model itself does not know of it.
func (r *run) glance(ctx context.Context, d *family.Data, read family.Reading, o family.Options) {
	o.MaxCard, o.Nodes, o.Workers, o.Time = 1, 1, 1, glancing
	p, err := mined(ctx, d, read, &o)
	if err != nil {
		return // the search says why
	}
	if m, err := p.Fit(ctx, o); err == nil && ctx.Err() == nil {
		r.update(func(x *facts) { x.Best, x.Model, x.Glance = m.Model, m, m })
		r.judge(ctx, p, d, o, nil)
	}
}

// keepGlance ends a search that had no better model than the first one. No model is better than the bound: what the first look
// itself proved is of single conditions.
func (r *run) keepGlance(m *family.Model, bound float64) (*family.Model, *ended, error) {
	r.warn("This is a first look, at single conditions. Its certificate is about such conditions alone.")
	result := m.Report()
	result.Status, result.LowerBound, result.Gap, result.Proved = r.unproved(), bound, 1-bound/result.Objective, report.Proved{}
	return m, r.found(m, result, nil), nil
}

// unproved is why a search ended before its proof.
func (r *run) unproved() status.Status {
	if r.now().Stopped {
		return status.Interrupted
	}
	return status.TimeLimit
}

// within finds the best list within a limit. Lists beyond it are not shown meanwhile.
func (r *run) within(ctx context.Context, p *family.Problem, o fair.Options, part *os.File) (*family.Model, *ended, error) {
	r.update(func(x *facts) { x.Told = "The best list that finds as many as you wish is shown once it is found." })
	a, err := fair.Ask(ctx, p, o)
	if err != nil {
		return nil, nil, err
	}
	result := a.Report()
	answer.Within(&result, a, r.unproved())
	return a.Model, r.found(a.Model, result, part), nil
}

// bind writes down which table the run is about, or makes sure that it still is. Conditions are looked for then.
func (r *run) bind(hash string) error {
	r.enter(mining)
	a := r.now().Asked
	if a.Hash == hash {
		return nil
	}
	if a.Hash != "" {
		return fmt.Errorf("%s is not the table any more that this run is about: its contents have changed", a.Table)
	}
	a.Hash = hash
	r.update(func(x *facts) { x.Asked = a })
	if err := r.files.WriteJSON("run.json", a); err != nil {
		r.unwritten("What was asked", err)
	}
	return nil
}

// beginProof opens the file of the proof, if there is to be one. It belongs with the
// checkpoint, which says how much of it counts; without one it begins anew.
func (r *run) beginProof(o *family.Options, wanted, resumes bool) *os.File {
	if !wanted {
		return nil
	}
	f, err := r.files.Unfinished()
	if err != nil {
		r.unwritten("The proof", err)
		return nil
	}
	o.Proof = &family.Proof{To: f}
	if resumes {
		o.Proof = &family.Proof{File: f}
	}
	return f
}

// found says how a search ended.
func (r *run) found(m *family.Model, result report.Result, part *os.File) *ended {
	e, search := &ended{Result: &result}, &m.Search
	if part != nil && search.Proved {
		search.ProofErr = part.Sync()
		e.Proved = search.ProofErr == nil
	}
	failed := part != nil && search.ProofErr != nil
	if failed {
		e.Warnings = append(e.Warnings, fmt.Sprintf("There is no proof: %v.", search.ProofErr))
	}
	e.Resumes = r.files.Kept() && (!e.optimal() || failed && search.ProofKept)
	return e
}

// conclude ends a run, and writes how. If the disk does not take that, the model is in memory, on the page.
func (r *run) conclude(e *ended, m *family.Model) (err error) {
	if m != nil {
		err = r.files.Put("model.json", m.Encode)
	}
	if err == nil {
		err = r.files.WriteJSON("result.json", e)
	}
	r.update(func(x *facts) {
		if x.State == removed { // its folder is elsewhere
			return
		}
		x.finish(e)
		if x.Model = nil; err == nil {
			r.files.Tidy(e.Proved, e.Resumes)
		} else {
			x.Model = m
			x.Warnings = append(slices.Clip(e.Warnings), fmt.Sprintf("The result is not on the disk yet: %v. It is shown from memory, and "+
				"written as soon as there is room: leave this program running.", err))
		}
	})
	return err
}

// A run may also find several models: all that are optimal for some λ, or all that are nearly as
// good as the best. Its findings are in its result.json.

// choose finds several models.
func (r *run) choose(ctx context.Context, q *question, p *family.Problem, data *family.Data, o family.Options, start time.Time) (
	*answer.Several, error) {
	tell := func(text string) { r.look(func(x *facts) { x.Told = text }) }
	if q.Get("kind") == pathKind {
		return answer.OnPath(ctx, p, data, o, cmp.Or(q.Get("least"), askpath.Usual), start, tell)
	}
	c, err := answer.Good(ctx, p, o, q.Get("within"), tell)
	if by := q.Get("by"); err == nil && by != "" {
		c.Group = by
		for i := range c.Models {
			c.Models[i].Spread, _ = ofRows(r.store, q.Table, q, func(rows *dataset.Rows) (*float64, error) { // nil where it is not known
				m, err := c.Model(i)
				if err = cmp.Or(ctx.Err(), err); err != nil {
					return nil, err
				}
				return answer.Spread(m.Model, rows, predict.Options{By: by, Weight: q.Get("weight")})
			})
		}
	}
	return c, err
}

// A model does better on the rows that it was learned from than on others. So beside each search a
// model of the same kind is judged on rows that it was not learned from. The model that the page shows is still that
// of all rows, with its proof.

// Names of files of a run: a model that was learned without some rows, and the numbers of those rows.
const unseenModel = "unseen.json"
const unseenNumbers = "unseen-rows.json"

// judge measures models like that of the run on unseen rows, within the same limits, beside the search and with one worker.
func (r *run) judge(ctx context.Context, p *family.Problem, d *family.Data, o family.Options, within []fair.Limit) {
	if d.N < 20 {
		return
	}
	longest := longestJudging
	if r.o.Time > 0 {
		longest = min(longest, r.o.Time/4)
	}
	if o.Workers = 1; o.Time == 0 || o.Time > longest {
		o.Time = longest
	}
	like := crossval.Options{Options: o}
	if within != nil {
		like.Learn = fair.Folds(within)
	}
	u, err := crossval.OnUnseen(ctx, p, d, like)
	if err = cmp.Or(err, ctx.Err()); err == nil && u.Model != nil { // files and facts are of one model
		err = errors.Join(r.files.Put(unseenModel, u.Model.Encode), r.files.WriteJSON(unseenNumbers, u.Rows))
	}
	if err != nil {
		return // the run tells what is wrong with the table
	}
	r.update(func(x *facts) { x.Unseen, x.Judged = u, o.Nodes == 0 })
}
