// Package guess chooses where numbers are cut, knowing the labels: it grows a
// small ensemble of boosted trees on all columns together and takes the cuts
// that the ensemble gains most by.
//
// [Cuts] is where to begin. McTavish, Zhong, Achermann, Karimalis, Chen, Rudin
// and Seltzer, Fast Sparse Decision Tree Optimization via Reference Ensembles
// (AAAI 2022), guess the thresholds of optimal trees so. The trees here are
// regression trees on the residuals of squared loss (Friedman, Greedy Function
// Approximation: A Gradient Boosting Machine, 2001), which need no logarithm.
//
// # The answer is the same everywhere
//
// Residuals and scores are integers, in units of 2^-16, and so are all sums over
// samples. They do not depend on the order of the samples, the number of
// processors or the machine. Two gains are compared as floats, each made of
// such sums by the same few divisions and products, none of which a compiler
// may fuse.
package guess

import (
	"cmp"
	"math/bits"
	"slices"

	"parcorels/internal/loop"
)

// Column is a column of the samples, in bins.
type Column struct {
	Bins []uint8 // of each sample, below N
	N    int     // bins, at most 255
	// Ordered is how many of the bins, the first, hold numbers in ascending
	// order: a cut lies behind one of them. The others are categories each.
	Ordered int
	Free    bool // the column is cut already, behind all ordered bins: its cuts cost nothing
}

// The ensemble: trees trees of up to splits splits each, of leaves that weigh
// at least 1/leafShare of all samples; a tree's answer counts 1/rate.
//
// A split must gain minGain times what a sample loses on average. Of m cuts on
// noise alone, the best gains about 2·ln m times that, which is 20 for some ten
// thousand: cuts that gain less say nothing, and would only make the search for
// a model longer. Small tables are allowed less: a share of 1/gainShare of all.
const (
	trees     = 40
	splits    = 7
	leafShare = 200
	rate      = 4
	minGain   = 20
	gainShare = 10
	one       = 1 << 16 // the label 1, in the units of scores
)

// Cuts returns for each column behind which of its ordered bins it is cut, at
// most budget cuts in all columns that are not free, none in those that are.
// The sample i is of class 1 if ones[i], and weighs weights[i]; 1 if weights is
// nil. Weights are positive and add up to less than 2^62.
func Cuts(columns []Column, ones []bool, weights []int64, budget int) [][]int {
	e := newEnsemble(columns, ones, weights)
	e.seed(budget)
	// The first ensemble takes what it likes, the second one of twice as many
	// cuts as there may be in the end: neighbours that did the same work are
	// one cut then, and gain what both did.
	e.boost()
	e.keep(2 * budget)
	e.boost()
	e.keep(budget)
	return e.cuts()
}

// ensemble is the state of a call of Cuts.
type ensemble struct {
	columns []Column
	ones    []bool
	weights []int64 // scaled down to add up to less than 2^41; nil: 1 each
	total   int64   // weight
	allowed [][]bool
	classes [][][2]int64 // by column and bin: the weight of each class
	// balance is the lighter weight of the numbers on the two sides of a cut. Of
	// cuts between which a node has no sample, the one in the middle is taken,
	// whichever way the column runs.
	balance [][]int64
	seeds   [][]bool // cuts that are kept whatever they gain

	// Of the trees that are grown:
	table     *table
	residuals []int32  // of each sample
	squares   int64    // of residuals, weighted, in units of 2^16
	order     []uint16 // see rows.go
	root      []sums   // of the next tree, by bin; nil: not known yet
	spare     [][]sums
	noise     float64     // what a split must gain to be one
	gains     [][]float64 // what all splits at a cut have gained; 0 of one that was never taken
}

func newEnsemble(columns []Column, ones []bool, weights []int64) *ensemble {
	e := &ensemble{columns: columns, ones: ones}
	e.weights, e.total = scaled(weights, len(ones))
	for _, c := range columns {
		cuts := max(0, c.Ordered-1)
		e.allowed = append(e.allowed, slices.Repeat([]bool{true}, cuts))
		e.gains = append(e.gains, make([]float64, cuts))
		e.seeds = append(e.seeds, make([]bool, cuts))
	}
	e.balances()
	return e
}

// balances weighs the classes in each bin, and finds the balance of each cut.
func (e *ensemble) balances() {
	e.balance, e.classes = make([][]int64, len(e.columns)), make([][][2]int64, len(e.columns))
	loop.Parallel(len(e.columns), func(c int) {
		column := e.columns[c]
		var classes [slotSize][2]int64
		for i, b := range column.Bins {
			class := 0
			if e.ones[i] {
				class = 1
			}
			classes[b][class] += e.weight(i)
		}
		e.classes[c] = slices.Clone(classes[:column.N])
		var all, below int64
		for _, w := range e.classes[c][:column.Ordered] {
			all += w[0] + w[1]
		}
		balance := make([]int64, max(0, column.Ordered-1))
		for b := range balance {
			below += classes[b][0] + classes[b][1]
			balance[b] = min(below, all-below)
		}
		e.balance[c] = balance
	})
}

func (e *ensemble) weight(i int) int64 {
	if e.weights == nil {
		return 1
	}
	return e.weights[i]
}

// scaled divides weights by a power of two, so that sums of residuals fit into
// 63 bits, and returns the total.
func scaled(weights []int64, n int) (small []int64, total int64) {
	if weights == nil {
		return nil, int64(n)
	}
	for _, w := range weights {
		total += w
	}
	shift := max(0, bits.Len64(uint64(total))-40)
	small, total = make([]int64, n), 0
	for i, w := range weights {
		small[i] = max(1, w>>shift)
		total += small[i]
	}
	return small, total
}

// boost grows the trees of a new ensemble, which has gained nothing yet.
func (e *ensemble) boost() {
	e.table, e.root, e.spare = e.newTable(), nil, nil
	for _, g := range e.gains {
		clear(g)
	}
	e.begin()
	n := float64(len(e.ones))
	for k := range trees {
		e.noise = min(minGain, n/gainShare) * (one * float64(e.squares) / n)
		if len(e.table.views) == 0 || !e.grow(k == trees-1) {
			return
		}
	}
}

// cut is a cut of a column and what it has gained.
type cut struct {
	column, bin int
	gain        float64
}

// byGain orders cuts, those that have gained most first.
func byGain(x, y *cut) int { return cmp.Compare(y.gain, x.gain) }

// keep allows the count cuts that have gained most, and no other.
func (e *ensemble) keep(count int) {
	var list []*cut
	for c, gains := range e.gains {
		if e.columns[c].Free {
			continue
		}
		for b, g := range gains {
			if e.allowed[c][b] = e.seeds[c][b]; e.seeds[c][b] {
				count--
			} else if g > 0 {
				list = append(list, &cut{c, b, g})
			}
		}
	}
	slices.SortStableFunc(list, byGain)
	for _, k := range list[:max(0, min(count, len(list)))] {
		e.allowed[k.column][k.bin] = true
	}
}

// cuts returns the cuts that are allowed.
func (e *ensemble) cuts() [][]int {
	lists := make([][]int, len(e.columns))
	for c, allowed := range e.allowed {
		for b, ok := range allowed {
			if ok && !e.columns[c].Free {
				lists[c] = append(lists[c], b)
			}
		}
	}
	return lists
}
