package first

import (
	"context"

	"parcorels/rulelist/problem"
)

// A finder tells the search, after the first incumbent, how much work is ahead.

// Ahead returns the estimated work of the search, in the meter's units, and in how many sets it
// counts every column, as the mean over dives.
func (f *Finder) Ahead() (units, sets float64) { return f.ahead, f.effort.sets / f.effort.dives }

// GoesOn reports whether nothing has ended the work early.
func (f *Finder) GoesOn() bool { return f.work.goesOn() }

// Again estimates the search once more, where a limit ended the work before that was done.
func (f *Finder) Again(ctx context.Context) {
	f.Until(ctx)
	f.estimated = problem.Unknown
	f.budget()
}

// Among estimates the search where only the rules of these columns, by label, may be in a list.
func (f *Finder) Among(live [][]uint64) {
	f.effort.live, f.work.limit = live, f.work.spent+MostWork/refineMost
	f.ahead = f.o.AtMost(f.effort.ahead(f.o.Best().Objective), f.effort.sum/f.effort.sets)
}

// Closer estimates the search from more dives.
func (f *Finder) Closer(ctx context.Context) {
	f.Until(ctx)
	most := int64(MostWork / refineMost)
	if f.o.Begun {
		most /= begunShare
	}
	f.work.limit = f.work.spent + MostWork
	f.ahead = f.o.AtMost(f.effort.refine(f.estimated, most), f.effort.sum/f.effort.sets)
}

// Slopes returns the slopes of the lower convex hull of errors by length, times the unit, on both
// sides of the limit of rules, the steeper one first, as far as the beams tell.
func (f *Finder) Slopes() (left, right int64) { return f.beam.slopes() }
