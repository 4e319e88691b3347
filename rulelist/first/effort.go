package first

import (
	"math/rand/v2"

	"parcorels/bitvec"
	"parcorels/costs"
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

	u, taken   []uint64         // remaining set; what the drawn child takes of it
	counts     *costs.Counts    // in u
	within     *costs.Counts    // in taken
	root       *costs.Counts    // in the set of all points, which every dive begins with
	rootWork   int64            // what those counts take
	open       []problem.Column // columns to draw from
	divesShare float64          // of the budget, the part that is spent on dives
	live       [][]uint64       // by label, the columns whose rule a list may have; nil: all

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
	return &effort{
		p: p, work: work, divesShare: divesShare, random: random, blocks: newOrderedPartitions(),
		u: make([]uint64, p.Words), taken: make([]uint64, p.Words),
		counts: p.NewCounts(p.Padded()), within: p.NewCounts(p.Padded()),
	}
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
// column. In how many orders rules can stand is told by those of label 0 and all others.
func (e *effort) dive(objective int64) (total, counted float64) {
	p := e.p
	copy(e.u, p.All)
	cost, last := p.RootCost(), -1
	lastLabel := 0
	var rules [2]int // of label 0 and of others
	for share := 1.0; !e.work.over() && rules[0]+rules[1] < p.Longest; share *= float64(len(e.open)) {
		sets := share / e.blocks.orders(rules[0], rules[1])
		before := e.work.spent
		x := e.count(last < 0)
		if x == nil {
			break
		}
		total += float64(sets * float64(e.work.spent-before))
		counted += sets
		e.children(x, objective-cost-3*p.Price, last, lastLabel)
		if len(e.open) == 0 {
			break
		}
		last = int(e.open[e.random.IntN(len(e.open))])
		if e.hasBetterSibling(x, last) {
			break
		}
		y := x.Column(last)
		lastLabel = y.Label
		rules[min(lastLabel, 1)]++
		cost += p.Price + p.Unit*y.Errors
		bitvec.AndNot(e.u, e.u, p.Columns[last])
	}
	return total, counted
}

// count returns the counts of the remaining set, or nil where the work ended. Those of the root are made once, and
// every dive is charged for them, so that as many dives are made.
func (e *effort) count(root bool) *costs.Counts {
	x, before := e.counts, e.work.spent
	switch {
	case root && e.root != nil:
		e.work.spent += e.rootWork
		return e.root
	case root:
		x = e.p.NewCounts(e.p.Padded())
	}
	if !x.Count(e.u, e.work.counter(e.p)) {
		return nil
	}
	if root {
		e.root, e.rootWork = x, e.work.spent-before
	}
	return x
}

// children gathers the columns whose children the search would open: those
// that err by no more than room, which leaves place for two further rules, and
// do not commute with the last rule.
func (e *effort) children(x *costs.Counts, room int64, last, lastLabel int) {
	p, open := e.p, e.open[:0]
	for col, a := range p.Antecedents {
		y := x.Column(col)
		commutes := last >= 0 && y.Label == lastLabel && a < p.Antecedents[last]
		if p.Useful(&y) && p.Unit*y.Errors <= room && !commutes && !e.dead(col, y.Label) {
			open = append(open, problem.Column(col))
		}
	}
	e.open = open
}

// dead reports whether no list has a rule.
func (e *effort) dead(col, label int) bool {
	return e.live != nil && e.live[label][col/64]>>(col%64)&1 == 0
}

// hasBetterSibling reports whether another column errs less in u than col,
// with all that it leaves of col (or as much, and comes first).
func (e *effort) hasBetterSibling(x *costs.Counts, col int) bool {
	p := e.p
	own := x.Column(col)
	for i, w := range p.Columns[col] {
		e.taken[i] = e.u[i] & w
	}
	if !e.within.Count(e.taken, e.work.counter(p)) {
		return true
	}
	for s := range p.Antecedents {
		errors := x.Errors(s) + own.Cost - e.within.Cost(s)
		if errors < own.Errors || errors == own.Errors && p.Antecedents[s] < p.Antecedents[col] {
			return true
		}
	}
	return false
}

// orderedPartitions[n][k] is the number of ways to put n things into k
// ordered blocks, none of them empty, and one more that may be.
type orderedPartitions [mostOrdered + 1][mostOrdered + 1]int64

// mostOrdered is the largest n with n! below 2^63.
const mostOrdered = 20

func newOrderedPartitions() (t orderedPartitions) {
	t[0][0] = 1
	for n := 1; n <= mostOrdered; n++ {
		t[n][0] = 1
		for k := 1; k <= n; k++ {
			// The nth joins one of k+1 blocks of the others, or is one of k by itself.
			// Many blocks of many things overflow, but have no use below.
			t[n][k] = int64(k+1)*t[n-1][k] + int64(k)*t[n-1][k-1]
		}
	}
	return t
}

// orders returns in how many orders a rules of one label and b of the other
// can stand, if neighbours of one label stand by their indices: the labels
// alternate in k pairs of blocks. A block of the other may come before these, and one of the first behind. With more
// than twenty rules it counts the orders of twenty.
func (t *orderedPartitions) orders(a, b int) float64 {
	a = min(a, mostOrdered)
	b = min(b, mostOrdered-a)
	var n int64
	for k := range min(a, b) + 1 {
		n += t[a][k] * t[b][k]
	}
	return float64(n)
}
