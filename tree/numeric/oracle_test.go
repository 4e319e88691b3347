package numeric

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"parcorels/bitvec"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/tree/price"
)

// problem is samples of a random table: at most 64 of them.
type problem struct {
	ranks   [][]int32
	class   []uint16
	classes int
	weights []int64
	lambda  ratio.Ratio
	depth   int
}

// random draws a problem: ties from none to heavy ones, flags, columns that repeat or reverse
// another, two to five classes of which some may be missing, weights, λ from 0 on.
func random(rng *rand.Rand) *problem {
	p := &problem{classes: 2 + max(0, rng.IntN(7)-3), depth: 2 + rng.IntN(3), lambda: ratio.New(1, 1+rng.Int64N(100))}
	n := 2 + rng.IntN([]int{12, 40, 62}[rng.IntN(3)])
	if p.depth > 2 {
		n = 2 + rng.IntN(14)
	}
	if rng.IntN(20) == 0 {
		p.depth = 1
	}
	switch rng.IntN(6) {
	case 0:
		p.lambda = ratio.New(0, 1)
	case 1:
		p.lambda = ratio.New(1+rng.Int64N(3), 1<<rng.IntN(12))
	}
	for range 1 + rng.IntN(5) {
		distinct := []int{2, 3, 7, n, 1000}[rng.IntN(5)]
		column := make([]int32, n)
		for i := range column {
			column[i] = int32(rng.IntN(distinct))
		}
		if len(p.ranks) > 0 && rng.IntN(4) == 0 {
			for i, r := range p.ranks[0] {
				column[i] = 1000 - r
			}
		}
		p.ranks = append(p.ranks, column)
	}
	hidden := rng.IntN(3)
	for i := range n {
		c := rng.IntN(p.classes)
		if a, b := p.ranks[0][i], p.ranks[len(p.ranks)-1][i]; hidden > 0 && rng.IntN(5) > 0 {
			c = 0
			if hidden == 1 && a < b || hidden == 2 && a%3 == 1 {
				c = 1
			}
		}
		p.class = append(p.class, uint16(c))
	}
	switch rng.IntN(4) {
	case 0:
		for range n {
			p.weights = append(p.weights, 1+rng.Int64N(5))
		}
	case 1:
		most := int64(1) << rng.IntN(40)
		for range n {
			p.weights = append(p.weights, 1+rng.Int64N(most))
		}
	}
	return p
}

func (p *problem) weight(i int) int64 {
	if p.weights == nil {
		return 1
	}
	return p.weights[i]
}

func (p *problem) total() (sum int64) {
	for i := range p.class {
		sum += p.weight(i)
	}
	return sum
}

// tried is a tree by its splits: column and largest rank on the left.
type tried struct {
	objective int64
	leaves    int64
	preorder  [][2]int
}

func (a tried) less(b tried) bool {
	return a.objective < b.objective || a.objective == b.objective && a.leaves < b.leaves
}

type triedSet struct {
	samples uint64
	levels  int
}

// best tries every place of every column at every set.
func (p *problem) best(s triedSet, known map[triedSet]tried) tried {
	if t, ok := known[s]; ok {
		return t
	}
	sums, all := make([]int64, p.classes), int64(0)
	for left := s.samples; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		sums[p.class[i]] += p.weight(i)
		all += p.weight(i)
	}
	class := 0
	for c, x := range sums {
		if x > sums[class] {
			class = c
		}
	}
	best := tried{p.lambda.Den*(all-sums[class]) + p.lambda.Num*p.total(), 1, [][2]int{{-1 - class, 0}}}
	if s.levels > 0 {
		for h, ranks := range p.ranks {
			for next := int32(-1); ; {
				rank := int32(1 << 30) // the next larger rank
				for left := s.samples; left != 0; left &= left - 1 {
					if r := ranks[bits.TrailingZeros64(left)]; r > next {
						rank = min(rank, r)
					}
				}
				next = rank
				low := uint64(0)
				for left := s.samples; left != 0; left &= left - 1 {
					if i := bits.TrailingZeros64(left); ranks[i] <= rank {
						low |= 1 << i
					}
				}
				if low == s.samples {
					break
				}
				a, b := p.best(triedSet{low, s.levels - 1}, known), p.best(triedSet{s.samples &^ low, s.levels - 1}, known)
				t := tried{objective: a.objective + b.objective, leaves: a.leaves + b.leaves}
				if t.less(best) {
					t.preorder = append(append([][2]int{{h, int(rank)}}, a.preorder...), b.preorder...)
					best = t
				}
			}
		}
	}
	known[s] = best
	return best
}

// same reports how a tree differs from the one that was tried.
func same(t Tree, want tried) error {
	if len(t) != len(want.preorder) {
		return fmt.Errorf("%d nodes, want %d", len(t), len(want.preorder))
	}
	for i, n := range t {
		w := want.preorder[i]
		if n.Column != w[0] || n.Column >= 0 && (int(n.Low) > w[1] || w[1] >= int(n.High)) {
			return fmt.Errorf("node %d is %v, want %v", i, n, w)
		}
	}
	return nil
}

// errors returns the weight of what a tree gets wrong.
func (p *problem) errors(t Tree) (wrong int64) {
	for i := range p.class {
		at := 0
		for t[at].Column >= 0 {
			if n := t[at]; p.ranks[n.Column][i] <= n.Low {
				at++
				continue
			}
			depth := 0 // skip the left side
			for at++; ; at++ {
				if t[at].Column >= 0 {
					depth++
				} else if depth--; depth < 0 {
					at++
					break
				}
			}
		}
		if -1-t[at].Column != int(p.class[i]) {
			wrong += p.weight(i)
		}
	}
	return wrong
}

// TestOracle compares with trying all trees: value, errors, and the one tree among equals, for all sizes of bins and cells and any
// number of workers; with weights at limits; and without a limit on the depth, where no tree at all is better.
func TestOracle(t *testing.T) {
	for name, c := range map[string]struct {
		tables int
		change func(p *problem, rng *rand.Rand) bool // false: not that one
	}{
		"random":    {cases.Count(15_000), func(*problem, *rand.Rand) bool { return true }},
		"heavy":     {cases.Some(1000), (*problem).withHeavyClass},
		"at limits": {cases.Some(3000), (*problem).atLimits},
		"unlimited": {cases.Some(1500), func(p *problem, _ *rand.Rand) bool {
			p.depth = 0
			return len(p.class) <= 10 && p.lambda.Num > 0
		}},
	} {
		solved, refused := 0, 0
		for seed := range uint64(testgen.Few(c.tables)) {
			rng := rand.New(rand.NewPCG(seed, 77))
			p := random(rng)
			if !c.change(p, rng) {
				continue
			}
			if err := p.compare(t, rng); err != nil {
				refused++
				if scale := new(price.ErrScale); !errors.As(err, &scale) || name != "heavy" {
					t.Fatalf("%s, seed %d (%d samples, %d columns, %d classes, depth %d, λ %v): %v", name, seed, len(p.class),
						len(p.ranks), p.classes, p.depth, p.lambda, err)
				}
				continue
			}
			solved++
		}
		if solved == 0 || name == "heavy" && refused == 0 {
			t.Errorf("%s: %d are solved, %d are refused", name, solved, refused)
		}
	}
}

// compare solves a problem, and tries all trees.
func (p *problem) compare(t *testing.T, rng *rand.Rand) error {
	table := must.Get(NewTable(p.ranks, p.class, p.classes, p.weights))(t)
	r, err := Solve(context.Background(), table, Options{Lambda: p.lambda, Depth: p.depth, Workers: 1 + rng.IntN(3),
		maxBins: []int{0, 2, 4, 7}[rng.IntN(4)], maxCells: []int{0, 1, 5, 200}[rng.IntN(4)], closeUps: rng.IntN(2) == 0})
	if err != nil {
		return err
	}
	levels := p.depth
	if levels == 0 {
		levels = len(p.class)
	}
	want := p.best(triedSet{^uint64(0) >> (64 - len(p.class)), levels}, map[triedSet]tried{})
	switch e := p.errors(r.Tree); {
	case r.Status != parallel.Optimal || r.Objective != want.objective || r.LowerBound != want.objective ||
		int64(r.Tree.Leaves()) != want.leaves:
		return fmt.Errorf("%v, objective %d, bound %d, %d leaves, want %d of %d leaves", r.Status, r.Objective, r.LowerBound,
			r.Tree.Leaves(), want.objective, want.leaves)
	case e != r.Errors:
		return fmt.Errorf("the tree errs by %d, %d claimed", e, r.Errors)
	}
	return same(r.Tree, want)
}

// atLimits makes the weights of all items just what numbers of 16 or 32 bits hold, or one more.
func (p *problem) atLimits(rng *rand.Rand) bool {
	for i := range p.ranks[0] { // no two samples are one point
		p.ranks[0][i] = int32(i)
	}
	rng.Shuffle(len(p.class), func(i, j int) { p.ranks[0][i], p.ranks[0][j] = p.ranks[0][j], p.ranks[0][i] })
	limit := []int64{bitvec.BinMost16, bitvec.BinMost32}[rng.IntN(2)] + rng.Int64N(2)
	p.weights = make([]int64, len(p.class))
	rest := limit
	for i := range p.weights {
		p.weights[i] = 1
		if rng.IntN(2) == 0 {
			p.weights[i] += rng.Int64N(limit / int64(2*len(p.class)))
		}
		rest -= p.weights[i]
	}
	p.weights[rng.IntN(len(p.weights))] += rest
	return true
}

// withHeavyClass makes one class weigh far more than the others, and gives λ many digits. The weight between two places times the
// unit is more than all errors cost then.
func (p *problem) withHeavyClass(rng *rand.Rand) bool {
	heavy, light := int64(1)<<(20+rng.IntN(18)), int64(1)<<(1+rng.IntN(24))
	p.weights, p.lambda = nil, ratio.New(1, 10_000*(1+rng.Int64N(1000)))
	for _, c := range p.class {
		most := light
		if c == 0 {
			most = heavy
		}
		p.weights = append(p.weights, 1+rng.Int64N(most))
	}
	return true
}
