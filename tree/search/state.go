package search

import (
	"sync/atomic"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// The types that all files of this package share. A search has workers, a worker has a frame for each set of its path,
// and a frame has splits with two sides.

// search is one call of Solve: what all workers share.
type search struct {
	price.Prices
	o        Options
	start    time.Time
	in       *instance.Points
	points   int // distinct points that cost anything
	depth    int // levels at the root
	splits   *bitvec.Splits
	rows     *bitvec.Planes // of points; nil without MinRows
	features []int          // of the instance, by feature of splits
	hasher   *bitvec.Hasher
	run      *parallel.Run
	memory   parallel.Budget
	cache    *cache
	marks    marks
	shared   bool // more than one worker
	workers  []*worker
	busy     atomic.Int64 // workers that have not finished

	lower, upper atomic.Int64 // bounds on the root's value
	enough       int64        // a tree of a smaller value ends the search; see Reaches

	// What the last worker reads off the bounds once they have met.
	tree      Tree
	extracted int64 // counts that this took
	proof     struct{ bytes, records int64 }
	proofErr  error

	viewed struct { // for those who look at the search: see limits.go
		by           *worker
		upper, value int64
	}
}

// worker searches with memory of its own and the cache of all.
type worker struct {
	_ [128]byte // workers write to lines of memory that no other has
	*search
	counts  *bitvec.SplitCount
	frames  []frame
	recent  recent
	scratch []uint64
	lows    []int64 // of a set that was counted, the bounds of its splits
	ups     []int64

	deep    bool       // triples are counted where three levels are left
	current bitvec.Key // the set that was counted last

	tripled, exact bool // its triples were counted, and bitvec could do that

	sinceLook int // counts since the path was last looked at
	pace      pace
	unwind    int // the frame to return to, as another worker settled it; none below len(frames)

	counted atomic.Int64 // counts made; others only read it
	_       [128]byte
}

// frame is the work on one set of points, at one depth of the path that a
// worker is on.
type frame struct {
	set    []uint64
	live   []int32 // features that may split the set; exactly those once it is counted
	key    bitvec.Key
	levels int
	budget int64

	begun  int64 // counts of the worker when the work began
	marked bool  // others know of the work
	joint  bool  // others have marked the set, too

	splits []split // that may beat budget and upper bound
	lows   []int64 // their bounds
	keys   []keys  // of their sides, once they are looked up

	least   int64   // the smallest bound of the splits that could not when the work began
	dropped []split // these
}

// split is a feature that may still give the best tree of a set.
type split struct {
	feature int32
	looked  bool // whether the cache was asked for the sides, and their keys are known
	with    side // points with the feature
	without side
}

// side is one side of a split: bounds on the value of its best tree.
type side struct{ lower, upper int64 }

func (s *side) exact() bool     { return s.lower == s.upper }
func (s *split) lower() int64   { return s.with.lower + s.without.lower }
func (s *split) upper() int64   { return s.with.upper + s.without.upper }
func (s *split) resolved() bool { return s.with.exact() && s.without.exact() }

// keys are those of the sides of a split, of those that are not exact.
type keys struct{ with, without bitvec.Key }

// marks are counters of the workers on sets, found by their hash (worker.go).
type marks []atomic.Int32

// pace is what a worker remembers of its last look.
type pace struct {
	steps         bool  // the root is raised in steps
	next          int64 // its own counts at the next look
	counted, sets int64 // of all workers at the last one
}

// unlimited is the number of levels of a tree without a limit: no path is as long.
const unlimited = 1 << 30

// counted returns the counts made so far.
func (s *search) counted() (n int64) {
	for _, w := range s.workers {
		n += w.counted.Load()
	}
	return n
}
