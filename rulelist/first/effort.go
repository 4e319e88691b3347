package first

import (
	"math/rand/v2"

	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// How much work the search after the first incumbent is going to be: Knuth's
// estimate (Estimating the efficiency of backtrack programs, Mathematics of
// Computation 29, 1975). A random dive goes from the root to a child drawn
// among those that the search would open, on to a child of that, and so to the
// end; where a node has n such children, what is met below it counts n-fold.
// The mean over dives is the work of the whole tree.
//
// The tree is that of the bound, support, commuting rules, and similar support
// between children of one prefix (a better sibling); the last is looked for only
// for the child drawn, and ends the dive. The
// symmetry map keeps one of the prefixes with the same antecedents, so a node
// counts 1/n-fold if its antecedents can stand in n orders; this takes it that
// each keeps its label. Prefixes that similar support takes out are not estimated.
//
// On the instances of the table that are solved in seconds, from compas to the
// stop-and-frisk ones, the mean of many dives is between a third and five
// times the number of expansions that the search then takes; without the
// division by orders it is up to five hundred times that.
//
// Products and sums are in floating point; they decide nothing but when to
// stop looking. No product is fused with a sum, so that the budget is the same
// on every machine.

// effort estimates searches.
type effort struct {
	p      *problem.Problem
	work   *meter
	random *rand.Rand
	blocks orderedPartitions

	u, taken   []uint64 // remaining set; what the drawn child takes of it
	prog       bitvec.Program
	g1, g0     []int64          // cost of each column in u
	h1, h0     []int64          // and in taken
	open       []problem.Column // columns to draw from
	divesShare float64          // of the budget, the part that is spent on dives
	live       [][]uint64       // by label, the columns whose rule a list may have; nil: all

	many, within *problem.ClassCounts // of more than two classes, in u and in taken

	dives, sum float64 // of the last estimate: how many, and of their work
	sets       float64 // and in how many sets the search evaluates every column
}

const (
	budgetShare = 16 // of the search's work, the part that the first incumbent may cost
	fewestDives = 8  // to average
	divesShare  = 16 // of the budget, the part that is spent on dives
	refineShare = 64 // of the search's work, the part that a closer look may cost
	refineMost  = 32 // of the most work of heuristics, what a closer look takes at most
)

func newEffort(p *problem.Problem, work *meter, random *rand.Rand) *effort {
	n := p.Padded()
	e := &effort{
		p: p, work: work, divesShare: divesShare, random: random, blocks: newOrderedPartitions(),
		u: make([]uint64, p.Words), taken: make([]uint64, p.Words),
		g1: make([]int64, n), g0: make([]int64, n),
		h1: make([]int64, n), h0: make([]int64, n),
	}
	if p.Classes != nil {
		e.many, e.within = problem.NewClassCounts(p), problem.NewClassCounts(p)
	}
	return e
}

// ahead returns the work that the search takes where the present incumbent has
// the given objective, in the meter's unit.
func (e *effort) ahead(objective int64) (mean float64) {
	e.dives, e.sum, e.sets = 0, 0, 0
	before := e.work.spent
	for e.dives < fewestDives || float64(e.work.spent-before) < mayCost(e.mean())/e.divesShare {
		if !e.goOn(objective) {
			break
		}
	}
	return e.mean()
}

// refine makes more dives, until they have cost a 64th of the estimate or so much, and returns
// the new one. The first dives miss what few of them meet: of cars with λ = .02 they tell a
// twentieth.
func (e *effort) refine(objective, most int64) (mean float64) {
	before := e.work.spent
	for float64(e.work.spent-before) < min(e.mean()/refineShare, float64(most)) {
		if !e.goOn(objective) {
			break
		}
	}
	return e.mean()
}

func (e *effort) mean() float64 { return e.sum / e.dives }

// goOn makes one more dive, and reports whether the work may go on.
func (e *effort) goOn(objective int64) bool {
	work, sets := e.dive(objective)
	e.dives, e.sum, e.sets = e.dives+1, e.sum+work, e.sets+sets
	return !e.work.over()
}

// mayCost returns what the first incumbent may cost with so much work ahead.
func mayCost(ahead float64) float64 { return min(MostWork, ahead/budgetShare) }

// dive estimates the work of the search by one path, and in how many sets it evaluates every
// column.
func (e *effort) dive(objective int64) (total, counted float64) {
	if e.many != nil {
		return e.diveClasses(objective)
	}
	p := e.p
	copy(e.u, p.All)
	cost, all1, all0 := p.RootCost(), p.G1, p.G0
	last, lastLabel := -1, false
	var rules [2]int // of either label
	for share := 1.0; !e.work.over() && rules[0]+rules[1] < p.Longest; share *= float64(len(e.open)) {
		sets := share / e.blocks.orders(rules[0], rules[1])
		total += float64(sets * e.count(e.u, e.g1, e.g0))
		counted += sets
		e.children(objective-cost-3*p.Price, all1, all0, last, lastLabel)
		if len(e.open) == 0 {
			break
		}
		last = int(e.open[e.random.IntN(len(e.open))])
		if e.hasBetterSibling(last) {
			break
		}
		a, b := e.g1[last], e.g0[last]
		lastLabel = a > b
		if lastLabel {
			rules[1]++
		} else {
			rules[0]++
		}
		cost += p.Price + p.Unit*min(a, b)
		all1, all0 = all1-a, all0-b
		bitvec.AndNot(e.u, e.u, p.Columns[last])
	}
	return total, counted
}

// count evaluates every column in a set and returns the work that it took. If
// the work ends early, counts and estimate are of no use any more.
func (e *effort) count(u []uint64, g1, g0 []int64) float64 {
	before := e.work.spent
	e.p.Planes.Compile(&e.prog, u)
	e.work.count(e.p.Matrix, &e.prog, g1, g0)
	return float64(e.work.spent - before)
}

// children gathers the columns whose children the search would open: those
// that err by no more than room, which leaves place for two further rules, and
// do not commute with the last rule.
func (e *effort) children(room, all1, all0 int64, last int, lastLabel bool) {
	p := e.p
	e.open = e.open[:0]
	for col := range p.Antecedents {
		a, b := e.g1[col], e.g0[col]
		switch {
		case !p.Useful(a, b) || p.Unit*min(a, b) > room || e.dead(col, int(problem.Label(a > b))):
		case last >= 0 && (a > b) == lastLabel && p.Antecedents[col] < p.Antecedents[last]:
		default:
			e.open = append(e.open, problem.Column(col))
		}
	}
}

// dead reports whether no list has a rule.
func (e *effort) dead(col, label int) bool {
	return e.live != nil && e.live[label][col/64]>>(col%64)&1 == 0
}

// hasBetterSibling reports whether another column errs less in u than col,
// with all that it leaves of col (or as much, and comes first).
func (e *effort) hasBetterSibling(col int) bool {
	p := e.p
	for i, w := range p.Columns[col] {
		e.taken[i] = e.u[i] & w
	}
	e.count(e.taken, e.h1, e.h0)
	a, b := e.g1[col], e.g0[col]
	for s := range p.Antecedents {
		errors := min(e.g1[s], e.g0[s]) + a - e.h1[s] + b - e.h0[s]
		if errors < min(a, b) || errors == min(a, b) && p.Antecedents[s] < p.Antecedents[col] {
			return true
		}
	}
	return false
}

// orderedPartitions[n][k+1] is the number of ways to put n things into k
// ordered blocks, none of them empty.
type orderedPartitions [mostOrdered + 1][mostOrdered + 3]int64

// mostOrdered is the largest n with n! below 2^63.
const mostOrdered = 20

func newOrderedPartitions() (t orderedPartitions) {
	t[0][1] = 1
	for n := 1; n <= mostOrdered; n++ {
		for k := 1; k <= n; k++ {
			// The nth joins one of k blocks of the others, or is one by itself.
			// Many blocks of many things overflow, but have no use below.
			t[n][k+1] = int64(k) * (t[n-1][k+1] + t[n-1][k])
		}
	}
	return t
}

// orders returns in how many orders a rules of one label and b of the other
// can stand, if neighbours of one label stand by their indices: the labels
// alternate in blocks, k of the one and k−1, k or k+1 of the other. With more
// than twenty rules it counts the orders of twenty.
func (t *orderedPartitions) orders(a, b int) float64 {
	if a+b < 2 {
		return 1
	}
	a = min(a, mostOrdered)
	b = min(b, mostOrdered-a)
	var n int64
	for k := range min(a, b+1) + 1 {
		n += t[a][k+1] * (t[b][k] + 2*t[b][k+1] + t[b][k+2])
	}
	return float64(n)
}
