// Package fit runs the search that a command asks for: with its checkpoint and its proof, with what people and clients
// are told meanwhile, and with the questions that follow. Begin with [New] and [Run.Learn].
//
// Reading the source: run.go, announcer.go, proof.go, chance.go.
package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/fair"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/parallel"
	"parcorels/report"
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
	f.Announcer = newAnnouncer(f)
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
		return f.limitedText()
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

// limitedText is what fit prints of it.
func (f *Run) limitedText() string {
	return f.limited().Describe(f.took, f.stopped, f.within.Best.Certificate().Status == parallel.Optimal) + f.Ending
}
