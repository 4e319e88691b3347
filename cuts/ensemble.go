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
	e := &ensemble{columns: columns, labels: classes, k: k, counts: counts, rows: int(Total(counts, len(classes)))}
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
		e.classes[c] = binWeights(column.N, e.k, e.labels, e.weights, column.Bins)
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
	if weights == nil {
		return nil, int64(n)
	}
	shift := max(0, bits.Len64(uint64(sum(weights)))-40)
	small = make([]int64, n)
	for i, w := range weights {
		times := At(counts, i)
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
		if k == 0 {
			e.arrange()
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

// begin sets the residuals to those of an ensemble without trees, the labels less
// their mean, and says whether both labels occur. For labels that are all but one
// alike, the residuals are small, and so is what noise gains. With 0 and 1 exchanged
// all residuals change their sign and no gain changes.
//
// They are kept in 32 bits: a step is at most 1/rate of the largest, so that
// after all trees none is above one·(1 + 1/rate)^trees, which is less than 2^29.
func (e *ensemble) begin() bool {
	if e.residuals == nil {
		e.residuals = make([]int32, len(e.labels))
		e.order, e.spareRows = make([]int32, len(e.labels)), make([]int32, len(e.labels))
	}
	var weight [2]int64
	var rows [2]int64
	for i, c := range e.labels {
		is := 0
		if c == e.class {
			is = 1
		}
		weight[is] += e.weight(i)
		rows[is] += e.count(i)
	}
	if rows[0] == 0 || rows[1] == 0 {
		return false
	}
	// A side has at least 2/(q(1−q)) = 2n²/(n0·n1) rows of average weight.
	n := float64(e.rows)
	e.least = max((e.total+leafShare-1)/leafShare, int64(math.Ceil(leafRows*float64(e.total)*n/float64(rows[0])/float64(rows[1]))))
	mean := int32(share(weight[1], e.total))
	if weight[1] > weight[0] {
		mean = one - int32(share(weight[0], e.total)) // both are rounded alike
	}
	squares := wide{}
	for i, c := range e.labels {
		r := -mean
		if c == e.class {
			r = one - mean
		}
		squares.add(int64(r)*e.weight(i), int64(r)*(e.weight(i)/e.count(i)))
		e.residuals[i] = r
	}
	e.setLoss(squares)
	return true
}

// share is part/whole in units of 1/one, rounded.
func share(part, whole int64) int64 { return (2*part*one + whole) / (2 * whole) }

// setLoss sets what noise gains from the sum of squares of weighted residuals.
func (e *ensemble) setLoss(squares wide) { e.loss = squares.float() / float64(e.total) }

// wide is a sum of squares in 128 bits, so that it depends on no order.
type wide struct{ high, low uint64 }

// add adds w·r·u·r, the squares of as many rows of weight u each as weigh w. As Σ w·r² never grows beyond 2^41·2^32 and
// w is less than 2^41, w·r is below 2^57.
func (s *wide) add(wr, ur int64) {
	high, low := bits.Mul64(uint64(max(wr, -wr)), uint64(max(ur, -ur)))
	var carry uint64
	s.low, carry = bits.Add64(s.low, low, 0)
	s.high += high + carry
}

func (s *wide) plus(t wide) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, t.low, 0)
	s.high += t.high + carry
}

func (s *wide) float() float64 { return float64(float64(s.high)*(1<<64)) + float64(s.low) }

// take takes the steps of leaves from the residuals of their samples.
func (e *ensemble) take(leaves []*node) {
	squares := make([]wide, len(leaves))
	loop.Parallel(len(leaves), func(k int) {
		step, plain := int32(leaves[k].step), uint64(0)
		for _, i := range leaves[k].rows {
			r := e.residuals[i] - step
			e.residuals[i] = r
			if e.weights == nil {
				plain += uint64(int64(r) * int64(r))
				continue
			}
			w := e.weight(int(i))
			squares[k].add(int64(r)*w, int64(r)*(w/e.count(int(i))))
		}
		squares[k].plus(wide{low: plain})
	})
	var all wide
	for _, s := range squares {
		all.plus(s)
	}
	e.setLoss(all)
}

// arrange puts the samples of each leaf of a tree side by side, as they are in order. Nodes of later trees are mostly made of
// such leaves, and a sum over samples that are scattered waits for memory. No choice depends on the order of samples.
func (e *ensemble) arrange() {
	loop.Parallel(len(e.columns), func(c int) { e.columns[c].Bins = Taken(e.columns[c].Bins, e.order) })
	e.labels, e.residuals = Taken(e.labels, e.order), Taken(e.residuals, e.order)
	e.weights, e.counts = Taken(e.weights, e.order), Taken(e.counts, e.order)
}

// Taken returns the values at some places, nil of nil.
func Taken[T any, I int | int32 | uint32 | uint16](values []T, at []I) []T {
	if values == nil {
		return nil
	}
	list := make([]T, len(at))
	for i, from := range at {
		list[i] = values[from]
	}
	return list
}
