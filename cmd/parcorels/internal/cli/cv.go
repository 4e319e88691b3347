package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/bits-and-blooms/bitset"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/ratio"
	runs "parcorels/run"
)

func cvCommand() *command {
	return &command{
		name:    "cv",
		summary: "cross-validate: how well models predict, and which λ to take",
		usage:   "FILE [options]",
		details: []string{
			"FILE is a table or X.out, as for fit. Its samples are dealt into folds, class by class, at random. For every fold and " +
				"every λ, cv finds the optimal rule list of the other folds, or with --model another family's model. Then it evaluates " +
				"the model on the fold.",
			"The output has means over the folds ± standard deviations: of the objective in training, and of accuracy, true and false " +
				"positive rate (TPR, FPR), in training and on the folds left out. Samples have the weights of the data there, whatever " +
				"--balance says. It also has the models that more than one fold found; --json has all. With more than two classes " +
				"there are no TPR and FPR. Below each λ stand measures on the folds left out ± standard errors. There each " +
				"sample counts once, and probabilities are those of the training part, smoothed.",
			"What is learned never depends on the fold that is left out, with one exception. The type of a column, and which texts are " +
				"too rare, is decided once, on all samples, without their labels. Any number of workers gives the same models. A fold " +
				"whose model is not proved optimal is counted as such. Bayesian rule lists have no λ to choose: --length and " +
				"--width set their prior.",
		},
		min: 1, max: 1,
		complete: each(endingIn(tableEndings...)),
		begin: func(c *call) (func(context.Context, *process.Env, []string) error, []process.Group) {
			s := &cvSettings{call: c, Learning: process.NewLearning(), asks: chanceSettings{quickly: true}}
			c.opens = &s.Reading
			return s.crossValidate, s.cvGroups()
		},
	}
}

// validated is the outcome of cv.
type validated struct{ *answer.CrossValidation }

func (s *cvSettings) crossValidate(ctx context.Context, e *process.Env, args []string) error {
	path := args[0]
	if err := s.check(path); err != nil {
		return err
	}
	d, err := e.Read(ctx, s.Learning, s.given, path, process.Reader{NoHash: s.Output.ModelFile+s.JSON == "", KeepColumns: true})
	if err != nil {
		return err
	}
	noteFewOfClass(d.Dataset, s)
	v := &validated{&answer.CrossValidation{Family: s.Family(), Path: path, Data: d, Rule: s.pick, Picked: -1, Auto: s.auto}}
	if err := v.run(ctx, e, s); err != nil {
		return err
	}
	if s.Output.ModelFile == "" {
		if err := v.compareWithChance(ctx, e, s); err != nil {
			return err
		}
	}
	if err := s.Tell(e, v.Object(), v.Text(s.Quiet)); err != nil {
		return err
	}
	if !v.Report.Complete() {
		return process.ErrStopped
	}
	if s.Output.ModelFile == "" {
		return nil
	}
	return v.fit(ctx, e, s)
}

// noteFewOfClass notes which classes are missing from some folds.
func noteFewOfClass(d *dataset.Dataset, s *cvSettings) {
	if s.cv.Holdout > 0 {
		return
	}
	counts := make([]int, d.ClassCount())
	for i := range d.N {
		counts[d.Class(i)]++
	}
	var few []string
	for c, n := range counts {
		if n < s.cv.Folds {
			few = append(few, fmt.Sprintf("%q has %s", d.ClassName(c), wording.Count(int64(n), "sample")))
		}
	}
	if few != nil {
		d.Notes = append(d.Notes, fmt.Sprintf("some of the %d folds are without a class, and what is measured of it is of the others: %s",
			s.cv.Folds, strings.Join(few, ", ")))
	}
}

// check finds what is wrong with the options before any work.
func (s *cvSettings) check(path string) (err error) {
	s.asks.asked = s.given["chance"]
	if err := s.Learning.Check(s.given, path); err != nil {
		return err
	}
	if s.cv.Lambdas, err = s.prices(); err != nil {
		return err
	}
	if share, err := ratio.Parse(s.holdout); err == nil {
		s.cv.Holdout = share.Float()
	}
	if s.given["class-weights"] && s.given["balance"] {
		return errors.New("--class-weights and --balance both weigh the classes: give one of them")
	}
	if s.given["holdout"] && s.given["folds"] {
		return errors.New("--holdout takes the place of --folds: give one of them")
	}
	if s.auto && s.pick == "" {
		s.pick = crossval.Best
	}
	if s.Output.ModelFile != "" && s.pick == "" && len(s.cv.Lambdas) != 1 {
		return errors.New("-o takes a model of one λ: give --lambda one, or say how to choose with --pick")
	}
	return runs.CheckOutputs([]string{s.Output.ModelFile, s.JSON}, []string{path, s.Reading.Labels})
}

// run makes the fits and picks λ.
func (v *validated) run(ctx context.Context, e *process.Env, s *cvSettings) error {
	o := &s.Options
	o.Memory = e.Memory.Search(o.Memory)
	s.cv.Family = crossval.Models{Options: *o}
	if s.cv.Lambdas == nil {
		s.cv.Lambdas = defaultLambdas(v.Data.Dataset)
	}
	s.cv.Limits = crossval.Limits{Workers: o.Workers, Memory: o.Memory, Time: s.timeOfFit(), Nodes: o.Nodes}
	var err error
	if s.cv.Mining, err = o.Mining(); err != nil {
		return err
	}
	if e.ProgressTable(&s.Output) != nil {
		total := s.cv.Folds * len(s.cv.Lambdas)
		if s.cv.Holdout > 0 {
			total = len(s.cv.Lambdas)
		}
		before, last := 0, 0 // fits for the λ that are given, where others follow
		s.cv.Done = func(f *crossval.Fit, done int) {
			// A failure to print progress is no failure of the fits.
			if done <= last {
				before += last
			}
			last = done
			at := fmt.Sprintf("%d of %s", done, wording.Count(int64(total), "fit"))
			if before > 0 {
				at = fmt.Sprintf("fit %d", before+done)
			}
			c := f.Model.Certificate()
			_, _ = fmt.Fprintf(e.Stderr, "%s: λ = %s, fold %d, %s, objective %.7f, %s\n",
				at, f.Lambda, f.Fold+1,
				wording.Count(int64(c.Size), c.Part), c.Objective.Value, wording.Seconds(f.Search))
		}
	}
	if s.groups != "" {
		if s.cv.Groups, _, err = e.GroupsOf(ctx, s.Reading, v.Path, s.groups, v.Data.Dataset); err != nil {
			return err
		}
	}
	if err = v.byColumn(ctx, e, s); err != nil {
		return err
	}
	run := crossval.Run
	if s.auto {
		run = crossval.Search
	}
	if v.Report, err = run(ctx, v.Data.Dataset, s.cv); err != nil {
		return fmt.Errorf("%s: %w", v.Path, err)
	}
	v.Summaries = v.Report.Summaries()
	done := 0
	for _, m := range v.Summaries {
		done += m.Done
	}
	if done == 0 {
		return process.ErrInterrupted
	}
	if l, ok := v.Report.Pick(v.Rule); ok && (v.Rule != "" || len(v.Summaries) == 1) {
		v.Picked = l
	}
	v.Total = time.Since(e.Start)
	return nil
}

// timeOfFit is the limit of each fit. Where nobody gives one, all fits together take the
// default, so that nobody waits for hours.
func (s *cvSettings) timeOfFit() time.Duration {
	if s.given["time"] {
		return s.Options.Time
	}
	fits := max(1, len(s.cv.Lambdas))
	if s.cv.Holdout == 0 {
		fits *= s.cv.Folds
	}
	workers := min(cmp.Or(s.Options.Workers, runtime.GOMAXPROCS(0)), fits)
	return max(cvTime*time.Duration(workers)/time.Duration(fits), time.Second)
}

// all returns a fit of all samples with the λ picked, before the search.
func (v *validated) all(ctx context.Context, e *process.Env, s *cvSettings, out process.Output) (*fitRun, error) {
	all := bitset.New(uint(v.Data.N)).FlipRange(0, uint(v.Data.N))
	l := &process.Learning{Reading: s.Reading, Options: s.Options.WithPrice(v.Summaries[v.Picked].Lambda)}
	if s.cv.Balance == crossval.Weights {
		l.Reading.ClassWeights = "balanced" // as fit would weigh the classes
	}
	p, err := process.Await(ctx, func() (*family.Problem, error) {
		set, err := crossval.Training(ctx, v.Data.Dataset, all, crossval.AllRows, s.cv)
		if err != nil {
			return nil, err
		}
		return family.ProblemOf(set, l.Reading, l.Options)
	})
	if err != nil {
		return nil, err
	}
	again := *e
	again.Start = time.Now() // from when --time counts
	f := newFitRun(&again, l, out, keeping{}, v.Path, p)
	f.announcer.aloud = false
	if s.cv.Balance != crossval.Resample { // drawn samples are none to shuffle
		f.asks = s.asks
		f.asks.groups = s.cv.Groups
	}
	return f, nil
}

// compareWithChance asks of the model of all samples whether it is better than chance.
func (v *validated) compareWithChance(ctx context.Context, e *process.Env, s *cvSettings) error {
	if v.Picked < 0 || !v.Report.Complete() || ctx.Err() != nil || s.asks.asked && s.asks.shuffles == 0 {
		return nil
	}
	f, err := v.all(ctx, e, s, process.Output{Progress: "never"})
	if err != nil {
		return err
	}
	if o, _ := f.shuffles(); o.Shuffles == 0 {
		return nil
	}
	if !s.asks.asked {
		f.Options.Time = quickTime
	}
	if err = f.learn(ctx); err == nil {
		err = f.compareWithChance(ctx)
	}
	v.Chance = f.chance
	return err
}

// fit learns from all samples with the λ picked, and writes the model.
func (v *validated) fit(ctx context.Context, e *process.Env, s *cvSettings) error {
	f, err := v.all(ctx, e, s, s.Output)
	if err != nil {
		return err
	}
	if err := f.learn(ctx); err != nil {
		return err
	}
	if err := f.compareWithChance(ctx); err != nil {
		return err
	}
	if s.cv.Balance == crossval.Resample {
		f.model.About().Options = nil // fit cannot draw samples
	}
	failed := e.WriteFile(s.Output.ModelFile, f.model.Encode)
	if s.JSON != "-" && s.Output.ModelFile != "-" {
		title := fmt.Sprintf("\nlearned from all samples with λ = %s:\n\n", v.Summaries[v.Picked].Lambda)
		if err := e.Print(title + f.model.Text(answer.Width) + "\n" + f.answer().Verdict()); err != nil && failed == nil {
			failed = err
		}
	}
	if failed == nil && f.model.Certificate().Status == parallel.Interrupted {
		return process.ErrStopped
	}
	return failed
}

// mostGroups is how many groups cv tells apart, as evaluate does.
const mostGroups = 100

// byColumn finds the groups that --by asks for.
func (v *validated) byColumn(ctx context.Context, e *process.Env, s *cvSettings) (err error) {
	if s.by == "" {
		return nil
	}
	if s.cv.By, v.Groups, err = e.GroupsOf(ctx, s.Reading, v.Path, s.by, v.Data.Dataset); err != nil {
		return err
	}
	if len(v.Groups) > mostGroups {
		return fmt.Errorf("%s: column %q has more than %d different values: choose a column of groups", v.Path, s.by, mostGroups)
	}
	v.By = s.by
	return nil
}

// cvTime is the limit of all fits of a cross-validation together, where nobody gives one.
const cvTime = 10 * time.Minute
