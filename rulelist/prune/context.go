package prune

import (
	"parcorels/parallel"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/rulelist/separation"
)

// Context is what the prunings of one worker may use.
type Context struct {
	P         *problem.Problem // the worker's
	Incumbent *parallel.Incumbent[problem.Solution]
	Offer     func(objective int64, prefix []problem.Column, more ...problem.Column) // takes a list that may be better
	Running   func() bool                                                            // false once the search is stopped
	Tally     *Tally
	Proof     *record.Recorder  // nil: no proof is written
	Separated *Separated        // nil: no separation bound
	Shares    *separation.Split // nil: no split bound
}

// wanted reports whether a prefix can still beat the incumbent.
func (x *Context) wanted(bound int64, depth int) bool {
	return x.P.Wanted(x.Incumbent.Load(), bound, depth)
}
