// Package fit runs the search that a command asks for: with its checkpoint and its proof, with what people and clients
// are told meanwhile, and with the questions that follow. Begin with [New] and [Run.Learn].
package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"parcorels/answer"
	"parcorels/ask/chance"
	"parcorels/ask/fair"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/parallel"
	"parcorels/report"
	"parcorels/rules"
	runs "parcorels/run"
)

// Run is a fit: what the search is given, and then what it has found.
type Run struct {
	*process.Env
	answer.Fit // what the search has found so far, as people read it
	Reading    family.Reading
	process.Output
	runs.Keeping
	Limits    *fair.Options        // that the model keeps, without options of the search; nil for none
	GroupName string               // what people call the group of the limits
	Holdout   *report.Holdout      // figures on rows kept back; nil for none
	KeptBack  *evaluate.Evaluation // on these rows; nil for none
	Asks      Chance
	read      time.Duration // until the antecedents were there
	File      *runs.Checkpoint
	Announcer *announcer
	table     *process.ProgressTable       // nil for none
	better    func() (family.Shown, error) // the best model so far, where it was not shown yet; nil: none
	shown     time.Duration                // when a model was shown last
	best      string                       // the best model so far as text, where it is shown in place

	// What the search has found:
	within   *fair.Answer  // the model within limits; nil without
	took     time.Duration // the search for that
	stopped  bool          // by somebody, before a proof
	stats    report.Stats
	opening  string          // is printed before the model, unless --quiet is given
	fault    error           // what went wrong beside the search, as a proof that cannot be written
	Chance   *report.Chance  // of shuffled labels; nil where nobody asked
	compared *report.Summary // of the best model without the wishes; nil where nobody asked
}

// New returns a fit of a problem that was just made.
func New(e *process.Env, l *process.Learning, out process.Output, keep runs.Keeping, path string, p *family.Problem) *Run {
	f := &Run{Env: e, Fit: answer.Fit{Path: path, Family: l.Family(), Problem: p, Options: l.Options}, Reading: l.Reading,
		Output: out, Keeping: keep, read: time.Since(e.Start), File: &runs.Checkpoint{}}
	f.table = e.ProgressTable(&out)
	if price, err := p.Price(l.Options); err == nil && f.table != nil { // the options were found good
		f.table.Price = price.Float()
	}
	f.Announcer = &announcer{f: f, Aloud: !f.Quiet && f.JSON != "-" && f.Output.ModelFile != "-",
		advise: !f.Quiet && f.Progress != "never"}
	return f
}

// Learn searches for the model.
func (f *Run) Learn(ctx context.Context) error {
	o := f.Options
	o.Software = f.Software
	o.Progress, o.ProgressEvery, o.Models = f.onProgress, f.ProgressEvery, f.showsLists()
	if f.Family.Kind != model.RuleSet {
		o.Memory = f.Memory.Search(o.Memory)
	}
	if o.Time > 0 {
		left := o.Time - time.Since(f.Start)
		_, shuffling := f.Shuffles()
		o.Time = max(left-min(shuffling, left/4), 1)
		f.File.Ends = time.Now().Add(o.Time)
	}
	f.Announcer.begin(0)
	err := f.search(ctx, o)
	f.Announcer.end()
	f.Place.Show("")
	if err != nil {
		return err
	}
	if f.fault == nil {
		f.fault = f.Model.Search.CheckpointErr
	}
	f.stats = f.Model.Stats()
	s := &f.stats
	if f.File.Path == "" {
		s.Checkpoints = 0 // one that was declined is none
	}
	f.Effort = fmt.Sprintf("%s, %s %s", wording.Seconds(time.Duration(s.SecondsSearch*float64(time.Second))),
		wording.Count(s.Expanded, f.Family.Unit), f.Family.Done)
	if f.File.Resumes {
		f.opening = f.File.Resumed(f.Model) + "\n\n"
	}
	// the proof can be completed
	if n := f.Model.Search; f.Model.Certificate().Status != parallel.Optimal || n.ProofErr != nil && n.ProofKept && f.File.Proof != nil {
		f.Ending += f.File.Advice(f.Model, f.Proof)
	}
	if f.within != nil && f.Proof != "" && f.fault == nil {
		f.Ending += fmt.Sprintf("\n(proof in %s)\n", wording.Escape(f.Proof))
	} else if f.Model.Search.Proved && f.Proof != "" && f.fault == nil {
		f.Ending += fmt.Sprintf("(proof in %s: %s, %s)\n", wording.Escape(f.Proof), wording.Count(s.ProofBytes, "byte"),
			wording.Count(s.ProofRecords, "record"))
	} else {
		s.ProofBytes, s.ProofRecords = 0, 0
	}
	switch status := f.Model.Certificate().Status; {
	case status == parallel.Stalled:
		f.Ending += "(with a --time of more than a minute, the search goes on)\n"
	case f.Limit > 0 && status == parallel.TimeLimit:
		f.Ending += fmt.Sprintf("(%.0f s is the default: a larger --time searches longer, --time none has no limit)\n",
			process.DefaultTime.Seconds())
	}
	s.SecondsTotal, s.SecondsRead = report.Seconds(time.Since(f.Start)), report.Seconds(f.read)
	if peak := peakmem.Peak(); peak > 0 {
		s.PeakBytes = peak
	}
	return nil
}

// search runs the search, with a proof and a checkpoint where these are asked for.
func (f *Run) search(ctx context.Context, o family.Options) (err error) {
	if o.Checkpoint, err = f.File.Begin(); err != nil {
		return err
	}
	switch {
	case f.File.Proof != nil:
		err = f.proveBesideCheckpoint(ctx, o)
	case f.Proof != "":
		err = f.prove(ctx, o)
	default:
		err = f.solve(ctx, o)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, family.ErrCheckpoint):
		return fmt.Errorf("%s: %w", f.Resume, err)
	case errors.Is(err, runs.ErrUnopened):
		return err
	case errors.Is(err, family.ErrProof):
		return fmt.Errorf("%s: %w", f.File.Proof.Path, err)
	}
	return fmt.Errorf("%s: %w", wording.Escape(f.Path), err)
}

// onProgress tells people, a client and the JSON object of a look at the search.
func (f *Run) onProgress(e family.Event) {
	f.Announcer.begin(e.Elapsed)
	f.Announcer.saw(e)
	switch {
	case f.Client != nil:
		f.Client.Progress(e)
		return
	case f.table != nil && f.table.Brief:
		f.Announcer.tell()
		f.showInPlace(e)
		return
	case f.table != nil:
		f.Announcer.tell()
		f.table.Event(e)
	}
	if e.Best != nil {
		f.better = e.Best
	}
	if f.better == nil || f.Progress != "full" && (e.Final || e.Elapsed < f.shown+showEvery) || !f.showsLists() {
		return
	}
	f.shown = e.Elapsed
	if best, err := f.better(); err == nil { // otherwise it is shown at the end, or the error is
		_, _ = fmt.Fprintf(f.Stderr, "\nbest so far:\n%s\n", best.Text(answer.Width)) // a failure to print it is no failure of the search
	}
	f.better = nil
}

// showInPlace shows the best model so far, and how far the search is, in the place of what it showed before.
func (f *Run) showInPlace(e family.Event) {
	if e.Best != nil {
		if best, err := e.Best(); err == nil { // otherwise the error is told at the end
			f.best = "\nbest so far:\n" + best.Text(answer.Width) + "\n"
		}
	}
	var state strings.Builder
	table := process.ProgressTable{Out: &state, Price: f.table.Price}
	if table.Event(e); !e.Final {
		f.Place.Show(f.best + state.String())
	}
}

// showEvery is how long a search takes before its best model is shown, and then again if it is another one.
const showEvery = 1500 * time.Millisecond

// showsLists reports whether a person follows the search.
func (f *Run) showsLists() bool {
	return f.Client == nil && !f.Quiet && f.Progress != "never"
}

// write puts the result everywhere it is to go. A file that cannot be written
// does not keep the model, perhaps of hours of search, from being printed.
func (f *Run) write() error {
	errs := []error{f.fault}
	if f.Output.ModelFile != "" {
		errs = append(errs, f.WriteFile(f.Output.ModelFile, f.Model.Encode))
	}
	if f.JSON != "" {
		errs = append(errs, f.WriteJSON(f.JSON, f.object()))
	}
	if f.Client != nil {
		errs = append(errs, f.Client.Result(f.object(), f.Model, f.Problem.Set.Data.Columns))
	}
	if f.JSON != "-" && f.Output.ModelFile != "-" {
		err := f.Announcer.wasTold()
		if err == nil {
			err = f.Print(f.text())
		}
		errs = append(errs, err)
	}
	return cmp.Or(errs...) // the first of them
}

// object makes the JSON object of the result.
func (f *Run) object() any {
	all := f.Problem.Set.Data.Notes
	if text := answer.Foreknown(f.Model); text != "" {
		all = append(slices.Clip(all), text)
	}
	o := report.New(f.Model.Model, f.Path, f.FlaggedAll(all))
	o.Stats, o.Holdout, o.Compared, o.Proved = f.stats, f.Holdout, f.compared, f.Model.Proved()
	o.F1, o.Chance = f.Model.F1, f.Chance
	if f.within != nil {
		return f.limitedObject(o)
	}
	return o
}

// text is what fit prints for people once the search has ended.
func (f *Run) text() string {
	if f.within != nil {
		return f.limited().Describe(f.took, f.stopped, f.within.Best.Certificate().Status == parallel.Optimal) + f.Ending
	}
	text := f.Model.Text(answer.Width) + "\n" + f.Verdict() + answer.AskForeknown(f.Model) +
		answer.Holdout(f.Holdout, f.Model) + answer.Hint(f.Model.Model, f.Problem, f.Options)
	if f.Announcer.Aloud {
		return f.opening + text
	}
	return text
}

// Conclude asks what else is asked of the model, and puts the result everywhere it is to go.
func (f *Run) Conclude(ctx context.Context, compare bool) error {
	with, err := "chance", f.CompareWithChance(ctx)
	if err == nil && compare && f.Model.Certificate().Status != parallel.Interrupted {
		with, err = "the best of all", f.compareWishes(ctx)
	}
	if errors.Is(err, process.ErrInterrupted) {
		f.Ending += "stopped before it was compared with " + with + "\n"
		err = process.ErrStopped
	} else if err != nil {
		return err
	}
	if fault := f.write(); fault != nil {
		return fault
	}
	if f.interrupted() {
		return process.ErrStopped
	}
	return cmp.Or(f.File.Finish(f.Model), err)
}

// compareWishes finds the best model without the wishes, and says at the end of the text what
// they cost.
func (f *Run) compareWishes(ctx context.Context) error {
	r, o := f.Reading, f.Options
	r.Ignore, o.First, o.Forbid, o.MinRows, o.Increasing, o.Decreasing = nil, nil, nil, 0, nil, nil
	o.Memory = f.Memory.Search(o.Memory)
	best, err := process.Await(ctx, func() (*family.Model, error) {
		data, err := family.Read(f.Path, r)
		if err != nil {
			return nil, err
		}
		return family.Fit(ctx, data, o)
	})
	if err != nil {
		return fmt.Errorf("%s: without the wishes: %w", wording.Escape(f.Path), err)
	}
	f.Ending += answer.Wishes(f.Model, best)
	f.compared = new(report.Summarize(best))
	return nil
}

// solve finds the best model of all, or within the limits.
func (f *Run) solve(ctx context.Context, o family.Options) (err error) {
	if f.Limits == nil {
		f.Model, err = f.Problem.Fit(ctx, o)
		return err
	}
	start := time.Now()
	o.Progress = nil // of searches whose models may be beyond the limits
	limits := *f.Limits
	limits.Options = o
	if f.within, err = fair.Ask(ctx, f.Problem, limits); err != nil {
		return err
	}
	f.Model, f.took, f.stopped = f.within.Model, time.Since(start), ctx.Err() != nil && !f.within.Proved
	return nil
}

// interrupted reports whether somebody ended the search.
func (f *Run) interrupted() bool {
	return f.stopped || f.Model.Certificate().Status == parallel.Interrupted
}

// limited says what was found within the limits.
func (f *Run) limited() *answer.Fair {
	x := answer.NewFair(string(f.Family.Kind)+f.Options.RestrictionText(), f.within, f.Limits.Limits, f.GroupName)
	if f.KeptBack != nil {
		x.Unseen(f.KeptBack)
	}
	return x
}

// limitedObject is the result of a fit with what is said of the limits.
func (f *Run) limitedObject(r report.Result) any {
	unproved := parallel.TimeLimit
	if f.stopped {
		unproved = parallel.Interrupted
	}
	r.Stats.SecondsSearch = report.Seconds(f.took)
	answer.Within(&r, f.within, unproved)
	return struct {
		report.Result
		Fair *answer.Fair `json:"fair"`
	}{r, f.limited()}
}

// tellAfter is how long a search may take before what is searched is told: by then
// it has found its options good.
const tellAfter = time.Second

// tellWait is how long the search's messages wait for those on stdout.
const tellWait = 100 * time.Millisecond

// adviseAfter is how long a search may take before a person is told what would
// make it shorter.
const adviseAfter = 10 * time.Second

// announcer tells people of a search while it runs: on stdout how the table was read,
// and once on stderr what would end the search sooner, whether or not there are
// lines of progress. Nobody may be reading stdout: the search, its limits and its
// checkpoints go on meanwhile.
type announcer struct {
	f      *Run
	Aloud  bool // stdout is for people
	advise bool // so is stderr

	mutex  sync.Mutex
	told   chan error // how printing the head went; nil before
	state  string     // of the search at the latest look: "gap 3.1%"
	timers []*time.Timer
}

// begin starts the clock of a search that has run for some time; only its first
// call counts. It is called from one goroutine.
func (t *announcer) begin(ran time.Duration) {
	if t.timers != nil || !t.Aloud && !t.advise {
		return
	}
	t.timers = append(t.timers, time.AfterFunc(tellAfter-ran, t.tell))
	if t.advise && t.f.Limits == nil {
		t.timers = append(t.timers, time.AfterFunc(adviseAfter-ran, func() {
			t.tell() // before
			t.f.Note("%s", t.advice(max(ran, adviseAfter)))
		}))
	}
}

// saw keeps the state of the search at a look.
func (t *announcer) saw(e family.Event) {
	state := "gap " + wording.Percentage(e.Gap)
	switch {
	case e.Family == model.RuleSet:
		state = fmt.Sprintf("%d of %d steps so far solved exactly", e.Step, e.Steps)
	case math.IsInf(e.Bound, 1):
		state = fmt.Sprintf("%d of %s ended", e.Step, wording.Count(int64(e.Steps), "chain"))
	case e.Family == model.BayesianRuleList:
		state = fmt.Sprintf("gap %.4f nats", e.Gap)
	}
	t.mutex.Lock()
	t.state = state
	t.mutex.Unlock()
}

// end stops the clock.
func (t *announcer) end() {
	for _, timer := range t.timers {
		timer.Stop()
	}
}

// tell begins to print, once, what is searched.
func (t *announcer) tell() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.Aloud || t.told != nil {
		return
	}
	t.told = make(chan error, 1)
	text, shown := t.f.Head()+"\n", make(chan struct{})
	go func() {
		t.told <- t.f.Print(text)
		close(shown)
	}()
	select { // what follows stands below it, where somebody reads
	case <-shown:
	case <-time.After(tellWait):
	}
}

// wasTold waits until that is printed.
func (t *announcer) wasTold() error {
	t.tell()
	if t.told == nil {
		return nil
	}
	return <-t.told
}

// advice says what would end the search sooner, with figures of this one.
func (t *announcer) advice(took time.Duration) string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.f.Advice(took, t.state, t.f.Resume != "", t.f.Client != nil)
}

// prove runs a search that writes a proof.
func (f *Run) prove(ctx context.Context, o family.Options) error {
	fault, err := runs.Proving(f.Keeping.Proof, func(to *family.Proof) (missing, err error) {
		o.Proof = to
		err = f.solve(ctx, o)
		f.Announcer.end()
		switch {
		case err != nil:
			return nil, err
		case f.Model.Search.Short.Proof > 0:
			return nil, nil
		case f.Model.Search.ProofErr == nil && !f.Model.Search.Proved:
			return runs.ErrNoProof, nil
		}
		return f.Model.Search.ProofErr, nil
	})
	switch {
	case err != nil:
		return err
	case fault == runs.ErrNoProof: // not one that wraps it, which says more
		f.endWithoutProof()
	case fault != nil:
		f.fault = fault
	case f.Model.Search.Short.Proof > 0:
		f.endWithoutProof()
	}
	return nil
}

// endWithoutProof makes the program end with an error that says so, once the model is written.
// A client is told by a note, as is a person who interrupted the search.
func (f *Run) endWithoutProof() {
	fault := fmt.Errorf("%w in %s: the search ended before the %s was proved to be optimal", runs.ErrNoProof,
		wording.Escape(f.Keeping.Proof), f.Family.Noun())
	if n := f.Model.Search.Short.Proof; n > 0 {
		fault = fmt.Errorf("%w that the list is optimal: the search ended before; %s proves that no list of at most %s is better",
			runs.ErrNoProof, wording.Escape(f.Keeping.Proof), wording.Count(int64(n), "rule"))
	} else if _, err := os.Lstat(runs.Earlier(f.Keeping.Proof)); err == nil {
		fault = fmt.Errorf("%w; the earlier proof is now in %s", fault, wording.Escape(runs.Earlier(f.Keeping.Proof)))
	}
	if f.Client != nil || f.interrupted() {
		f.Note("%v", fault)
		return
	}
	f.fault = fault
}

// proveBesideCheckpoint is prove for a search that is kept in a checkpoint.
func (f *Run) proveBesideCheckpoint(ctx context.Context, o family.Options) error {
	p := f.File.Proof
	err := p.Open(f.Problem.Set.Data.Hash)
	switch {
	case err != nil && p.Resumes:
		return err
	case err != nil:
		return p.Fault(err)
	}
	o.Proof = &family.Proof{File: p}
	if f.Model, err = f.Problem.Fit(ctx, o); err != nil {
		if !f.File.Resumes {
			p.Discard()
		}
		return err
	}
	r, keep := f.Model.Search, f.File.Exists(f.Model)
	optimal := f.Model.Certificate().Status == parallel.Optimal
	switch {
	case r.ProofErr != nil:
		f.fault = p.Fault(r.ProofErr)
	case !optimal:
		f.endWithoutProof()
	case optimal:
		if f.fault = p.CopyTo(f.Keeping.Proof); f.fault != nil {
			keep = true // it is the whole proof
			f.Note("the proof is in %s", wording.Escape(p.Path))
		}
	}
	if !keep {
		p.Discard()
	}
	return nil
}

// chanceSettings is how the labels are shuffled.
type Chance struct {
	Asked    bool // on the command line
	Quickly  bool // unasked if it is quick
	Shuffles int
	seed     uint64
	Groups   []int // see chance.Options
}

// Group is what asks whether a model is better than chance.
func (s *Chance) Group() process.Group {
	number := process.OrNone(option.Integer(&s.Shuffles, 1, 100_000), func() { s.Shuffles = 0 })
	number.Among = []string{"none"}
	return process.Group{Title: "Chance", Options: []*option.Option{
		{Name: "chance", Unset: "99 of fewer than 500 rows, where that is quick; 8 if 3 of these are as good", Value: number},
		{Name: "chance-seed", Default: "0", Value: option.Integer(&s.seed, 0, math.MaxInt64)},
	}}
}

// Labels are shuffled unasked where that takes less than a second. Rows and nodes count, not
// time, so that the same table has the same answer everywhere, unless quickTime passes.
const (
	quickRows  = 500
	quickWork  = 1 << 23 // conjunctions that were mined, times rows
	quickNodes = 200     // of each search
	quickFirst = 8       // shuffles, of which one search at most may end without an answer
	// quickEnough of the first as good are enough to say that the model is no better than
	// chance. Where one shuffle of 20 is as good, so many are in fewer than one table of 100.
	quickEnough = 3
)

// QuickTime ends such shuffles without an answer. Tests, which may run on slow machines, raise it.
var QuickTime = 5 * time.Second

// Usual is how many such shuffles are made. Tests, which fit much, make fewer.
var Usual = chance.Usual

// isQuick reports whether labels are shuffled unasked.
func isQuick(set *rules.Set) bool {
	return set.Data.Rows() < quickRows && set.Mined*int64(set.Data.Rows()) <= quickWork
}

// Shuffles returns how labels are shuffled after this fit, and in how long at most; no shuffles
// if not at all. A part of the limit of time is left for them.
func (f *Run) Shuffles() (o chance.Options, most time.Duration) {
	o = chance.Options{Shuffles: f.Asks.Shuffles, Seed: f.Asks.seed, Groups: f.Asks.Groups}
	limit := f.Options.Time
	switch {
	case f.Asks.Asked && o.Shuffles == 0, f.Limits != nil:
		return o, 0
	case f.Asks.Asked:
		return o, limit / 4
	case f.Reading.Weight != "" && !f.Problem.Set.Data.Counted(): // a row may stand for many, and shuffles would keep these together
		return o, 0
	case !f.Asks.Quickly || f.Options.Maximise != "" || !f.Family.Asks() || len(f.Options.First) > 0 || !isQuick(f.Problem.Set):
		return o, 0
	}
	o.Shuffles, o.Each = Usual, quickNodes
	if limit == 0 {
		return o, QuickTime
	}
	return o, min(QuickTime, limit/8)
}

// CompareWithChance says at the end of the text how often shuffled labels allow as good a
// model, if it is asked for or quick. Where the first shuffles are not quick, it says that.
func (f *Run) CompareWithChance(ctx context.Context) error {
	o, most := f.Shuffles()
	o.Options, o.Model = f.Options, f.Model
	if c := f.Model.Certificate(); o.Shuffles == 0 || c.Status == parallel.Interrupted || !f.Asks.Asked && len(f.Model.Cases()) < 2 {
		return nil
	}
	limited, cancel := ctx, func() {}
	if most > 0 {
		limited, cancel = context.WithTimeout(ctx, most)
	}
	defer cancel()
	c, err := process.Await(ctx, func() (report.Chance, error) {
		if !f.Asks.Asked {
			first := o
			first.Shuffles = quickFirst
			c, err := chance.Ask(limited, f.Problem, first)
			switch {
			case err != nil || c.AsGood >= quickEnough:
				return c, err
			case c.Unproved > 1:
				return report.Chance{}, nil
			}
			o.Made = c
		}
		return chance.Ask(limited, f.Problem, o)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", wording.Escape(f.Path), err)
	}
	if c.Shuffles == 0 || !f.Asks.Asked && limited.Err() != nil && c.Shuffles > quickFirst {
		f.Ending += answer.Hanging(fmt.Sprintf("not known to be better than chance: --chance %d says it, but takes longer", chance.Usual),
			4)
		return nil
	}
	f.Chance = &c
	f.Ending += answer.Hanging(answer.Chance(f.Chance, f.Family.Noun()), 4)
	return nil
}
