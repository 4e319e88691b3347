package numeric

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/tree/price"
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

// Validate reports the first option that is out of range, as a *optionerr.Error.
func (o Options) Validate() error {
	switch {
	case !o.Lambda.Valid() || o.Lambda.Num < 0:
		return optionerr.Bad("Lambda", o.Lambda, "a number from 0 on")
	case o.Proof != nil && o.Proof.Writer() == nil:
		return optionerr.Errorf("Proof", "option Proof has nowhere to write to")
	case o.Proof != nil && o.Depth == 0:
		return optionerr.Errorf("Proof", "option Proof needs option Depth: a proof about trees of any depth over all thresholds would "+
			"have no end")
	case o.Depth < 0:
		return optionerr.Bad("Depth", o.Depth, "a number from 1 on (0: no limit)")
	}
	return optionerr.Limits{Workers: o.Workers, Time: o.Time, Nodes: o.Nodes}.Check(parallel.MaxWorkers)
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

func leafOf(class int) Node { return Node{Column: -1 - class} }

// Leaves returns the number of leaves.
func (t Tree) Leaves() int { return (len(t) + 1) / 2 }

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

// search is one call of Solve: what all workers share.
type search struct {
	price.Prices
	o      Options
	start  time.Time
	table  *Table
	plain  bool         // each item weighs 1
	serial atomic.Int64 // of the last node
	root   set
	whole  root
	zero   *worker // the first, which made whole; nil if nothing is to be searched
	run    *parallel.Run
	sets   atomic.Int64

	busy atomic.Int64       // workers that have not ended
	jobs chan func(*worker) // see together

	proofErr                 error
	proofBytes, proofRecords int64

	mutex   sync.Mutex // of what follows
	stage   *stage     // nil: all is settled
	value   int64      // of tree
	tree    Tree
	settled bool // no tree is better
	steps   []Step
	told    int64 // value of the last tree that was told
}

// worker searches with memory of its own.
type worker struct {
	*search
	index   int
	number  []int32 // of the items of a set that is split, behind that
	two     *twoLevel
	choices [2]choice // of the sides of a place with two levels
	nodes   []*node
	splits  []*sides   // by levels: the sides of the node of so many
	spare   *[2]firsts // that nobody has; nil for none
	_       [64]byte
}

// newPrices returns the prices of trees of a table, which err by worst as one leaf. Bounds of places take
// the weight between two places times the unit off a value (interval.go). That weight may be far more
// than worst, where one class is heavy. So values fit if the whole sum errs, too. A checker asks
// for the same.
func newPrices(t *Table, lambda ratio.Ratio, worst int64) (price.Prices, error) {
	p, err := price.New(lambda, t.Total, worst, t.Items())
	if err != nil {
		return p, err
	}
	errors, ok1 := price.Product(p.Unit, t.sum)
	leaves, ok2 := price.Product(p.Price, 8)
	if !ok1 || !ok2 || errors+leaves >= price.Far {
		return p, &price.ErrScale{Total: t.Total, Num: lambda.Num, Den: lambda.Den}
	}
	return p, nil
}

// Solve finds the optimal tree of the table, or the best one until a limit of o or the end of
// ctx. Without a limit on the depth it searches trees of one level more after the other. It
// returns a *optionerr.Error for bad options, and a *price.ErrScale when weights and λ take too many
// digits.
func Solve(ctx context.Context, t *Table, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.Workers, o.ProgressEvery = cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), cmp.Or(max(o.ProgressEvery, 0), time.Second)
	s := &search{o: o, start: time.Now(), table: t, jobs: make(chan func(*worker), o.Workers)}
	s.plain = t.sum == int64(len(t.weight))
	s.root = t.all(o.Workers)
	var err error
	if s.Prices, err = newPrices(t, o.Lambda, t.sum-most(s.root.classes)); err != nil {
		return nil, err
	}
	s.run = parallel.NewRun(parallel.Limits{Workers: o.Workers, Start: s.start, Time: o.Time, Nodes: o.Nodes})
	s.first()
	s.run.Do(ctx, s.watch(), func(i int) {
		w := s.zero
		if i > 0 || w == nil {
			w = s.newWorker(i)
		}
		w.all()
	})
	if s.zero != nil { // the run may have ended early
		s.zero.endTwo()
	}
	r := s.result()
	if o.Progress != nil {
		p := s.progress()
		p.Final, p.Length, p.Value, p.Bound = true, r.Tree.Leaves(), s.float(r.Objective), s.float(r.LowerBound)
		o.Progress(p)
	}
	return r, nil
}
