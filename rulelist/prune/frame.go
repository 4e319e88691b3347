package prune

import (
	"math"
	"slices"

	"parcorels/bitvec"
	"parcorels/costs"
	"parcorels/rulelist/problem"
	"parcorels/trie"
)

// Frame is one prefix under examination, with the buffers that this takes. A
// worker has one for each depth of a dive (search/dive.go) and uses the first for
// prefixes from the queue.
type Frame struct {
	Id     trie.ID          // node of the prefix
	Rooted bool             // whether it has one; without, nothing below it can be inserted
	Prefix []problem.Column // columns of the prefix
	Depth  int
	Cost   int64
	Bound  int64      // on every completion
	rank   int64      // a bound that a proof may lack, for the queue's order
	Costs  []int64    // of the prefix's beginnings, from no rule to all of them
	Labels []int      // of its rules
	Before [][]uint64 // what was left before each of them: all points, then sets of own or of the frames above
	own    [][]uint64
	Chain  []problem.Column // that own was last made for: own[i] is what the first i+1 of them leave, but for the last
	U      []uint64         // remaining set
	// With MinRows, the samples that the prefix leaves, and those before its last rule.
	Rows, rowsBefore, allRows []uint64

	Counts *costs.Counts // of the columns in u
	Survey bitvec.Survey // of more than two labels, Stop alone
	Alive  []uint64      // columns that can be of use below
	Open   []uint64      // those of them whose child the bound does not close

	Children []Child // that could not be inserted
	Next     int     // the first of them that was not begun
}

// Child is a prefix that extends a frame's by one rule.
type Child struct {
	Col       int
	Label     int
	Cost      int64
	Bound     int64 // on every completion
	Rank      int64 // as in frame
	Objective int64
	Left      int64   // what it leaves costs at most
	Id        trie.ID // its node, if it has one
	Owned     bool    // whether id is its own node
}

func NewFrame(p *problem.Problem) *Frame {
	n := p.Padded()
	return &Frame{
		U:      make([]uint64, p.Words),
		Counts: p.NewCounts(n),
		Alive:  make([]uint64, (n+63)/64),
		Open:   make([]uint64, (n+63)/64),
	}
}

// Load rebuilds the prefix of a node: its columns and its remaining set. It
// reports false if the node or an ancestor is dead.
func (f *Frame) Load(p *problem.Problem, arena *trie.Arena, id trie.ID) bool {
	n := arena.Node(id)
	f.Id, f.Rooted, f.Depth, f.Cost, f.Bound = id, true, int(n.Depth), n.Cost, n.Bound
	f.Prefix = slices.Grow(f.Prefix[:0], f.Depth+1)[:f.Depth]
	f.Costs = slices.Grow(f.Costs[:0], f.Depth+1)[:f.Depth+1]
	f.Labels = slices.Grow(f.Labels[:0], f.Depth+1)[:f.Depth]
	for i := f.Depth; ; i-- {
		if n.Dead() {
			return false
		}
		f.Costs[i] = n.Cost
		if i == 0 {
			break
		}
		f.Prefix[i-1], f.Labels[i-1] = problem.Column(n.Antecedent), n.Mark()
		n = arena.Node(n.Parent)
	}
	f.Leave(p)
	return true
}

// Leave finds what is left before and behind each rule of the prefix. Prefixes from the queue
// often begin as the one before them did: that part of the sets is there.
func (f *Frame) Leave(p *problem.Problem) {
	for len(f.own) < f.Depth-1 {
		f.own = append(f.own, make([]uint64, p.Words))
	}
	f.Before = f.Before[:0]
	left, last := p.All, f.Depth-1
	known := min(CommonStart(f.Prefix, f.Chain), len(f.Chain)-1)
	for i, col := range f.Prefix {
		behind := f.U
		if i < last {
			behind = f.own[i]
		}
		if i >= known || i == last {
			bitvec.AndNot(behind, left, p.Columns[col])
		}
		if p.Labels > 2 { // else the mark of the node is the label
			f.Labels[i], _, _ = p.Rule(left, p.Antecedents[col])
		}
		f.Before = append(f.Before, left)
		left = behind
	}
	f.Chain = append(f.Chain[:0], f.Prefix...)
	f.leaveRows(p)
	if f.Depth == 0 {
		copy(f.U, p.All)
	}
}

// CommonStart returns how many columns two prefixes have in common before they differ.
func CommonStart(a, b []problem.Column) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Descend makes f the frame of a child of up.
func (f *Frame) Descend(p *problem.Problem, up *Frame, c *Child) {
	f.Id, f.Rooted, f.Depth, f.Cost, f.Bound = c.Id, c.Owned, up.Depth+1, c.Cost, c.Bound
	f.Prefix = append(append(f.Prefix[:0], up.Prefix...), problem.Column(c.Col))
	f.Costs = append(append(f.Costs[:0], up.Costs...), c.Cost)
	f.Before = append(append(f.Before[:0], up.Before...), up.U)
	bitvec.AndNot(f.U, up.U, p.Columns[c.Col])
	f.Labels = append(append(f.Labels[:0], up.Labels...), c.Label)
	if p.CountsRows() {
		f.rowsBefore = append(f.rowsBefore[:0], up.Rows...)
		f.Rows = append(f.Rows[:0], up.Rows...)
		bitvec.AndNot(f.Rows, f.Rows, p.Rows(problem.Column(c.Col)))
	}
}

// leaveRows finds the samples that the prefix leaves, and those before its last rule.
func (f *Frame) leaveRows(p *problem.Problem) {
	if !p.CountsRows() {
		return
	}
	if len(f.allRows) == 0 {
		f.allRows = p.AllRows()
	}
	f.Rows = append(f.Rows[:0], f.allRows...)
	for _, col := range f.Prefix {
		f.rowsBefore = append(f.rowsBefore[:0], f.Rows...)
		bitvec.AndNot(f.Rows, f.Rows, p.Rows(col))
	}
}

// Enough reports whether the rule that a column makes decides enough samples.
func (f *Frame) Enough(p *problem.Problem, col int) bool {
	return !p.CountsRows() || p.Enough(f.Rows, p.Rows(problem.Column(col)), nil)
}

// Count evaluates every column against the remaining set and finds those that
// are alive. It reports false if goOn did on the way.
func (f *Frame) Count(p *problem.Problem, goOn func() bool) bool {
	count := func(prog *bitvec.Program, g1, g0 []int64) bool { return p.Matrix.CountWhile(prog, g1, g0, goOn) }
	x := f.Counts
	if !x.Count(f.U, count) || !x.CountMissing(f.U, count) {
		return false
	}
	if p.Labels == 2 {
		f.Survey.All1, f.Survey.All0 = x.All[1], x.All[0]
		f.Survey.Least = p.Support
		f.Survey.Run(f.Alive, x.Gains[1], x.Gains[0])
	} else {
		f.survey(p)
	}
	if !p.Uses(problem.Support) {
		f.clearUnsupported(p)
	}
	return true
}

// survey does what bitvec.Survey does for two labels.
func (f *Frame) survey(p *problem.Problem) {
	clear(f.Alive)
	f.Survey.Stop = bitvec.Far
	for col := range p.Padded() {
		if c := f.Counts.Column(col); p.Useful(&c) {
			f.Alive[col/64] |= 1 << (col % 64)
			f.Survey.Stop = min(f.Survey.Stop, c.Errors+c.Stop)
		}
	}
}

// Cheap makes Open the alive columns that err by less than room.
func (f *Frame) Cheap(room int64) {
	x := f.Counts
	if len(x.Gains) == 2 {
		reach := bitvec.Reach{Open: room}
		bitvec.SelectEither(f.Open, f.Alive, x.Gains[1], x.Gains[0], -1, &reach, &reach)
		return
	}
	copy(f.Open, f.Alive)
	for col := range bitvec.Members(f.Alive) {
		if x.Column(col).Errors >= room {
			f.Open[col/64] &^= 1 << (col % 64)
		}
	}
}

// clearUnsupported does what the support pruning else implies: the columns of
// the prefix and those that pad the last block are not alive.
func (f *Frame) clearUnsupported(p *problem.Problem) {
	for _, col := range f.Prefix {
		f.Alive[col/64] &^= 1 << (col % 64)
	}
	for col := len(p.Antecedents); col < p.Padded(); col++ {
		f.Alive[col/64] &^= 1 << (col % 64)
	}
}

// LoadColumns makes f the frame of a prefix, given as columns, without a node.
func (f *Frame) LoadColumns(p *problem.Problem, prefix []problem.Column) {
	f.Id, f.Rooted, f.Depth = trie.Root, false, len(prefix)
	f.Prefix = append(f.Prefix[:0], prefix...)
	f.Cost = p.RootCost()
	f.Costs = append(f.Costs[:0], f.Cost)
	f.Labels = slices.Grow(f.Labels[:0], f.Depth+1)[:f.Depth]
	f.Leave(p)
	for i, col := range prefix {
		label, errors, _ := p.Rule(f.Before[i], p.Antecedents[col])
		f.Labels[i] = label
		f.Cost += p.Price + p.Unit*errors
		f.Costs = append(f.Costs, f.Cost)
	}
	f.Bound = f.Cost + p.Price
}

// Candidate is a child on its way to its judgement.
type Candidate struct {
	Child
	Left []uint64   // remaining set
	Hash bitvec.Key // of left
	Key  bitvec.Key // of the symmetry map
}

// Describe fills in the child that col makes, and returns what its completions cost at least by the child's own cost.
func (f *Frame) Describe(p *problem.Problem, col int, c *Child) (least int64) {
	x := p.Column(f.Counts, col)
	c.Col, c.Label, c.Owned = col, x.Label, false
	c.Cost = f.Cost + p.Price + p.Unit*x.Errors
	c.Left = f.Counts.Total - x.Cost
	c.Objective = c.Cost + p.Unit*x.Stop
	c.Rank = c.Cost + p.Behind(f.Counts, col)
	return c.Rank
}

// findLive fills in live: by label, the columns that are alive in f and gain more than support of it.
func (f *Frame) findLive(live [][]uint64, support int64) {
	for label := range live {
		gains := f.Counts.Gains[label]
		bitvec.SelectEither(live[label], f.Alive, gains, gains, support, &anyColumn, &noColumn)
	}
}

// anyColumn is within reach with any errors, noColumn with none.
var anyColumn, noColumn = bitvec.Reach{Open: math.MaxInt64}, bitvec.Reach{}
