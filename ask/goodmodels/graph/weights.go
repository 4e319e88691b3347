package graph

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/bitvec"
	"parcorels/rulelist/separation"
)

// The separation bound with fixed weights. For every set Q of points left that holds two
// labels, a completion mispredicts a point of Q or has a rule that is pure on it
// (rulelist/separation/argument.go). Give the sets Q weights y(Q) ≥ 0 of which
//
//   - no point bears more than what any class but its label costs there, and
//   - no rule (s,q) bears more than its price, over all Q that it is pure on.
//
// Then V(u) is at least the sum of y over the sets within u, for every u: a completion pays
// for each such Q at least once, and what is paid for is paid once. That a rule which is not in
// live has no capacity does no harm: it gains at most P, and bears no more than it gains, as
// each Q that it is pure on has a point of its gain.
//
// A linear program proposes the weights. They are rounded to quanta, 1<<quantumBits of
// which are the price of a rule, and made to fit by integers.
type weights struct {
	price  int64
	sets   [][]separation.Point
	y      []int64 // quanta
	total  int64
	words  int        // of a set of inequalities
	all    []uint64   // inequalities
	touch  [][]uint64 // of each column, the inequalities that it touches
	planes *bitvec.Planes
	matrix *bitvec.Matrix // of each column, the inequalities that it touches
}

const quantumBits = 12

// proposer is a linear program that goes on where more work is allowed.
type proposer struct {
	p    *separation.Problem
	root *separation.Root
}

// pairEntries bounds the work of finding its first sets: some tenths of a second.
const pairEntries = 1 << 26

func newProposer(l *layout, workers int) *proposer {
	if l.live == 0 || l.Trees {
		return &proposer{}
	}
	columns := make([][]uint64, l.live)
	for c := range columns {
		columns[c] = l.columns[c][:l.costWords]
	}
	total := int64(0)
	for _, c := range l.table.Costs {
		total += c
	}
	p := separation.New(columns, l.table, separation.Prices{Error: l.unit, Rule: l.Price}, total)
	return &proposer{p, p.NewRoot(pairEntries, workers)}
}

// propose solves the linear program for lists within a threshold, until so many entries of it
// were touched, or goOn says no. It returns sets with weights in quanta, heaviest first.
func (x *proposer) propose(price, threshold, entries int64, goOn func() bool) (sets [][]separation.Point, y []int64) {
	if x.root == nil {
		return nil, nil
	}
	x.root.Solve(x.p.Value(threshold, 0)+1, separation.Effort{Work: entries, GoOn: goOn})
	chosen := slices.Clone(x.root.Weights)
	slices.SortStableFunc(chosen, func(a, b separation.Weight) int { return cmp.Compare(b.Y, a.Y) })
	scaled := float64(x.p.Value(price, 0))
	for _, w := range chosen {
		if n := int64(float64(w.Y) / scaled * (1 << quantumBits)); n > 0 {
			sets = append(sets, x.root.Pool.Set(w.Set))
			y = append(y, n)
		}
	}
	return sets, y
}

// newWeights lowers what a program proposed until all of it fits.
func newWeights(l *layout, sets [][]separation.Point, y []int64) *weights {
	w := &weights{price: l.Price}
	spare := make([]int64, len(l.table.Own)) // by place, quanta that the point bears yet
	for e, c := range l.table.Own {
		hi, lo := bits.Mul64(uint64(c*l.unit), 1<<quantumBits)
		spare[e] = none
		if hi < uint64(l.Price) {
			quanta, _ := bits.Div64(hi, lo, uint64(l.Price))
			spare[e] = int64(min(quanta, none))
		}
	}
	rules := slices.Repeat([]int64{1 << quantumBits}, l.classes*l.live)
	for i, set := range sets {
		n := y[i]
		for _, e := range set {
			n = min(n, spare[e])
		}
		pure := pureRules(l, set)
		for _, r := range pure {
			n = min(n, rules[r])
		}
		if n <= 0 {
			continue
		}
		for _, e := range set {
			spare[e] -= n
		}
		for _, r := range pure {
			rules[r] -= n
		}
		w.sets, w.y, w.total = append(w.sets, set), append(w.y, n), w.total+n
	}
	w.lay(l.columns)
	return w
}

// pureRules returns the rules classes·column + label that are pure on a set of places.
func pureRules(l *layout, set []separation.Point) (pure []int32) {
	for c, column := range l.columns[:l.live] {
		held := -1 // the label of all members with the column; −2: there are several
		for _, e := range set {
			if column[e/64]>>(e%64)&1 == 1 {
				switch label := int(l.table.ByWord[e/64]); held {
				case -1, label:
					held = label
				default:
					held = -2
				}
			}
		}
		if held >= 0 {
			pure = append(pure, int32(l.classes*c+held))
		}
	}
	return pure
}

// lay makes the matrix of what columns touch.
func (w *weights) lay(columns [][]uint64) {
	w.words = (len(w.sets) + 63) / 64
	w.all = firstPoints(len(w.sets), w.words)
	costs := make([]int64, 64*w.words)
	copy(costs, w.y)
	w.planes = bitvec.NewPlanes(costs, w.words)
	w.matrix = bitvec.NewMatrix(len(columns), w.words)
	for c, column := range columns {
		touched := make([]uint64, w.words)
		for i, set := range w.sets {
			if slices.ContainsFunc(set, func(e separation.Point) bool { return column[e/64]>>(e%64)&1 == 1 }) {
				touched[i/64] |= 1 << (i % 64)
			}
		}
		w.touch = append(w.touch, touched)
		w.matrix.Set(c, touched)
	}
}

// bound returns what inequalities of so many quanta cost at least, beyond P.
func (w *weights) bound(quanta int64) int64 {
	hi, lo := bits.Mul64(uint64(quanta), uint64(w.price))
	lo, carry := bits.Add64(lo, 1<<quantumBits-1, 0)
	return int64((hi+carry)<<(64-quantumBits) | lo>>quantumBits)
}

// count finds the weight that each column of the first blocks touches.
func (w *weights) count(f *frame, blocks int) {
	if w.words == 0 {
		return
	}
	w.planes.Compile(&f.left, f.alive)
	w.matrix.Count(&f.left, 0, blocks, f.hit, f.zero)
}

// leave makes what is alive in a child.
func (w *weights) leave(child, f *frame, column int) {
	bitvec.AndNot(child.alive, f.alive, w.touch[column])
	child.sum = f.sum - f.hit[column]
}

// within finds what is alive in any set of points.
func (w *weights) within(f *frame) {
	copy(f.alive, w.all)
	f.sum = w.total
	for i, set := range w.sets {
		for _, e := range set {
			if f.u[e/64]>>(e%64)&1 == 0 {
				f.alive[i/64] &^= 1 << (i % 64)
				f.sum -= w.y[i]
				break
			}
		}
	}
}
