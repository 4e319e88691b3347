package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/ask/fair"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	runs "parcorels/run"
)

// beginCV has no seed of chains, which always begin where fit has them begin: --seed is that of the folds.
func beginCV(c *call) (work, []process.Group) {
	s := &cvSettings{call: c, Learning: process.NewLearning()}
	search := s.Group(family.SearchGroup, "lambda")
	option.Find(search.Options, "time").Unset = "10m for all fits together"
	return s.crossValidate, []process.Group{
		s.Group(family.ModelGroup), s.Group(family.SetGroup), s.Group(family.BayesGroup, "seed"),
		s.Group(family.WishGroup, "first", "forbid"), s.Group(family.ReadingGroup), s.Group(family.MiningGroup), s.fair.points(),
		{Title: "Cross-validation", Options: []*option.Option{
			{Name: "lambda", Unset: "the default of fit, twice that and half; of a rule set 16,4,1",
				Value: numbers(&s.lambdas, expectLambdas, "")},
			{Name: "folds", Default: "10", Value: option.Integer(&s.cv.Folds, 2, 10000)},
			{Name: "groups", Tables: true, Value: option.Text(&s.groups, "a column name")},
			{Name: "holdout", Value: shareValue(&s.holdout, "a number between 0 and 1, such as 0.3", ratio.Ratio.Within)},
			{Name: "seed", Default: "1", Value: option.Integer(&s.cv.Seed, 0, math.MaxInt64)},
			{Name: "pick", Unset: "pick none", Value: option.Choice(&s.pick, crossval.Best, crossval.OneStandardError)},
		}}, search, outputGroup("Output", "json progress quiet", &s.Output),
	}
}

func (s *cvSettings) crossValidate(ctx context.Context, e *process.Env, args []string) error {
	path := args[0]
	if err := s.check(path); err != nil {
		return err
	}
	d, err := e.Read(ctx, s.Learning, s.given, path, process.Reader{NoHash: s.JSON == "", KeepColumns: true, Quiet: s.Quiet})
	if err != nil {
		return err
	}
	if text := crossval.FewOfClass(d.Dataset, s.cv); text != "" {
		d.Notes = append(d.Notes, text)
	}
	v := &answer.CrossValidation{Family: s.Family(), Path: path, Data: d, Rule: s.pick, Picked: -1}
	if err := s.run(ctx, e, v); err != nil {
		return err
	}
	if err := s.Tell(e, v.Object(), v.Text(s.Quiet)); err != nil {
		return err
	}
	if !v.Report.Complete() {
		return process.ErrStopped
	}
	return nil
}

// check finds what is wrong with the options before any work.
func (s *cvSettings) check(path string) (err error) {
	if err := s.Learning.Check(s.given, path); err != nil {
		return err
	}
	if s.cv.Lambdas, err = s.prices(); err != nil {
		return err
	}
	if s.given["holdout"] {
		s.cv.Holdout = s.holdout.Float()
	}
	if s.given["holdout"] && s.given["folds"] {
		return errors.New("--holdout takes the place of --folds: give one of them")
	}
	if err := s.fair.check(s.given, s.Family()); err != nil {
		return err
	}
	return runs.CheckOutputs([]string{s.JSON}, []string{path, s.Reading.Labels})
}

// run makes the fits and picks λ.
func (s *cvSettings) run(ctx context.Context, e *process.Env, v *answer.CrossValidation) error {
	o := &s.Options
	o.Memory = e.Memory.Search(o.Memory)
	if s.cv.Options = *o; s.fair.asked() {
		s.cv.Learn = fair.Folds(s.fair.limits())
	}
	if s.cv.Lambdas == nil {
		s.cv.Lambdas = crossval.DefaultLambdas(v.Data.Dataset)
	}
	if !s.given["time"] {
		s.cv.Time = s.cv.TimeOfFit()
	}
	if e.ProgressTable(&s.Output) != nil {
		total := s.cv.Folds * len(s.cv.Lambdas)
		if s.cv.Holdout > 0 {
			total = len(s.cv.Lambdas)
		}
		s.cv.Done = func(f *crossval.Fit, done int) {
			// A failure to print progress is no failure of the fits.
			c := f.Model.Certificate()
			_, _ = fmt.Fprintf(e.Stderr, "%d of %s: λ = %s, fold %d, %s, objective %.7f, %s\n", done, wording.Count(int64(total), "fit"),
				f.Lambda, f.Fold+1, wording.Count(int64(c.Size), c.Part), c.Objective.Value, wording.Seconds(f.Search))
		}
	}
	var err error
	if s.groups != "" {
		if s.cv.Groups, _, err = e.GroupsOf(ctx, s.Reading, v.Path, s.groups, v.Data.Dataset); err != nil {
			return err
		}
	}
	if s.fair.asked() {
		for _, l := range s.fair.limits() {
			v.Limits = append(v.Limits, answer.FairLimit{Measure: l.Measure, Most: l.Most.Float()})
		}
	}
	if v.Report, err = crossval.Run(ctx, v.Data.Dataset, s.cv); err != nil {
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

// cvSettings is what the options of cv say.
type cvSettings struct {
	*call
	*process.Learning
	process.Output
	cv      crossval.Options
	pick    crossval.Pick
	holdout ratio.Ratio // 0/0: none
	groups  string
	fair    fairness      // of which an operating point is asked for here
	lambdas []ratio.Ratio // that were given; nil for those of the family
}

// expectLambdas is what --lambda of cv takes.
const expectLambdas = "numbers between 0 and 1 with commas between them, such as 0.01 or 1/300 (for a rule set any above 0)"

// numbers are positive numbers, each once: the λ to try, or the weights of a front. A word, if it is not "", stands for none.
func numbers(to *[]ratio.Ratio, expect, word string) option.Value {
	return option.Custom("list", expect, func(text string) error {
		if word != "" && text == word {
			return nil
		}
		items, err := option.SplitNames(text)
		for _, item := range items {
			l, err := option.Exact(item, option.Positive)
			if err != nil {
				return err
			}
			if slices.Contains(*to, l) {
				return errors.New("the same number twice")
			}
			*to = append(*to, l)
		}
		return err
	}, func() []string { return nil })
}

// prices returns the prices to try.
func (s *cvSettings) prices() (list []ratio.Ratio, err error) {
	f := s.Family()
	switch {
	case f.Price != "lambda":
		if s.lambdas != nil {
			return nil, fmt.Errorf("--lambda is not an option of the family %s", f.Name)
		}
		length, err := s.Options.Price()
		return []ratio.Ratio{length}, err
	case s.lambdas == nil: // none of a family without a grid: they are known when the samples are
		for _, text := range f.Grid {
			l, _ := ratio.Parse(text) // a test parses them
			list = append(list, l)
		}
		return list, nil
	}
	for _, l := range s.lambdas {
		if f.Kind != model.RuleSet && !l.Within() {
			return nil, fmt.Errorf("--lambda %q: expected %s", l.String(), expectLambdas)
		}
	}
	return s.lambdas, nil
}
