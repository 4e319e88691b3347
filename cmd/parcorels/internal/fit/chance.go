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
	"parcorels/rules"
)

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
