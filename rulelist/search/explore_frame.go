package search

import (
	"slices"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// frame is one prefix under examination, with the buffers that this takes. A
// worker has one for each depth of a dive (explore_dive.go) and uses the first for
// prefixes from the queue.
type frame struct {
	id     trie.ID          // node of the prefix
	rooted bool             // whether it has one; without, nothing below it can be inserted
	prefix []problem.Column // columns of the prefix
	depth  int
	cost   int64
	bound  int64      // on every completion
	rank   int64      // a bound that a proof may lack, for the queue's order
	costs  []int64    // of the prefix's beginnings, from no rule to all of them
	labels []bool     // of its rules
	before [][]uint64 // what was left before each of them: all points, then sets of own or of the frames above
	own    [][]uint64
	chain  []problem.Column // that own was last made for: own[i] is what the first i+1 of them leave, but for the last
	u      []uint64         // remaining set
	all1   int64            // cost of class 1 in u
	all0   int64

	prog   bitvec.Program
	g1, g0 []int64 // cost of class 1 and 0 in u ∩ column
	survey bitvec.Survey
	alive  []uint64 // columns that can be of use below
	open   []uint64 // those of them whose child the bound does not close

	children []child // that could not be inserted
	next     int     // the first of them that was not begun

	many  *problem.ClassCounts // of more than two classes, instead of g1 and g0
	class uint16               // label of the last rule of the prefix, of more than two classes
}

// child is a prefix that extends a frame's by one rule.
type child struct {
	col       int
	label     bool
	class     uint16 // of more than two classes, instead of label
	cost      int64
	bound     int64 // on every completion
	rank      int64 // as in frame
	objective int64
	left1     int64 // cost of class 1 and 0 that it leaves
	left0     int64
	id        trie.ID // its node, if it has one
	owned     bool    // whether id is its own node
}

// ruleLabel returns the label of the child's rule.
func (c *child) ruleLabel() int {
	if c.label {
		return 1
	}
	return int(c.class) // 0 of two classes
}

func newFrame(p *problem.Problem) *frame {
	n := p.Padded()
	f := &frame{
		u:     make([]uint64, p.Words),
		g1:    make([]int64, n),
		g0:    make([]int64, n),
		alive: make([]uint64, (n+63)/64),
		open:  make([]uint64, (n+63)/64),
	}
	if p.Classes != nil {
		f.many = problem.NewClassCounts(p)
	}
	return f
}

// load rebuilds the prefix of a node: its columns and its remaining set. It
// reports false if the node or an ancestor is dead.
func (f *frame) load(p *problem.Problem, arena *trie.Arena, id trie.ID) bool {
	n := arena.Node(id)
	f.id, f.rooted, f.depth, f.cost, f.bound = id, true, int(n.Depth), n.Cost, n.Bound
	f.prefix = slices.Grow(f.prefix[:0], f.depth+1)[:f.depth]
	f.costs = slices.Grow(f.costs[:0], f.depth+1)[:f.depth+1]
	f.labels = slices.Grow(f.labels[:0], f.depth+1)[:f.depth]
	for i := f.depth; ; i-- {
		if n.Dead() {
			return false
		}
		f.costs[i] = n.Cost
		if i == 0 {
			break
		}
		f.prefix[i-1], f.labels[i-1] = problem.Column(n.Antecedent), n.Label()
		n = arena.Node(n.Parent)
	}
	f.leave(p)
	return true
}

// leave finds what is left before and behind each rule of the prefix. Prefixes from the queue
// often begin as the one before them did: that part of the sets is there.
func (f *frame) leave(p *problem.Problem) {
	for len(f.own) < f.depth-1 {
		f.own = append(f.own, make([]uint64, p.Words))
	}
	f.before = f.before[:0]
	left, last := p.All, f.depth-1
	known := min(commonStart(f.prefix, f.chain), len(f.chain)-1)
	for i, col := range f.prefix {
		behind := f.u
		if i < last {
			behind = f.own[i]
		}
		if i >= known || i == last {
			bitvec.AndNot(behind, left, p.Columns[col])
		}
		f.before = append(f.before, left)
		left = behind
	}
	f.chain = append(f.chain[:0], f.prefix...)
	if f.depth == 0 {
		copy(f.u, p.All)
	} else if p.Classes != nil {
		f.class, _ = p.Classes.Label(f.before[last], p.Columns[f.prefix[last]])
	}
}

// commonStart returns how many columns two prefixes have in common before they differ.
func commonStart(a, b []problem.Column) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// descend makes f the frame of a child of up.
func (f *frame) descend(p *problem.Problem, up *frame, c *child) {
	f.id, f.rooted, f.depth, f.cost, f.bound = c.id, c.owned, up.depth+1, c.cost, c.bound
	f.prefix = append(append(f.prefix[:0], up.prefix...), problem.Column(c.col))
	f.costs = append(append(f.costs[:0], up.costs...), c.cost)
	f.labels = append(append(f.labels[:0], up.labels...), c.label)
	f.before = append(append(f.before[:0], up.before...), up.u)
	bitvec.AndNot(f.u, up.u, p.Columns[c.col])
	f.class = c.class
}

// count evaluates every column against the remaining set and finds those that
// are alive. It reports false if goOn did on the way.
func (f *frame) count(p *problem.Problem, goOn func() bool) bool {
	if p.Classes != nil {
		return f.countClasses(p, goOn)
	}
	p.Planes.Compile(&f.prog, f.u)
	f.all1, f.all0 = p.Planes.Cost(f.u)
	if !p.Matrix.CountWhile(&f.prog, f.g1, f.g0, goOn) {
		return false
	}
	f.survey.All1, f.survey.All0 = f.all1, f.all0
	f.survey.Least, f.survey.Rest = p.Support, -1
	f.survey.Run(f.alive, f.g1, f.g0)
	if !p.Uses(problem.Support) {
		f.clearUnsupported(p)
	}
	return true
}

// clearUnsupported does what the support pruning else implies: the columns of
// the prefix and those that pad the last block are not alive.
func (f *frame) clearUnsupported(p *problem.Problem) {
	for _, col := range f.prefix {
		f.alive[col/64] &^= 1 << (col % 64)
	}
	for col := len(p.Antecedents); col < p.Padded(); col++ {
		f.alive[col/64] &^= 1 << (col % 64)
	}
}
