package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parcorels/bitvec"
	"parcorels/crossval"
	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

func cvCommand() *command {
	return &command{
		name:    "cv",
		summary: "cross-validate: how well models predict, and which λ to take",
		usage:   "FILE [options]",
		details: []string{
			"FILE is a table or X.out, as for fit. Its samples are dealt into folds, class by class, at random. For every fold and every λ the optimal rule list of the other folds, or with --model another family's model, is found and then judged on the fold.",
			"Printed are means over the folds ± standard deviations: of the objective in training; of accuracy, true and false positive rate (TPR, FPR), in training and on the folds left out, with samples weighed as the data does, whatever --balance says; and the models that more than one fold found (--json has all). Of more than two classes, which trees tell apart, there are no TPR and FPR. Below each λ stand measures on the folds left out ± standard errors, where samples count one each and probabilities are those of the training part, smoothed.",
			"What is learned never depends on the fold that is left out, but for this: the type of a column, and which texts are too rare, is decided once, on all samples, without their labels. Any number of workers gives the same models. A fold whose model is not proved optimal is counted as such. Bayesian rule lists have no λ to choose: their prior is as --length and --width say.",
		},
		min: 1, max: 1,
		groups: func(s *settings) []group {
			return append(cvFamilyGroups(s), tableGroup(s), miningGroup(s), cvGroup(s), cvSearchGroup(s), cvOutputGroup(s))
		},
		complete: each(endingIn(tableEndings...)),
		run:      cv,
	}
}

// validated is the outcome of cv: what its text and its JSON object tell.
type validated struct {
	family    *family
	path      string
	data      *dataset.Dataset
	report    *crossval.Report
	summaries []crossval.Summary
	rule      crossval.Pick // "" if no λ is to be picked
	picked    int           // index in summaries; -1 if none is
	total     time.Duration
	auto      bool // --lambda auto
}

func cv(ctx context.Context, e *env, s *settings, args []string) error {
	path := args[0]
	if err := s.checkCV(path); err != nil {
		return err
	}
	s.data.KeepColumns = true
	d, err := await(ctx, func() (*dataset.Dataset, error) { return e.read(s, path) })
	if err != nil {
		return err
	}
	v := &validated{family: s.family(), path: path, data: d, rule: s.pick, picked: -1, auto: s.auto}
	if err := v.run(ctx, e, s); err != nil {
		return err
	}
	if err := v.write(e, s); err != nil {
		return err
	}
	if !v.report.Complete() {
		return errStopped
	}
	if s.output == "" {
		return nil
	}
	return v.fit(ctx, e, s)
}

// checkCV finds what is wrong with the options before any work.
func (s *settings) checkCV(path string) error {
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	f := s.family()
	if err := f.check(s); err != nil {
		return err
	}
	if err := s.checkFormat(path); err != nil {
		return err
	}
	if f.prepare != nil {
		f.prepare(s)
	}
	if f.grid != nil && (s.auto || !s.given["lambda"]) {
		s.cv.Lambdas = f.grid(s)
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
	if s.output != "" && s.pick == "" && len(s.cv.Lambdas) > 1 {
		return errors.New("-o takes a model of one λ: give --lambda one, or say how to choose with --pick")
	}
	return checkOutputs([]string{s.output, s.json}, []string{path, s.data.Labels})
}

// run makes the fits and picks λ.
func (v *validated) run(ctx context.Context, e *env, s *settings) error {
	s.search.Memory = e.memory.Search(s.search.Memory)
	s.cv.Mining, s.cv.Family = s.mining, v.family.cross(s)
	s.cv.Limits = crossval.Limits{Workers: s.search.Workers, Memory: s.search.Memory, Time: s.search.Time, Nodes: s.search.Nodes}
	if e.progressTable(s) != nil {
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
			_, _ = fmt.Fprintf(e.stderr, "%s: λ = %s, fold %d, %s, objective %.7f, %s\n",
				at, f.Lambda, f.Fold+1,
				wording.Count(int64(c.Size), c.Part), c.Objective.Value, seconds(f.Search))
		}
	}
	var err error
	if s.groups != "" {
		if s.cv.Groups, err = e.groupsOf(ctx, s, v.path, s.groups, v.data); err != nil {
			return err
		}
	}
	run := crossval.Run
	if s.auto {
		run = crossval.Search
	}
	if v.report, err = run(ctx, v.data, s.cv); err != nil {
		return fmt.Errorf("%s: %w", v.path, err)
	}
	v.summaries = v.report.Summaries()
	done := 0
	for _, m := range v.summaries {
		done += m.Done
	}
	if done == 0 {
		return errInterrupted
	}
	if l, ok := v.report.Pick(v.rule); ok && (v.rule != "" || len(v.summaries) == 1) {
		v.picked = l
	}
	v.total = time.Since(e.start)
	return nil
}

// write puts the report everywhere it is to go.
func (v *validated) write(e *env, s *settings) error {
	var failed error
	if s.json != "" {
		failed = e.writeJSON(s.json, v.object())
	}
	if s.json != "-" && s.output != "-" {
		if err := e.print(v.text(s.quiet)); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// fit learns from all samples with the λ picked, and writes the model.
func (v *validated) fit(ctx context.Context, e *env, s *settings) error {
	all := bitset.New(uint(v.data.N)).FlipRange(0, uint(v.data.N))
	set, err := await(ctx, func() (*rules.Set, error) { return crossval.Training(ctx, v.data, all, crossval.AllRows, s.cv) })
	if err != nil {
		return err
	}
	s.search.Lambda = v.summaries[v.picked].Lambda
	again := *e
	again.start = time.Now() // from when --time counts
	f := again.fitted(s, v.path, set)
	f.teller.aloud = false
	if err := f.learn(ctx); err != nil {
		return err
	}
	failed := e.writeFile(s.output, f.model.Encode)
	if s.json != "-" && s.output != "-" {
		title := fmt.Sprintf("\nlearned from all samples with λ = %s:\n\n", s.search.Lambda)
		if err := e.print(title + f.model.Text(helpWidth) + "\n" + f.verdict()); err != nil && failed == nil {
			failed = err
		}
	}
	if failed == nil && f.model.Certificate().Status == parallel.Interrupted {
		return errStopped
	}
	return failed
}
