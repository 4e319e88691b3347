package prune

import (
	"parcorels/bitvec"
	"parcorels/parallel"
)

// How far the checks of the prunings 5 and 8 go. These look for a smaller
// list by comparing sets, and each has to pay for itself (parallel.Allowance).
// There are three accounts:
//
//   - Similar support has two. Where many prefixes are dominated, most are by
//     the first few entries of the hot list, which cost next to nothing to look
//     at: a glance. The rest of the hot list and the recent prefixes find those
//     entries, and little else. On other instances hardly a prefix is dominated,
//     and with many points even a glance and taking note of the prefix cost
//     more than that saves.
//   - Redundant rules have one.

const (
	headBlocks = 4 // of the hot list, for a glance
	// what a block costs, in steps of the counting kernel; an expansion takes several times the steps that are counted for it
	blockSteps = 12

	// What an expansion costs beside the steps that are counted for it. Looking
	// through all dominators does not earn it: that was tuned without.
	overheadSteps = 4000
)

// glanceAllowance is for looking at the head of the hot list, which needs the
// set at hand in the form of the kernels, and for noting the prefix.
func glanceAllowance(words int) parallel.Allowance {
	return parallel.NewAllowance(headBlocks*blockSteps+3*words, overheadSteps)
}

// wholeAllowance is for looking through so many entries, of which a quarter of
// the words is read on average.
func wholeAllowance(entries, words int) parallel.Allowance {
	return parallel.NewAllowance(entries/bitvec.Lanes*(blockSteps+words/4), 0)
}
