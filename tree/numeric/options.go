package numeric

import (
	"time"

	"parcorels/internal/blockfile"
	"parcorels/parallel"
	"parcorels/ratio"
)

// Options say how to search. The zero value of every field but Lambda means its default. No
// option but Lambda and Depth changes the tree that is found.
type Options struct {
	Lambda        ratio.Ratio    // λ ≥ 0, the price of a leaf as a share of the total weight
	Depth         int            // most splits on a path; 0: no limit
	Workers       int            // worker goroutines; 0: all that GOMAXPROCS allows
	Time          time.Duration  // stop so long after Solve was called; 0: no limit
	Nodes         int64          // stop after so many sets; 0: no limit
	Progress      func(Progress) // called from one goroutine, about every ProgressEvery and at the end; nil: never
	ProgressEvery time.Duration  // 0: one second
	Trees         bool           // Progress tells better trees, too

	Proof       *Proof // nil: no proof is written
	Antecedents int    // that the proof says there are, beside the thresholds

	maxBins, maxCells int  // of a set with two levels; 0: the default
	closeUps          bool // wherever there can be one, for tests
}

// Tree is a tree in preorder, the left side first.
type Tree []Node

// Node is a split, or a leaf.
type Node struct {
	Column int // of the split; −1 − class of a leaf
	// Low and High are the ranks beside the place of the split, in the items that reach it: all
	// on the left have at most Low, all others at least High.
	Low, High int32
}

// Result is the best tree found and what is proven about it.
type Result struct {
	Status     parallel.Status
	Tree       Tree
	Errors     int64 // weight of the samples that the tree gets wrong
	Objective  int64 // Den·Errors + Num·Total·Leaves, exact
	LowerBound int64 // no tree has a smaller objective, in the same units
	Steps      []Step
	ProofErr   error // why the proof that was asked for is worthless
	Stats      Stats
}

// Step is a depth that the search has settled: no tree of that depth is better.
type Step struct {
	Depth, Leaves int
	Objective     int64
	Elapsed       time.Duration
}

// Stats counts what a search did.
type Stats struct {
	Sets    int64 // solved with two levels left: the unit of work
	Items   int
	Workers int
	Search  time.Duration // from the call of Solve to its end
	Kernel  string

	ProofBytes, ProofRecords int64 // written to Options.Proof
}

// Progress is a look at a running search.
type Progress struct {
	parallel.Progress
	Depth int   // that is searched
	Tree  Tree  // better than all that were told before, or nil; only if Options.Trees
	Exact int64 // objective of Tree, in the units of Result
}

// Proof says where Solve writes the proof, and what it is a proof about.
type Proof = blockfile.Proof

func leafOf(class int) Node { return Node{Column: -1 - class} }
