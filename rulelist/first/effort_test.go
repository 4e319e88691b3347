package first

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// walk visits the whole tree that dives sample from and returns its work, by
// the definitions: sets are counted point by point.
func (e *effort) walk(u []uint64, cost, objective int64, prefix []int, labels []bool) float64 {
	p := e.p
	depth := len(prefix)
	counts, before := p.NewCounts(p.Padded()), e.work.spent
	counts.Count(u, e.work.counter(p))
	g1, g0 := counts.Gains[1], counts.Gains[0]
	work := float64(e.work.spent-before) / ordersOf(labels)
	for col := range p.Antecedents {
		a, b := g1[col], g0[col]
		childCost := cost + p.Price + p.Unit*min(a, b)
		commutes := depth > 0 && (a > b) == labels[depth-1] && p.Antecedents[col] < p.Antecedents[prefix[depth-1]]
		if max(a, b) <= p.Support || childCost+2*p.Price > objective || commutes || beatenBySibling(p, u, col) {
			continue
		}
		v := slices.Clone(u)
		bitvec.AndNot(v, v, p.Columns[col])
		work += e.walk(v, childCost, objective, append(prefix, col), append(labels, a > b))
	}
	return work
}

// ordersOf counts the orders of rules with the given labels, of increasing
// indices, in which no two neighbours of one label decrease.
func ordersOf(labels []bool) float64 {
	n := 0
	var place func(last int, left []int)
	place = func(last int, left []int) {
		if len(left) == 0 {
			n++
		}
		for i, x := range left {
			if last < 0 || labels[x] != labels[last] || x > last {
				place(x, slices.Delete(slices.Clone(left), i, i+1))
			}
		}
	}
	all := make([]int, len(labels))
	for i := range all {
		all[i] = i
	}
	place(-1, all)
	return float64(n)
}

func TestOrders(t *testing.T) {
	blocks := newOrderedPartitions()
	for a := range 5 {
		for b := range 5 {
			labels := make([]bool, a+b)
			for i := range b {
				labels[i] = true
			}
			if got, want := blocks.orders(a, b), ordersOf(labels); got != want {
				t.Errorf("%d and %d rules: %v orders and not %v", a, b, got, want)
			}
		}
	}
	for a := range 70 { // it grows up to twenty rules and stays positive
		for b := range 70 {
			got := blocks.orders(a, b)
			if got < 1 || got > math.Gamma(mostOrdered+1) || a > 0 && a+b <= mostOrdered && got < blocks.orders(a-1, b) {
				t.Errorf("%d and %d rules: %v orders", a, b, got)
			}
		}
	}
}

// beatenBySibling counts what another column misses of col.
func beatenBySibling(p *problem.Problem, u []uint64, col int) bool {
	errors := func(c int, but []uint64) int64 {
		v := slices.Clone(u)
		for w := range v {
			v[w] &= p.Columns[c][w]
			if but != nil {
				v[w] &^= but[w]
			}
		}
		a, b := p.Planes.Cost(v)
		if but != nil {
			return a + b
		}
		return min(a, b)
	}
	for s := range p.Antecedents {
		x, y := errors(s, nil)+errors(col, p.Columns[s]), errors(col, nil)
		if x < y || x == y && p.Antecedents[s] < p.Antecedents[col] {
			return true
		}
	}
	return false
}

// TestDivesAgree: the mean of many dives is the work of the whole tree. (Few
// dives may meet most of a tree, so the deviation says too little sometimes;
// hence a twentieth more.)
func TestDivesAgree(t *testing.T) {
	deep := 0
	for seed := range uint64(30) {
		p := laidOut(t, testgen.Medium(seed))
		if len(p.Antecedents) == 0 {
			continue
		}
		objective := min(p.EmptyObjective(), p.RootCost()+6*p.Price) // room for six rules
		e := newEffort(p, &meter{limit: math.MaxInt64}, rand.New(rand.NewPCG(seed, 2)))
		want := e.walk(p.All, p.RootCost(), objective, nil, nil)
		var sum, squares float64
		const n = 10000
		for range n {
			x, _ := e.dive(objective)
			sum, squares = sum+x, squares+x*x
		}
		mean := sum / n
		deviation := math.Sqrt(max(0, squares/n-mean*mean) / n)
		if math.Abs(mean-want) > 5*deviation+want/20 {
			t.Errorf("seed %d: dives say %.0f ± %.0f, the tree takes %.0f", seed, mean, deviation, want)
		}
		if deviation > 0 {
			deep++
		}
	}
	if deep < 5 {
		t.Errorf("only %d trees had anything to draw", deep)
	}
}

// TestBudgetIsBounded: the budget is never more than the most, and what is
// spent on estimating it never much more than its share.
func TestBudgetIsBounded(t *testing.T) {
	testgen.Each(20, func(in testgen.Instance) {
		p := laidOut(t, in)
		if len(p.Antecedents) == 0 {
			return
		}
		work := &meter{limit: MostWork}
		e := newEffort(p, work, rand.New(rand.NewPCG(in.Seed, 3)))
		if b := mayCost(e.ahead(p.EmptyObjective())); b > MostWork || b < 0 {
			t.Fatalf("budget %v\n%v", b, in)
		}
		if work.spent > 2*MostWork/divesShare {
			t.Fatalf("%d steps of work for an estimate\n%v", work.spent, in)
		}
	})
}
