package search

import (
	"time"

	"parcorels/parallel"
)

// Result is the best tree found and what is proven about it.
type Result struct {
	Status     parallel.Status
	Tree       Tree
	Leaves     int
	Errors     int64 // weight of the samples that the tree gets wrong
	Objective  int64 // Den·Errors + Num·Total·Leaves, exact
	LowerBound int64 // no tree has a smaller objective, in the same units
	Scale      int64 // Den·Total: Objective/Scale is misclassification + λ·leaves
	ProofErr   error // why the proof that was asked for is worthless
	Stats      Stats
}

// Gap returns (objective − lower bound) / objective, 0 when both are 0.
func (r *Result) Gap() float64 {
	if r.Objective <= r.LowerBound {
		return 0
	}
	return float64(r.Objective-r.LowerBound) / float64(r.Objective)
}

// Stats counts what a search did.
type Stats struct {
	Counted   int64         // counts made: the unit of work
	Sets      int64         // sets of points with bounds in the cache at the end
	PeakBytes int64         // most memory that the cache took
	Search    time.Duration // from the call of Solve to its end
	Features  int           // features that differ on those points
	Extract   int64         // of Counted, those that chose among trees of the best value
	Points    int           // distinct points that cost anything
	PerWorker []int64       // counts of each worker
	Workers   int
	Kernel    string

	ProofBytes   int64 // written to Options.Proof
	ProofRecords int64
}

// Progress is a look at a running search.
type Progress struct {
	parallel.Progress
	Sets  int64 // of points with bounds in the cache
	Tree  Tree  // better than all that were told before, or nil; only if Options.Trees
	Exact int64 // objective of Tree, in the units of Result
}

// Tree is a tree in preorder, the side with the feature first: a feature for
// each split, [Leaf] of its class for each leaf.
type Tree []int
