package fit

import (
	"context"
	"fmt"
	"math"
	"time"

	"parcorels/answer"
	"parcorels/ask/chance"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/report"
)

// Chance is how the labels are shuffled.
type Chance struct {
	Shuffles int // 0: nobody asked
	seed     uint64
	Groups   []int // see chance.Options
}

// Group is what asks whether a model is better than chance.
func (s *Chance) Group() process.Group {
	return process.Group{Title: "Chance", Options: []*option.Option{
		{Name: "chance", Value: option.Integer(&s.Shuffles, 1, 100_000)},
		{Name: "chance-seed", Default: "0", Value: option.Integer(&s.seed, 0, math.MaxInt64)},
	}}
}

// shuffling is the part of the limit of time that is left for shuffles; 0 where nobody asked, or without a limit.
func (f *Run) shuffling() time.Duration {
	if f.Asks.Shuffles == 0 {
		return 0
	}
	return f.Options.Time / 4
}

// CompareWithChance says at the end of the text how often shuffled labels allow as good a model, if it is asked for.
func (f *Run) CompareWithChance(ctx context.Context) error {
	if f.Asks.Shuffles == 0 || f.Model.Certificate().Status == parallel.Interrupted {
		return nil
	}
	o := chance.Options{Options: f.Options, Shuffles: f.Asks.Shuffles, Seed: f.Asks.seed, Groups: f.Asks.Groups, Model: f.Model}
	limited, cancel := ctx, func() {}
	if most := f.shuffling(); most > 0 {
		limited, cancel = context.WithTimeout(ctx, most)
	}
	defer cancel()
	c, err := process.Await(ctx, func() (report.Chance, error) { return chance.Ask(limited, f.problem, o) })
	if err != nil {
		return fmt.Errorf("%s: %w", wording.Escape(f.path), err)
	}
	f.Chance = &c
	f.ending += answer.Hanging(f.Chance.Text(f.Family.Noun()), 4)
	return nil
}
