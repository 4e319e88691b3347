package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"parcorels/ask/crossval"
	"parcorels/bitvec"
	"parcorels/cmd/parcorels/internal/fit"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/atomicfile"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/report"
	runs "parcorels/run"
)

func beginFit(c *call) (work, []process.Group) {
	s := &fitSettings{call: c, Learning: process.NewLearning(), asks: fit.Chance{Quickly: true}}
	wishes := s.Group(family.WishGroup)
	wishes.Options = append(wishes.Options, &option.Option{Name: "compare", Value: option.Switch(&s.compare)})
	return s.fit, []process.Group{
		s.Group(family.ModelGroup), s.Group(family.SetGroup), s.Group(family.BayesGroup), wishes, s.Group(family.ReadingGroup),
		s.Group(family.MiningGroup), s.Group(family.SearchGroup), s.fair.groups(), s.fair.points(),
		{Title: "Other rows", Options: []*option.Option{
			{Name: "holdout", Value: shareValue(&s.holding.share, "a share such as 25% or 0.25", ratio.Ratio.Within)},
			{Name: "groups", Tables: true, Value: option.Text(&s.holding.groups, "a column name")},
			{Name: "holdout-seed", Default: "1", Value: option.Integer(&s.holding.seed, 0, math.MaxInt64)},
		}}, s.asks.Group(),
		{Title: "Keeping a long search", Options: []*option.Option{
			{Name: "checkpoint", Field: "Checkpoint", Value: option.LastingFile(&s.Checkpoint)},
			{Name: "every", Default: "5m", Value: option.Duration(&s.Every)},
			{Name: "resume", Value: option.LastingFile(&s.Resume)},
		}}, outputGroup("Output", "output proof json progress quiet", &s.Output,
			&option.Option{Name: "proof", Field: "Proof", Value: option.File(&s.Proof)}),
	}
}

// fitSettings is what the options of fit say.
type fitSettings struct {
	*call
	*process.Learning
	process.Output
	runs.Keeping
	holding holding
	asks    fit.Chance
	fair    fairness
	compare bool // what the wishes cost
}

func (s *fitSettings) fit(ctx context.Context, e *process.Env, args []string) (err error) {
	path := args[0]
	if err := s.validate(); err != nil {
		return err
	}
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	file, err := runs.Open(s.Keeping, []string{s.Output.ModelFile, s.JSON}, s.given["every"], e.Note)
	if err != nil {
		return err
	}
	defer file.Release()
	if err = atomicfile.Check(cmp.Or(s.Proof, os.DevNull)); err != nil {
		return runs.UnwritableProof(s.Proof, err)
	}
	outputs := []string{s.Output.ModelFile, s.JSON, s.Proof, file.Path}
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
	if err = runs.SetAside(s.Proof); err != nil {
		return err
	}
	defer func() { runs.Settle(s.Proof, err, process.ErrStopped, e.Note) }()
	holds := s.holding.share.Den > 0
	hashed := s.Output.ModelFile+s.JSON+s.Proof+s.Checkpoint+s.Resume != "" // what is written or compared has the hash of the data
	d, err := e.Read(ctx, s.Learning, s.given, path, process.Reader{NoHash: e.Client == nil && !hashed, Quiet: s.Quiet,
		KeepColumns: holds || s.asks.Shuffles > 0 /* numbers are cut anew */})
	if err == nil && s.holding.groups != "" {
		s.asks.Groups, _, err = e.GroupsOf(ctx, s.Reading, path, s.holding.groups, d.Dataset)
	}
	if err != nil {
		return err
	}
	var held *crossval.Held
	var p *family.Problem
	if holds {
		held, p, err = s.keepBack(ctx, d)
	} else {
		p, err = e.ProblemOf(ctx, s.Learning, d)
	}
	if err != nil {
		return err
	}
	f := s.newRun(e, path, p, file)
	if err = s.fair.limit(ctx, e, f, path); err == nil {
		err = f.Learn(ctx)
	}
	if err != nil {
		return err
	}
	if holds {
		s.holding.judge(held, f)
	}
	return f.Conclude(ctx, s.compare)
}

// newRun returns a fit of all that was asked for.
func (s *fitSettings) newRun(e *process.Env, path string, p *family.Problem, file *runs.Checkpoint) *fit.Run {
	f := fit.New(e, s.Learning, s.Output, s.Keeping, path, p)
	f.File, f.Asks = file, s.asks
	f.Asks.Quickly = e.Client == nil // which fits many models, as a grid does
	if !s.given["time"] {
		f.Limit = process.DefaultTime
	}
	if f.Limit > 0 && f.Family.Kind == model.RuleList && s.Proof+s.Options.Maximise == "" && e.Client == nil && !s.fair.asked() &&
		s.holding.share.Den == 0 {
		f.File.SaveOnTimeLimit(path, process.DefaultTime)
	}
	return f
}

// validate finds what is wrong with the options before any work.
func (s *fitSettings) validate() error {
	o := s.Options
	if s.Checkpoint+s.Resume != "" {
		o.Checkpoint = &family.Checkpoint{}
	}
	if s.Proof != "" {
		o.Proof = &family.Proof{}
	}
	s.asks.Asked = s.given["chance"]
	s.Reading = s.Family().Reading(s.Reading)
	if err := s.validateHolding(); err != nil {
		return err
	}
	if err := s.fair.check(s.given, s.Family()); err != nil {
		return err
	}
	for _, other := range []string{"chance", "compare", "checkpoint", "resume"} {
		if o.Maximise != "" && s.given[other] {
			return fmt.Errorf("--%s does not go with --maximise", other)
		}
	}
	return o.Validate(s.Reading)
}

// validateWishes finds what is wrong with a comparison.
func (s *fitSettings) validateWishes(path string) error {
	switch {
	case !s.compare:
		return nil
	case len(s.Options.First)+len(s.Options.Forbid)+len(s.Reading.Ignore) == 0 && s.Options.RestrictionText() == "":
		return errors.New("--compare: there is no wish; give --first, --forbid, --ignore, --min-rows, --increasing or --decreasing")
	case path == "-":
		return errors.New("--compare reads the table twice: give a file, not -")
	case s.Family().Kind != model.RuleList && s.Family().Kind != model.Tree:
		return errors.New("--compare is for rule lists and trees, whose objectives are proved")
	case s.holding.share.Den > 0:
		return errors.New("--compare and --holdout do not go together")
	}
	return nil
}

// holding says which rows fit keeps back, to be judged on.
type holding struct {
	share  ratio.Ratio // --holdout, 0/0 for none
	groups string      // --groups
	seed   uint64      // --holdout-seed
}

// validateHolding finds options that do not go together.
func (s *fitSettings) validateHolding() error {
	switch {
	case s.holding.share.Den == 0 && s.holding.groups != "" && s.asks.Shuffles == 0:
		return errors.New("--groups goes with --holdout or --chance")
	case s.holding.share.Den > 0 && s.Checkpoint+s.Resume+s.Proof != "":
		return errors.New("--holdout learns from a part of the rows: a proof or a checkpoint is of all")
	}
	return nil
}

// keepBack makes the problem of the rows that are not kept back.
func (s *fitSettings) keepBack(ctx context.Context, d *family.Data) (held *crossval.Held, p *family.Problem, err error) {
	o := crossval.Options{Options: s.Options, Holdout: s.holding.share.Float(), Seed: s.holding.seed, Groups: s.asks.Groups}
	held, err = process.Await(ctx, func() (*crossval.Held, error) { return crossval.KeepBack(ctx, d.Dataset, o) })
	if err == nil {
		data := held.Set.Data
		data.Notes = append(slices.Clip(data.Notes), fmt.Sprintf("%s of %s rows are kept back (seed %d)",
			wording.Thousands(int64(held.Test.Count())), wording.Thousands(int64(d.N)), s.holding.seed))
		p, err = family.ProblemOf(held.Set, s.Reading, s.Options)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", d.Source, err)
	}
	if s.asks.Groups != nil {
		s.asks.Groups = nil
		for i := range held.Train.EachSet() {
			s.asks.Groups = append(s.asks.Groups, o.Groups[i])
		}
	}
	return held, p, nil
}

// judge says how good the model of a fit is on the rows kept back.
func (h *holding) judge(held *crossval.Held, f *fit.Run) {
	train, test := held.Evaluate(f.Model)
	o := &report.Holdout{Train: train.Measures(), Test: test.Measures(), Seed: h.seed}
	o.Test.Intervals = test.Intervals()
	o.TrainCost, o.TestCost = held.Regret(f.Model)
	f.Model.About().Options = nil // of all rows another is learned by them
	f.Holdout, f.KeptBack, f.Model.About().KeptBack = o, test, o.OfModel()
}
