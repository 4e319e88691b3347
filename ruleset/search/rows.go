package search

import (
	"math/bits"

	"parcorels/instance"
)

// Least rows of a rule (Options.MinRows), whatever they weigh.
//
// A rule of more literals covers no more rows, so a rule that lacks rows is dropped with all below it. All bounds are those of more
// rules, hence true, and what drops a literal leaves a rule that covers more. Dominance (dominance.go) exchanges literals, so it is off.

// rowCount knows which rules cover enough rows; nil: all do.
type rowCount struct {
	points *instance.Points
	rows   []int64 // of each point
	least  int64
}

// enough reports whether a rule of some literals and some more covers enough rows. The empty rule does.
func (c *rowCount) enough(literals []int, more ...int) bool {
	if c == nil || len(literals)+len(more) == 0 {
		return true
	}
	var rows int64
	for w := range c.points.Words {
		x := ^uint64(0)
		for _, j := range literals {
			x &= c.points.Columns[j][w]
		}
		for _, j := range more {
			x &= c.points.Columns[j][w]
		}
		for ; x != 0; x &= x - 1 {
			if rows += c.rows[64*w+bits.TrailingZeros64(x)]; rows >= c.least {
				return true
			}
		}
	}
	return false
}
