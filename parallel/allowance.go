package parallel

import "parcorels/bitvec"

// How far the checks of the prunings 5, 8 and 9 go.
//
// These three look for a smaller list by comparing sets, and on some instances
// looking for one takes several times what finding it saves. Leaving a check
// out is always sound, so each has to pay for itself: what a hit saves earns the
// steps of the counting kernel that it would have taken, a check spends some,
// and while nothing is left only one in 32 is made, and ever fewer as long as none
// is a hit. So a check comes back by itself where it begins to pay.
//
// There are five accounts:
//
//   - Similar support has two. Where many prefixes are dominated, most are by
//     the first few entries of the hot list, which cost next to nothing to look
//     at: a glance. The rest of the hot list and the recent prefixes find those
//     entries, and little else. On other instances hardly a prefix is dominated,
//     and with many points even a glance and taking note of the prefix cost
//     more than that saves.
//   - Better siblings have two as well: finding one in the block that held the
//     last one saves a look-ahead, finding one in any block an expansion.
//   - Redundant rules have one.

const (
	headBlocks   = 4       // of the hot list, for a glance
	blockSteps   = 12      // what a block costs, in steps of the counting kernel; an expansion takes several times the steps that are counted for it
	firstPause   = 32      // one check in so many is made at first while nothing is left,
	longestPause = 128     // and at last: what a hit saves is more than one expansion
	mostSaved    = 1 << 10 // checks that can be paid from what was earned before
	credit       = 1 << 19 // steps that can be spent before anything is earned: about a millisecond

	// What an expansion costs beside the steps that are counted for it. Looking
	// through all dominators does not earn it: that was tuned without.
	overheadSteps  = 4000
	lookAheadSteps = 200 // what look-ahead at a child costs beside counting a block
)

// accounts are a worker's for the prunings 8 and 9; those of pruning 5 are the
// dominators' own.
type accounts struct {
	sibling   allowance // the block that last held a better one
	siblings  allowance // all blocks
	redundant allowance
}

func newAccounts(p *problem) accounts {
	steps := p.planes.PlaneWords()
	return accounts{
		sibling:   newAllowance(blockSteps+3*p.words/2, steps+lookAheadSteps),
		siblings:  newAllowance(p.outside.Blocks()*(blockSteps/2+steps/4), overheadSteps),
		redundant: newAllowance(3*p.words, overheadSteps),
	}
}

// expanded notes the steps of an expansion.
func (a *accounts) expanded(steps int64) {
	a.siblings.expanded(steps)
	a.redundant.expanded(steps)
}

// allowance is one worker's account of one kind of check.
type allowance struct {
	check     int64 // price of one
	overhead  int64 // earned beside the steps of an expansion
	left      int64
	expansion int64 // steps of a recent expansion, on average
	pause     int   // one check in so many is made now while nothing is left
	skipped   int   // since the last of them
}

// newAllowance returns an account that affords the first checks.
func newAllowance(check, overhead int) allowance {
	return allowance{check: int64(check), overhead: int64(overhead), pause: firstPause, left: min(mostSaved*int64(check), credit)}
}

// glanceAllowance is for looking at the head of the hot list, which needs the
// set at hand in the form of the kernels, and for noting the prefix.
func glanceAllowance(words int) allowance {
	return newAllowance(headBlocks*blockSteps+3*words, overheadSteps)
}

// wholeAllowance is for looking through so many entries, of which a quarter of
// the words is read on average.
func wholeAllowance(entries, words int) allowance {
	return newAllowance(entries/bitvec.Lanes*(blockSteps+words/4), 0)
}

// affords reports whether a check is to be made, and pays for it.
func (a *allowance) affords() bool {
	if a.left > 0 {
		a.left -= a.check
		return true
	}
	if a.skipped++; a.skipped < a.pause {
		return false
	}
	a.skipped, a.pause = 0, min(2*a.pause, longestPause)
	return true
}

// earn accounts for what was saved.
func (a *allowance) earn() {
	a.left = min(a.left+a.expansion+a.overhead, mostSaved*a.check)
	a.pause = firstPause
}

// expanded notes the steps of an expansion.
func (a *allowance) expanded(steps int64) { a.expansion += (steps - a.expansion) / 16 }
