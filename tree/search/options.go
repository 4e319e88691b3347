package search

import (
	"cmp"
	"runtime"
	"time"

	"parcorels/internal/blockfile"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
)

// Options says how to search. The zero value of every field but Lambda means
// its default. No option but Lambda, Depth and MinRows changes the tree that is found.
type Options struct {
	Lambda        ratio.Ratio    // λ ≥ 0, the price of a leaf as a share of the total weight
	Depth         int            // most splits on a path; 0: no limit
	MinRows       int            // least rows of a leaf; 0: any number
	Rows          []int64        // with MinRows, the rows of each point
	Workers       int            // worker goroutines; 0: all that GOMAXPROCS allows
	Time          time.Duration  // stop so long after Solve was called; 0: no limit
	Nodes         int64          // stop after so many counts; 0: no limit
	Memory        int64          // bytes for the cache; 0: no limit. A full cache forgets, and the search takes longer
	Progress      func(Progress) // called from one goroutine, about every ProgressEvery and at the end; nil: never
	ProgressEvery time.Duration  // 0: one second
	Trees         bool           // Progress tells better trees, too
	Proof         *Proof         // nil: no proof is written
}

// Validate reports the first option that is out of range, as a *optionerr.Error.
func (o Options) Validate() error {
	switch {
	case !o.Lambda.Valid() || o.Lambda.Num < 0:
		return optionerr.Bad("Lambda", o.Lambda, "a number from 0 on")
	case o.Depth < 0:
		return optionerr.Bad("Depth", o.Depth, "a number from 1 on (0: no limit)")
	case o.MinRows < 0:
		return optionerr.Bad("MinRows", o.MinRows, "a number from 0 on")
	case o.Proof != nil && o.Proof.To == nil:
		return optionerr.Errorf("Proof", "option Proof has nowhere to write to")
	}
	return optionerr.Limits{Workers: o.Workers, Time: o.Time, Nodes: o.Nodes, Memory: o.Memory}.Check(parallel.MaxWorkers)
}

func (o Options) withDefaults() Options {
	o.Workers, o.ProgressEvery = cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), cmp.Or(max(o.ProgressEvery, 0), time.Second)
	return o
}

// Proof says where Solve writes the proof, and what it is a proof about.
type Proof = blockfile.Proof

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
