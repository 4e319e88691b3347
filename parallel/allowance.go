package parallel

import "parcorels/bitvec"

// How far the check of pruning 5 goes.
//
// Where many prefixes are dominated, most are by the first few entries of the
// hot list, which cost next to nothing to look at. The rest of the hot list and
// the recent prefixes find those entries, and little else, and on some instances
// looking through them for every prefix takes several times what it saves.
// Leaving a check out is always sound, so they are looked through only as far
// as the check pays: an expansion that is saved earns the steps of the counting
// kernel that it would have taken, a look at a block spends some, and while
// nothing is left only every seldom-th prefix is held against all. So the check
// comes back by itself where it begins to pay.

const (
	headBlocks = 4  // of the hot list, always looked at
	blockSteps = 12 // what a block costs, in steps of the counting kernel; an expansion takes several times the steps that are counted for it
	seldom     = 32
	mostSaved  = 1 << 10 // checks that can be paid from what was earned before
)

// allowance is one worker's account.
type allowance struct {
	check     int64 // price of one check of everything
	left      int64
	expansion int64 // steps of a recent expansion, on average
	prefixes  int
}

func newAllowance(entries int) allowance {
	check := int64(entries/bitvec.Lanes) * blockSteps
	return allowance{check: check, left: mostSaved * check}
}

// whole reports whether the prefix at hand is to be held against everything,
// and pays for it.
func (a *allowance) whole() bool {
	a.prefixes++
	if a.left <= 0 {
		return a.prefixes%seldom == 0
	}
	a.left -= a.check
	return true
}

// earn accounts for an expansion that was saved.
func (a *allowance) earn() { a.left = min(a.left+a.expansion, mostSaved*a.check) }

// expanded notes the steps of an expansion.
func (a *allowance) expanded(steps int64) { a.expansion += (steps - a.expansion) / 16 }
