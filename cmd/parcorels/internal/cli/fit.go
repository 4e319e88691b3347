package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"parcorels/answer"
	"parcorels/ask/chance"
	"parcorels/bitvec"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/peakmem"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/report"
	runs "parcorels/run"
)

func fitCommand() *command {
	return &command{
		name:    "fit",
		summary: "learn a model that is provably optimal",
		usage:   "FILE [options]",
		details: []string{
			"FILE is a table with a header: CSV, TSV or separated by ; or |, plain or gzip-compressed, or a file of Parquet. - reads it from stdin. Or FILE is X.out in the format of the reference implementation of CORELS, with labels in X.label beside it.",
			"The model minimises (errors / samples) + λ · (number of rules). With --model tree it is a decision tree, and λ the price of a leaf. With --model set it is a set of rules; class 1 is predicted where one holds (docs/rule-sets.md). With --model bayes it is the rule list of largest posterior (docs/bayesian-rule-lists.md).",
			"Any number of workers gives the same model. Ctrl-C or a limit ends the search early. The best model so far is then printed with a proven bound. With --checkpoint the search can be resumed later, even if the process was killed.",
			"First the output says how each column is read. After ten seconds of search, one line of advice is printed on stderr.",
			"A line of progress begins with the source of the best model: F for work before the search, S for the search, R for a resumed checkpoint. Then come its rules or leaves, the share of samples that it gets wrong (error), its objective (best), the bound that no model can beat, and the gap between the two. The nodes left and done, memory and time follow. A model is proved when the gap is 0 or nothing is left.",
		},
		min: 1, max: 1,
		complete: each(endingIn(tableEndings...)),
		begin: func(c *call) (func(context.Context, *process.Env, []string) error, []process.Group) {
			s := &fitSettings{call: c, Learning: process.NewLearning(), asks: chanceSettings{quickly: true}}
			c.opens = &s.Reading
			return s.fit, []process.Group{
				s.Group(family.ModelGroup), s.Group(family.SetGroup), s.Group(family.BayesGroup), s.wishGroup(), s.Group(family.ReadingGroup),
				s.Group(family.MiningGroup), s.Group(family.SearchGroup), s.fair.options(), s.fair.points(), s.holding.group(), s.asks.group(), keepingGroup(&s.keeping), fitOutputGroup(&s.Output, &s.keeping),
			}
		},
	}
}

// fitSettings is what the options of fit say.
type fitSettings struct {
	*call
	*process.Learning
	process.Output
	keeping
	holding holding
	asks    chanceSettings
	fair    fairness
	compare bool // what the wishes cost
}

// fitRun is a fit: what the search is given, and then what it has found.
type fitRun struct {
	*process.Env
	*process.Learning
	process.Output
	keeping
	path      string
	byDefault bool            // nobody gave the limit of time
	followed  bool            // by another search in the same time
	holdout   *report.Holdout // figures on rows kept back; nil for none
	asks      chanceSettings
	family    *family.Family
	problem   *family.Problem
	read      time.Duration // until the antecedents were there
	file      *runs.Checkpoint
	announcer *announcer
	table     *process.ProgressTable       // nil for none
	better    func() (family.Shown, error) // the best model so far, where it was not shown yet; nil: none
	shown     time.Duration                // when a model was shown last
	fitResult
}

// fitResult is what a search has found.
type fitResult struct {
	model    *family.Model
	stats    report.Stats
	trace    report.Trace    // the looks at the search, where --json asks for them
	effort   string          // "0.01 s, 9,626 prefixes expanded"
	opening  string          // is printed before the model, unless --quiet is given
	ending   string          // is printed at the end
	fault    error           // what went wrong beside the search, as a proof that cannot be written
	chance   *chance.Answer  // of shuffled labels; nil where nobody asked
	compared *report.Summary // of the best model without the wishes; nil where nobody asked
}

// newFitRun returns a fit of a problem that was just made.
func newFitRun(e *process.Env, l *process.Learning, out process.Output, keep keeping, path string, p *family.Problem) *fitRun {
	f := &fitRun{Env: e, Learning: l, Output: out, keeping: keep, path: path, family: l.Family(), problem: p, read: time.Since(e.Start), file: &runs.Checkpoint{}}
	f.table = e.ProgressTable(&out)
	if price, err := p.Price(l.Options); err == nil && f.table != nil { // the options were found good
		f.table.Price = price.Float()
	}
	f.announcer = newAnnouncer(e, f)
	return f
}

func (s *fitSettings) fit(ctx context.Context, e *process.Env, args []string) (err error) {
	path := args[0]
	if err := s.validate(); err != nil {
		return err
	}
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	file, err := runs.Open(runs.Keeping{Checkpoint: s.checkpoint, Every: s.every, Resume: s.resume, Proof: s.proof}, []string{s.Output.ModelFile, s.JSON}, s.given["every"], e.Note)
	if err != nil {
		return err
	}
	defer file.Release()
	if err = atomicfile.Check(cmp.Or(s.proof, os.DevNull)); err != nil {
		return runs.UnwritableProof(s.proof, err)
	}
	outputs := []string{s.Output.ModelFile, s.JSON, s.proof, file.Path}
	if file.Proof != nil {
		outputs = append(outputs, file.Proof.Path)
		defer file.Proof.Release()
	}
	if err = runs.CheckOutputs(outputs, []string{path, s.Reading.Labels}); err != nil {
		return err
	}
	if err = s.validateWishes(path); err != nil {
		return err
	}
	if err = runs.SetAside(s.proof); err != nil {
		return err
	}
	defer func() { runs.Settle(s.proof, err, process.ErrStopped, e.Note) }()
	if s.fair.asked() {
		return s.fitFair(ctx, e, path)
	}
	if s.holding.share != "" {
		return s.fitHoldingOut(ctx, e, path, file)
	}
	p, err := e.Problem(ctx, s.Learning, s.given, path, process.Reader{NoHash: e.Client == nil && !s.needsHash(), Limited: true})
	if err != nil {
		return err
	}
	if s.holding.groups != "" {
		if s.asks.groups, _, err = e.GroupsOf(ctx, s.Reading, path, s.holding.groups, p.Set.Data); err != nil {
			return err
		}
	}
	f := s.newRun(e, path, p, file)
	if err = f.learn(ctx); err != nil {
		return err
	}
	return f.conclude(ctx, s)
}

// newRun returns a fit of all that was asked for.
func (s *fitSettings) newRun(e *process.Env, path string, p *family.Problem, file *runs.Checkpoint) *fitRun {
	f := newFitRun(e, s.Learning, s.Output, s.keeping, path, p)
	f.file, f.asks = file, s.asks
	f.asks.quickly = e.Client == nil // which fits many models, as a grid does
	if f.byDefault = !s.given["time"]; f.byDefault && f.family.Kind == model.RuleList && s.proof == "" && e.Client == nil {
		f.file.SaveOnTimeLimit(path, process.DefaultTime)
	}
	return f
}

// conclude asks what else is asked of the model, and puts the result everywhere it is to go.
func (f *fitRun) conclude(ctx context.Context, s *fitSettings) error {
	with, err := "chance", f.compareWithChance(ctx)
	if err == nil && s.compare && f.model.Certificate().Status != parallel.Interrupted {
		with, err = "the best of all", f.compareWishes(ctx)
	}
	if errors.Is(err, process.ErrInterrupted) {
		f.ending += "stopped before it was compared with " + with + "\n"
		err = process.ErrStopped
	} else if err != nil {
		return err
	}
	if fault := f.write(); fault != nil {
		return fault
	}
	if f.model.Certificate().Status == parallel.Interrupted {
		return process.ErrStopped
	}
	return cmp.Or(f.file.Finish(f.model), err)
}

// validate finds what is wrong with the options before any work.
func (s *fitSettings) validate() error {
	o := s.Options
	if s.checkpoint+s.resume != "" {
		o.Checkpoint = &family.Checkpoint{}
	}
	if s.proof != "" {
		o.Proof = &family.Proof{}
	}
	s.asks.asked = s.given["chance"]
	s.Reading = s.Family().Reading(s.Reading)
	if err := s.validateHolding(); err != nil {
		return err
	}
	if err := s.fair.check(s.given, s.Family()); err != nil {
		return err
	}
	return o.Validate(s.Reading)
}

// needsHash reports whether the hash of the data is written anywhere, or compared.
func (s *fitSettings) needsHash() bool {
	return s.Output.ModelFile+s.JSON+s.proof+s.checkpoint+s.resume != ""
}

// learn searches for the model.
func (f *fitRun) learn(ctx context.Context) error {
	o := f.Options
	o.Software = f.Software
	o.Progress, o.ProgressEvery, o.Models = f.onProgress, f.ProgressEvery, f.showsLists()
	if f.family.Kind != model.RuleSet {
		o.Memory = f.Memory.Search(o.Memory)
	}
	if o.Time > 0 {
		left := o.Time - time.Since(f.Start)
		if f.followed {
			left /= 2
		}
		_, shuffling := f.shuffles()
		o.Time = max(left-min(shuffling, left/4), 1)
		f.file.Ends = time.Now().Add(o.Time)
	}
	f.announcer.begin(0)
	err := f.search(ctx, o)
	f.announcer.end()
	if err != nil {
		return err
	}
	if f.fault == nil {
		f.fault = f.model.Search.CheckpointErr
	}
	f.stats = f.model.Stats()
	s := &f.stats
	if f.file.Path == "" {
		s.Checkpoints = 0 // one that was declined is none
	}
	f.effort = fmt.Sprintf("%s, %s %s", wording.Seconds(time.Duration(s.SecondsSearch*float64(time.Second))), wording.Count(s.Expanded, f.family.Unit), f.family.Done)
	if f.file.From != "" {
		f.opening = f.file.Resumed(f.model) + "\n\n"
	}
	if n := f.model.Search; f.model.Certificate().Status != parallel.Optimal || n.ProofErr != nil && n.ProofKept && f.file.Proof != nil { // the proof can be completed
		f.ending += f.file.Advice(f.model, f.proof)
	}
	if f.model.Search.Proved && f.proof != "" && f.fault == nil {
		f.ending += fmt.Sprintf("(proof in %s: %s, %s)\n", wording.Escape(f.proof), wording.Count(s.ProofBytes, "byte"), wording.Count(s.ProofRecords, "record"))
	} else {
		s.ProofBytes, s.ProofRecords = 0, 0
	}
	if f.byDefault && f.model.Certificate().Status == parallel.TimeLimit {
		f.ending += fmt.Sprintf("(%.0f s is the default: a larger --time searches longer, --time none has no limit)\n", process.DefaultTime.Seconds())
	}
	f.ending += f.answer().Depths()
	if len(f.trace) > 1 { // not the last look alone
		s.Trace = f.trace
	}
	s.SecondsTotal, s.SecondsRead = report.Seconds(time.Since(f.Start)), report.Seconds(f.read)
	if peak := peakmem.Peak(); peak > 0 {
		s.PeakBytes = peak
	}
	return nil
}

// search runs the search, with a proof and a checkpoint where these are asked for.
func (f *fitRun) search(ctx context.Context, o family.Options) (err error) {
	if o.Checkpoint, err = f.file.Begin(); err != nil {
		return err
	}
	switch {
	case f.file.Proof != nil:
		err = f.proveBesideCheckpoint(ctx, o)
	case f.proof != "":
		err = f.prove(ctx, o)
	default:
		f.model, err = f.problem.Fit(ctx, o)
	}
	var unopened runs.UnopenedError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, family.ErrCheckpoint):
		return fmt.Errorf("%s: %w", f.resume, err)
	case errors.As(err, &unopened):
		return unopened.Err
	case errors.Is(err, family.ErrProof):
		return fmt.Errorf("%s: %w", f.file.Proof.From, err)
	}
	return fmt.Errorf("%s: %w", wording.Escape(f.path), err)
}

// onProgress tells people, a client and the JSON object of a look at the search.
func (f *fitRun) onProgress(e family.Event) {
	f.announcer.begin(e.Elapsed)
	f.announcer.saw(e)
	if f.JSON != "" {
		f.record(e)
	}
	switch {
	case f.Client != nil:
		f.Client.Progress(e)
		return
	case f.table != nil:
		f.announcer.tell()
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

// showEvery is how long a search takes before its best model is shown, and then again if it is another one.
const showEvery = 1500 * time.Millisecond

// showsLists reports whether a person follows the search.
func (f *fitRun) showsLists() bool {
	return f.Client == nil && !f.Quiet && f.Progress != "never"
}

// mostLooks bounds the trace of a search: a longer one keeps every second look.
const mostLooks = 1000

// record keeps a look at the search.
func (f *fitRun) record(e family.Event) {
	if f.family.Kind == model.RuleList {
		f.trace.Add(e.Look(), mostLooks)
	}
}

// write puts the result everywhere it is to go. A file that cannot be written
// does not keep the model, perhaps of hours of search, from being printed.
func (f *fitRun) write() error {
	errs := []error{f.fault}
	if f.Output.ModelFile != "" {
		errs = append(errs, f.WriteFile(f.Output.ModelFile, f.model.Encode))
	}
	if f.JSON != "" {
		errs = append(errs, f.WriteJSON(f.JSON, f.object()))
	}
	if f.Client != nil {
		errs = append(errs, f.Client.Result(f.object(), f.model, f.problem.Set.Data.Columns))
	}
	if f.JSON != "-" && f.Output.ModelFile != "-" {
		err := f.announcer.wasTold()
		if err == nil {
			err = f.Print(f.text())
		}
		errs = append(errs, err)
	}
	return cmp.Or(errs...) // the first of them
}

// object makes the JSON object of the result.
func (f *fitRun) object() report.Result {
	all := f.problem.Set.Data.Notes
	if text := answer.Foreknown(f.model); text != "" {
		all = append(slices.Clip(all), text)
	}
	o := report.New(f.model.Model, f.path, f.FlaggedAll(all))
	o.Stats, o.Holdout, o.Compared, o.ProvedRules = f.stats, f.holdout, f.compared, f.model.Search.Short.Rules
	if c := f.chance; c != nil {
		o.Chance = answer.ReportedChance(*c)
	}
	return o
}
