package cli

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
	"parcorels/rules"
)

// chanceSettings is how the labels are shuffled.
type chanceSettings struct {
	asked    bool // on the command line
	quickly  bool // unasked if it is quick
	shuffles int
	seed     uint64
	groups   []int // see chance.Options
}

// group is what asks whether a model is better than chance.
func (s *chanceSettings) group() process.Group {
	number := process.OrNone(option.Integer(&s.shuffles, 1, 100_000), func() { s.shuffles = 0 })
	number.Among = []string{"none"}
	return process.Group{Title: "Chance", Options: []*option.Option{
		{Name: "chance", Holder: "N", Unset: "99 of fewer than 500 rows, where that is quick; 8 if 3 of these are as " +
			"good", Help: "shuffle the labels N times, and print how often a model is found that is as good", Value: number},
		{Name: "chance-seed", Holder: "N", Default: "0", Help: "seed of the shuffles", Value: option.Integer(&s.seed, 0, math.MaxInt64)},
	}}
}

// Labels are shuffled unasked where that takes less than a second. What counts is not the
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

// quickTime ends such shuffles without an answer. Tests, which may run on slow machines, raise it.
var quickTime = 5 * time.Second

// usual is how many such shuffles are made. Tests, which fit much, make fewer.
var usual = chance.Usual

// isQuick reports whether labels are shuffled unasked.
func isQuick(set *rules.Set) bool {
	return set.Data.Rows() < quickRows && set.Mined*int64(set.Data.Rows()) <= quickWork
}

// shuffles returns how labels are shuffled after this fit, and in how long at most; no shuffles
// if not at all. Of the limit of time a part is left for them.
func (f *fitRun) shuffles() (o chance.Options, most time.Duration) {
	o = chance.Options{Shuffles: f.asks.shuffles, Seed: f.asks.seed, Groups: f.asks.groups}
	limit := f.Options.Time
	switch {
	case f.asks.asked && o.Shuffles == 0:
		return o, 0
	case f.asks.asked:
		return o, limit / 4
	case f.Reading.Weight != "" && !f.problem.Set.Data.Counted(): // a row may stand for many, and shuffles would keep these together
		return o, 0
	case !f.asks.quickly || !f.family.Asks() || len(f.Options.First) > 0 || !isQuick(f.problem.Set):
		return o, 0
	}
	o.Shuffles, o.Each = usual, quickNodes
	if limit == 0 {
		return o, quickTime
	}
	return o, min(quickTime, limit/8)
}

// compareWithChance says at the end of the text how often shuffled labels allow as good a
// model, if it is asked for or quick. Where the first shuffles are not quick, it says that.
func (f *fitRun) compareWithChance(ctx context.Context) error {
	o, most := f.shuffles()
	o.Options, o.Model = f.Options, f.model
	if c := f.model.Certificate(); o.Shuffles == 0 || c.Status == parallel.Interrupted || !f.asks.asked && len(f.model.Cases()) < 2 {
		return nil
	}
	limited, cancel := ctx, func() {}
	if most > 0 {
		limited, cancel = context.WithTimeout(ctx, most)
	}
	defer cancel()
	c, err := process.Await(ctx, func() (chance.Answer, error) {
		if !f.asks.asked {
			first := o
			first.Shuffles = quickFirst
			c, err := chance.Ask(limited, f.problem, first)
			switch {
			case err != nil || c.AsGood >= quickEnough:
				return c, err
			case c.Unproved > 1:
				return chance.Answer{}, nil
			}
			o.Made = c
		}
		return chance.Ask(limited, f.problem, o)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", wording.Escape(f.path), err)
	}
	if c.Shuffles == 0 || !f.asks.asked && limited.Err() != nil && c.Shuffles > quickFirst {
		f.ending += answer.Hanging(fmt.Sprintf("not known to be better than chance: --chance %d says it, but takes longer", chance.Usual),
			4)
		return nil
	}
	f.chance = &c
	f.ending += answer.Hanging(answer.ReportedChance(c).Text(f.family.Noun()), 4)
	return nil
}
