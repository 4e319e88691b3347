package cuts

import (
	"math"
	"math/bits"
	"slices"

	"parcorels/loop"
)

// A split must gain mostNoise times what a sample loses on average, or less: of m
// cuts of noise the best one gains about 2·ln m times that. Cuts that gain less say
// nothing, and would only make the search for a model longer. Small tables are
// allowed less: a share of 1/gainShare of all.
const (
	mostNoise = 20
	gainShare = 10
)

// choose allows as many cuts as the budget has, and no others. With all, each column keeps the cut that tells most.
func (e *ensemble) choose(budget int, all bool) {
	e.seed(budget, all)
	// The first ensemble takes what it likes, the second one of twice as many
	// cuts as there may be in the end: neighbours that did the same work are
	// one cut then, and gain what both did.
	e.boost()
	e.keep(2 * budget)
	e.boost()
	e.keep(budget)
}

func newEnsemble(columns []binned, classes []uint8, k int, weights, counts []int64) *ensemble {
	e := &ensemble{columns: columns, labels: classes, k: k, counts: counts, rows: len(classes)}
	if counts != nil {
		e.rows = int(sum(counts))
	}
	e.weights, e.total = scaled(weights, counts, len(classes))
	for _, c := range columns {
		cuts := max(0, c.Ordered-1)
		e.first = append(e.first, e.bins)
		e.bins += c.N
		e.candidates += cuts
		e.boundaries = append(e.boundaries, slices.Repeat([]boundary{{allowed: true}}, cuts))
	}
	e.balances()
	return e
}

// balances weighs the classes in each bin, and finds the balance of each cut.
func (e *ensemble) balances() {
	e.classes = make([][][]int64, len(e.columns))
	loop.Parallel(len(e.columns), func(c int) {
		column := e.columns[c]
		classes := make([]int64, column.N*e.k)
		for i, b := range column.Bins {
			classes[int(b)*e.k+int(e.labels[i])] += e.weight(i)
		}
		e.classes[c] = slices.AppendSeq(make([][]int64, 0, column.N), slices.Chunk(classes, e.k))
		var all, below int64
		for _, w := range e.classes[c][:column.Ordered] {
			all += sum(w)
		}
		for b := range e.boundaries[c] {
			below += sum(e.classes[c][b])
			e.boundaries[c][b].balance = min(below, all-below)
		}
	})
}

// scaled divides weights by a power of two, so that sums of residuals fit into
// 63 bits, and returns the total. They stay multiples of the counts, if there are any.
func scaled(weights, counts []int64, n int) (small []int64, total int64) {
	switch {
	case weights == nil && counts == nil:
		return nil, int64(n)
	case weights == nil:
		return counts, sum(counts)
	}
	shift := max(0, bits.Len64(uint64(sum(weights)))-40)
	small = make([]int64, n)
	for i, w := range weights {
		times := at(counts, i)
		small[i] = times * max(1, w/times>>shift)
		total += small[i]
	}
	return small, total
}

// boost grows new ensembles, of each class against the others, and adds up what the
// cuts gain by them. For two classes one ensemble says it all.
func (e *ensemble) boost() {
	e.used = nil
	for c := range e.columns {
		isAllowed := func(b boundary) bool { return b.allowed }
		if slices.ContainsFunc(e.boundaries[c], isAllowed) || slices.ContainsFunc(e.classes[c][e.columns[c].Ordered:], e.canBeLeaf) {
			e.used = append(e.used, c)
		}
	}
	e.found = make([]split, len(e.used))
	e.root, e.spare = nil, nil
	for class := range e.k {
		if e.k == 2 && class == 1 {
			break
		}
		e.class = uint8(class)
		e.each(func(b *boundary) { b.gain = 0 })
		e.boostClass()
		e.each(func(b *boundary) { b.gains = append(b.gains, b.gain) })
	}
	e.each(func(b *boundary) {
		slices.Sort(b.gains) // so that the sum does not depend on the order of classes
		b.summed = 0
		for _, g := range b.gains {
			b.summed += g
		}
		b.gains = b.gains[:0]
	})
}

// canBeLeaf reports whether a bin, with the weights of its classes, is heavy enough for a leaf.
func (e *ensemble) canBeLeaf(weights []int64) bool { return sum(weights)*leafShare >= e.total }

// boostClass grows the trees of a class.
func (e *ensemble) boostClass() {
	e.root = nil
	if len(e.used) == 0 || !e.begin() {
		return
	}
	factor := min(mostNoise, float64(e.rows)/gainShare, 2*logarithm(e.candidates))
	for k := range trees {
		e.noise = factor * e.loss
		if !e.grow(k == trees-1) {
			return
		}
	}
}

// logarithm is about the natural logarithm of n, the same on all machines: between
// powers of 2 it is a straight line, which is at most .06 less.
func logarithm(n int) float64 {
	if n < 2 {
		return 0
	}
	whole := bits.Len(uint(n)) - 1
	part := float64(n)/float64(int(1)<<whole) - 1
	return float64(math.Ln2 * (float64(whole) + part))
}

// keep allows the count cuts that have gained most, and no other.
func (e *ensemble) keep(count int) {
	var list []*cut
	for c, boundaries := range e.boundaries {
		if e.columns[c].Free {
			continue
		}
		for i := range boundaries {
			b := &boundaries[i]
			if b.allowed = b.seed; b.seed {
				count--
			} else if b.summed > 0 {
				list = append(list, &cut{c, i, b.summed})
			}
		}
	}
	slices.SortStableFunc(list, byGain)
	for _, k := range list[:max(0, min(count, len(list)))] {
		e.boundaries[k.column][k.bin].allowed = true
	}
}

// cuts returns the cuts that are allowed.
func (e *ensemble) cuts() [][]int {
	lists := make([][]int, len(e.columns))
	for c, boundaries := range e.boundaries {
		for b, cut := range boundaries {
			if cut.allowed && !e.columns[c].Free {
				lists[c] = append(lists[c], b)
			}
		}
	}
	return lists
}

// atQuantiles allows the cuts that are nearest to the quantiles of so many parts, and no other.
func (e *ensemble) atQuantiles(parts int) {
	e.each(func(b *boundary) { b.allowed = false })
	for c, column := range e.columns {
		if column.Free || column.Ordered < 2 {
			continue
		}
		below, all := make([]int64, column.Ordered), int64(0)
		for b, w := range e.classes[c][:column.Ordered] {
			all += sum(w)
			below[b] = all
		}
		for k := 1; k < parts; k++ {
			nearest, best := 0, int64(math.MaxInt64)
			for b, w := range below[:column.Ordered-1] {
				if far := max(w*int64(parts)-all*int64(k), all*int64(k)-w*int64(parts)); far < best {
					nearest, best = b, far
				}
			}
			e.boundaries[c][nearest].allowed = true
		}
	}
}
