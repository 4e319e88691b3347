package parallel

import "parcorels/bitvec"

// How far the check of pruning 5 goes.
//
// Where many prefixes are dominated, most are by the first few entries of the
// hot list, which cost next to nothing to look at. The rest of the hot list and
// the recent prefixes find those entries, and little else, and on some instances
// looking through them for every prefix takes several times what it saves. On
// others hardly a prefix is dominated, and with many points even the few entries
// and taking note of the prefix cost more than that saves.
//
// Leaving a check out is always sound, so there are two accounts: one for a
// glance, at the head of the hot list, and one for everything. An expansion
// that is saved earns the steps of the counting kernel that it would have
// taken, a check spends some, and while nothing is left only every seldom-th
// prefix is checked. So a check comes back by itself where it begins to pay.

const (
	headBlocks = 4  // of the hot list, for a glance
	blockSteps = 12 // what a block costs, in steps of the counting kernel; an expansion takes several times the steps that are counted for it
	seldom     = 32
	mostSaved  = 1 << 10 // checks that can be paid from what was earned before

	// What an expansion costs beside the steps that are counted for it. Only the
	// glance earns it: that lists are looked through was tuned without.
	overheadSteps = 4000
)

// allowance is one worker's account of one kind of check.
type allowance struct {
	check     int64 // price of one
	overhead  int64 // earned by a saved expansion beside its steps
	left      int64
	expansion int64 // steps of a recent expansion, on average
	prefixes  int
}

// glanceAllowance is for looking at the head of the hot list, which needs the
// set at hand in the form of the kernels, and for noting the prefix.
func glanceAllowance(words int) allowance {
	check := int64(headBlocks*blockSteps + 3*words)
	return allowance{check: check, overhead: overheadSteps, left: mostSaved * check}
}

// wholeAllowance is for looking through so many entries.
func wholeAllowance(entries int) allowance {
	check := int64(entries/bitvec.Lanes) * blockSteps
	return allowance{check: check, left: mostSaved * check}
}

// affords reports whether the prefix at hand is to be checked, and pays for it.
func (a *allowance) affords() bool {
	a.prefixes++
	if a.left <= 0 {
		return a.prefixes%seldom == 0
	}
	a.left -= a.check
	return true
}

// earn accounts for an expansion that was saved.
func (a *allowance) earn() { a.left = min(a.left+a.expansion+a.overhead, mostSaved*a.check) }

// expanded notes the steps of an expansion.
func (a *allowance) expanded(steps int64) { a.expansion += (steps - a.expansion) / 16 }
