package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"parcorels/ask/crossval"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	runs "parcorels/run"
)

// holding says which rows fit keeps back, to be judged on.
type holding struct {
	share  string // --holdout, "" for none
	groups string // --groups
	seed   uint64 // --holdout-seed
	refit  bool   // --refit
}

func (h *holding) group() process.Group {
	return process.Group{Title: "Other rows", Options: []*option.Option{
		{Name: "holdout", Holder: "SHARE", Help: "keep back this share of each class, learn from the rest, and evaluate the model on both",
			Value: shareValue(&h.share, "a share such as 25% or 0.25", ratio.Ratio.Within)},
		{Name: "groups", Holder: "COLUMN", Tables: true, Help: "keep rows with the same value together, such as rows of one person; a " +
			"shuffle keeps their labels together, too", Value: option.Text(&h.groups, "a column name")},
		{Name: "holdout-seed", Holder: "N", Default: "1", Help: "seed of the rows kept back; the same one gives the same rows everywhere",
			Value: option.Integer(&h.seed, 0, math.MaxInt64)},
		{Name: "refit", Help: "afterwards learn from all rows, and print and write that model", Value: option.Switch(&h.refit)},
	}}
}

// validateHolding finds options that do not go together.
func (s *fitSettings) validateHolding() error {
	switch {
	case s.holding.share == "" && s.holding.refit:
		return errors.New("--refit goes with --holdout")
	case s.holding.share == "" && s.holding.groups != "" && s.asks.shuffles == 0:
		return errors.New("--groups goes with --holdout or --chance")
	case s.holding.share != "" && !s.holding.refit && s.checkpoint+s.resume+s.proof != "":
		return errors.New("--holdout learns from a part of the rows: a proof or a checkpoint is of all, and goes with --refit")
	}
	return nil
}

// keepBack makes the problem of the rows that are not kept back.
func (s *fitSettings) keepBack(ctx context.Context, e *process.Env, path string) (*crossval.Held, *family.Data, error) {
	d, err := e.Read(ctx, s.Learning, s.given, path, process.Reader{NoHash: e.Client == nil && !s.needsHash(), KeepColumns: true})
	if err != nil {
		return nil, nil, err
	}
	share, _ := ratio.Parse(s.holding.share) // was checked
	o := crossval.Options{Holdout: share.Float(), Seed: s.holding.seed}
	if o.Mining, err = s.Options.Mining(); err != nil {
		return nil, nil, err
	}
	if s.holding.groups != "" {
		if o.Groups, _, err = e.GroupsOf(ctx, s.Reading, path, s.holding.groups, d.Dataset); err != nil {
			return nil, nil, err
		}
		s.asks.groups = o.Groups
	}
	held, err := process.Await(ctx, func() (*crossval.Held, error) { return crossval.KeepBack(ctx, d.Dataset, o) })
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return held, d, nil
}

// fitHoldingOut is fit with rows kept back.
func (s *fitSettings) fitHoldingOut(ctx context.Context, e *process.Env, path string, file *runs.Checkpoint) error {
	held, d, err := s.keepBack(ctx, e, path)
	if err != nil {
		return err
	}
	data := held.Set.Data
	data.Notes = append(slices.Clip(data.Notes), fmt.Sprintf("%s of %s rows are kept back (seed %d)",
		wording.Thousands(int64(held.Test.Count())), wording.Thousands(int64(d.N)), s.holding.seed))
	p, err := family.ProblemOf(held.Set, s.Reading, s.Options)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f := newFitRun(e, s.Learning, s.Output, keeping{}, path, p)
	f.byDefault, f.asks = !s.given["time"], s.asks
	if f.followed = s.holding.refit; f.followed {
		f.announcer.aloud, f.asks = false, chanceSettings{}
	} else if groups := s.asks.groups; groups != nil {
		f.asks.groups = nil
		for i, ok := held.Train.NextSet(0); ok; i, ok = held.Train.NextSet(i + 1) {
			f.asks.groups = append(f.asks.groups, groups[i])
		}
	}
	if err = f.learn(ctx); err != nil {
		return err
	}
	train, test := held.Evaluate(&crossval.Learned{Model: f.model.Model, When: f.model.Antecedents(), Cuts: f.model.Cuts()})
	o := &report.Holdout{Train: train.Measures(), Test: test.Measures(), Seed: s.holding.seed, Refit: s.holding.refit}
	o.Test.Intervals = test.Intervals()
	if s.holding.refit && f.model.Certificate().Status != parallel.Interrupted {
		if p, err = e.ProblemOf(ctx, s.Learning, d, path, true); err != nil {
			return err
		}
		f = s.newRun(e, path, p, file)
		if err = f.learn(ctx); err != nil {
			return err
		}
	} else {
		f.model.About().Options = nil // of all rows another is learned by them
	}
	f.holdout, f.model.About().KeptBack = o, o.OfModel()
	return f.conclude(ctx, s)
}
