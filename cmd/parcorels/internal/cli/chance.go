package cli

import (
	"context"
	"fmt"
	"math"

	"parcorels"
	"parcorels/cmd/internal/console"
	"parcorels/internal/option"
	"parcorels/internal/wording"
)

// chanceSettings is how the labels are shuffled.
type chanceSettings struct {
	shuffles int
	seed     uint64
}

// chanceGroup is what asks whether a model is better than chance.
func (s *fitSettings) chanceGroup() group {
	return group{"Chance", []*option.Option{
		{Name: "chance", Holder: "N", Unset: "none", Help: "shuffle the labels so often, 99 for one, and say how often as good a model is found", Value: option.Integer(&s.chance.shuffles, 1, 100_000)},
		{Name: "chance-seed", Holder: "N", Default: "0", Help: "seed of the shuffles", Value: option.Integer(&s.chance.seed, 0, math.MaxInt64)},
	}}
}

// compareWithChance says at the end of the text how often shuffled labels allow as good a
// model, if it is asked for.
func (f *fitRun) compareWithChance(ctx context.Context, s chanceSettings) error {
	if s.shuffles == 0 || ctx.Err() != nil {
		return nil
	}
	c, err := await(ctx, func() (parcorels.Chance, error) {
		return f.problem.Chance(ctx, f.model, f.options, s.shuffles, s.seed)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", console.Escape(f.path), err)
	}
	verdict := "no better than chance"
	if c.P() <= .05 {
		verdict = "better than chance"
	}
	f.ending += fmt.Sprintf("%s: %s of %s of the labels allow as good a %s\n", verdict, wording.Thousands(int64(c.AsGood)),
		wording.Count(int64(c.Shuffles), "shuffle"), f.family.Noun())
	if c.Unproved > 0 {
		f.ending += fmt.Sprintf("(%s of these searches were ended by a limit)\n", wording.Thousands(int64(c.Unproved)))
	}
	f.chance = &c
	return nil
}
