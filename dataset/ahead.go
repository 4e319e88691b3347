package dataset

import "math"

// Columns come one behind the other, and columns of many numbers take up to 8 bytes a cell. If labels and weights
// come first, such a column is asked about (guessing.go) as soon as it is filled: then a byte a cell is left, and
// the cells are let go of before the next column comes.

// labelAhead makes labels and weights of d, whose cells are all read, and returns what asks about the columns that follow.
// It is nil where cells are needed later, and where labels or weights have an error, which finish reports.
func (r *reading) labelAhead(d *Dataset) *guessing {
	if r.keeps() || r.o.DropMissing || r.o.DropUnlabelled || r.o.Chosen != nil || !r.o.byLabel() {
		return nil
	}
	target := r.columns[r.targetAt]
	target.count()
	d.N = r.rows
	b := newBuilder(r.name, r.o, nil, r.rows) // without the columns that are still filled
	if r.label(d, b, target) != nil {
		return nil
	}
	b.columns = r.columns
	r.labelled, r.weights = true, nil
	r.asking = newGuessing(b, d, nil, d.Weights)
	return r.asking
}

// askAhead asks about a column that is filled if it is cut, and lets go of its cells. Of a sample, codes of a byte stay.
func (g *guessing) askAhead(c *column) {
	if g == nil || c == nil || c.coded { // coded: parts of dates are made of it
		return
	}
	b := g.b
	if g.all != nil {
		b = g.all
	}
	b.chooseKind(c)
	if !b.isCut(c) || c.floats == nil && (g.all != nil && len(c.texts) <= 1<<8 || len(b.levels(c)) <= mostCodes) {
		return
	}
	var q *question
	if g.all == nil {
		if q = g.numbers(c); q != nil {
			q.keepParts()
		}
	} else {
		some := c.within(g.rows)
		if q = g.numbers(some); q != nil {
			q.keepBins(c, b)
		}
		some.letGo()
	}
	if q != nil {
		c.letGo()
		c.asked = q
	}
}

// keepBins keeps the bins of all cells of a column, of which the question knows a sample.
func (q *question) keepBins(c *column, b *builder) {
	k := &cutParts{bins: make([]uint8, 0, b.n), begins: q.candidates.begins(b.o.Numeric == Intervals)}
	r := newRuler(k.begins)
	q.cutParts = k
	if c.floats == nil {
		of := make([]uint32, len(c.texts))
		r.measure(of, c.numbers)
		for _, codes := range c.codes.Blocks() {
			for _, code := range codes {
				k.bins = append(k.bins, uint8(of[code]))
			}
		}
		return
	}
	for _, values := range c.floats.Blocks() {
		for _, v := range values {
			k.bins = append(k.bins, uint8(r.find(v)))
		}
	}
}

// begins returns for each candidate where the numbers above it begin, ascending.
func (k *candidates) begins(intervals bool) []float64 {
	all := make([]int, len(k.beside))
	for i := range all {
		all[i] = i
	}
	v := k.chosen(all)
	if intervals {
		return v.begin
	}
	for i, atMost := range v.atMost {
		v.atMost[i] = above(atMost)
	}
	return v.atMost
}

// above returns the least number above v.
func above(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

// ofBins is words of cells whose bins are kept.
func (k *cutParts) ofBins(p *parts, n int) [][]uint64 {
	words := make([][]uint64, p.n+1) // by part + 1
	for i := range words {
		words[i] = make([]uint64, (n+63)/64)
	}
	var to [1 << 8]int
	for bin := range len(k.begins) {
		to[bin+1] = interval(p.cuts, k.begins[bin])
	}
	to[len(k.begins)+1] = p.missing
	for i, bin := range k.bins {
		words[to[bin]+1][i/64] |= 1 << (i & 63)
	}
	k.bins = nil
	return words[1:]
}
