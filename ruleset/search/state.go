package search

import (
	"sync"
	"sync/atomic"

	"parcorels/bitvec"
	"parcorels/parallel"
)

// This file has the state of the exact search, on which its steps and its bounds work.

// candidate is a literal that may be added to a rule, with what the points that
// would be left are worth.
type candidate struct {
	column int
	p, n   int64
}

// shared is what the workers of a subproblem share.
type shared struct {
	root  *problem
	best  parallel.Incumbent[rule]
	run   *parallel.Run
	tasks tasks
}

// frame is a rule on the way down.
type frame struct {
	set        []uint64
	loss       int64 // N
	candidates []candidate
}

// walker goes through the rules below one literal of the root, depth first. Its
// buffers are used again from rule to rule and from branch to branch.
type walker struct {
	*shared
	p      *problem
	chosen []int // the rule, in the order in which they were taken
	frames []*frame
	prog   bitvec.Program
	g1, g0 []int64
	most   exclusions // of the bounds
	trial  rule       // of evaluate
	nodes  int64

	branchOf *branch // of the task
}

// branch is a literal of the root with all later ones, and a bound on the rules
// that begin with it.
type branch struct {
	index int
	bound int64
	tasks int // that are not done; under the lock of the tasks
}

// task is work that any worker may take.
type task struct {
	branch *branch
	frame  *frame // whose children from some on are left; nil: the whole branch
	from   int
	depth  int // of frame
	chosen []int
}

// tasks are what is left to do, and who waits for it.
type tasks struct {
	mu     sync.Mutex
	change sync.Cond
	list   []task       // the last is next
	busy   int          // workers that do a task
	wanted atomic.Int32 // workers that wait, less tasks handed out since; changed under the lock
}
