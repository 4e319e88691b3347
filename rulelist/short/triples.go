package short

import (
	"slices"

	"parcorels/bitvec"
)

// allTriples looks at all lists of three rules.
func (c *table[T]) allTriples() bool {
	if c.fits(c.n) {
		c.rankAll()
		return c.triples()
	}
	step := max(1, int(c.s.o.Memory/c.rowBytes())) // second rules whose rows fit
	c.takeRows(min(step, c.n))
	for from := 0; from < c.n; from += step {
		c.strip = [2]int{from, min(from+step, c.n)}
		c.s.each(c.strip[1]-from, func() func(int) {
			x := c.costs.NewCounts(c.width)
			return func(i int) { c.row(x, c.columns[from+i], 0, c.kept(from+i)) }
		})
		if !c.triples() {
			return false
		}
	}
	return true
}

// rankAll ranks all conditions outside each, if the memory allows.
func (c *table[T]) rankAll() {
	pairs := c.classes * c.classes
	if len(c.prefix) > 0 || int64(c.n)*(c.rowBytes()+int64(pairs)*int64(2*c.n+rankingSize)) > c.s.o.Memory {
		return
	}
	all := make([]int32, c.n)
	for v := range all {
		all[v] = int32(v)
	}
	c.ranks = make([]ranking, c.n*pairs)
	c.s.each(c.n, func() func(int) {
		d := make([]T, c.n)
		return func(t int) {
			row := c.kept(t)
			for at := range pairs {
				if q, r := at/c.classes, at%c.classes; q != r {
					c.outside(d, row, q, r)
					rank(&c.ranks[t*pairs+at], all, d)
				}
			}
		}
	})
}

// triples looks at those whose second rule is in the strip.
func (c *table[T]) triples() bool {
	if c.most == nil { // of a strip before, nothing is read again
		c.most = make([][]T, c.classes*c.classes)
		for i := range c.most {
			c.most[i] = make([]T, c.n)
		}
	}
	c.s.each(c.strip[1]-c.strip[0], func() func(int) {
		d := make([]T, c.n)
		return func(i int) {
			t := c.strip[0] + i
			for at, most := range c.most {
				if q, r := at/c.classes, at%c.classes; q != r {
					c.outside(d, c.kept(t), q, r)
					most[t] = slices.Max(d)
				}
			}
		}
	})
	return c.s.eachFirst(3, c.n, func() func(int) {
		row, w := c.rowOf(), newThird(c)
		return func(s int) {
			if w.begin(s, row) {
				w.seconds()
			}
		}
	})
}

// third looks at the lists of three rules with one first rule. It belongs to a worker.
type third[T count] struct {
	c      *table[T]
	s      int
	row    []T // of s
	need   int64
	least  int64     // what a rule behind s must get right
	gains  []T       // of the conditions behind s, class by class
	right  []int64   // of the conditions behind s
	label  []uint16  // likewise
	two    []int64   // what is right of s, the condition and a default
	among  []int32   // conditions that may follow
	left   []int64   // of what s leaves, by class
	most   []int64   // by two classes, the largest D behind s
	order  []ranking // by two classes, of these by D behind s; empty: not ranked
	d      []T       // of these
	bounds bitvec.Thirds[T]
	likely []uint16
	set    []uint64
	counts []int64
}

// second is a second rule, with the labels of the third rule and the default.
type second struct {
	t, q, r int
	ask     int64 // D that the third rule must have in what is left
}

func newThird[T count](c *table[T]) *third[T] {
	pairs := c.classes * c.classes
	return &third[T]{
		c: c, gains: make([]T, c.size()), right: make([]int64, c.n), label: make([]uint16, c.n), two: make([]int64, c.n),
		left: make([]int64, c.classes), most: make([]int64, pairs), order: make([]ranking, pairs), d: make([]T, c.n),
		set: make([]uint64, len(c.all)), counts: make([]int64, c.classes),
	}
}

// begin counts what is behind a first rule. It reports whether there is anything to look at.
func (w *third[T]) begin(s int, rowOf func(int) []T) bool {
	c := w.c
	w.s, w.need = s, c.need(3, s)
	if c.right1[s] < w.need-c.best || c.late(s) {
		return false
	}
	w.row = rowOf(s)
	c.prefixes.Add(1)
	for i := range w.order {
		w.order[i].list = w.order[i].list[:0]
	}
	for q, all := range c.gains {
		w.left[q] = all - int64(c.single[q*c.width+s])
		single, row, to := c.single[q*c.width:][:c.n], w.row[q*c.width:][:c.n], w.gains[q*c.width:][:c.n]
		for t, g := range single {
			to[t] = g - row[t]
		}
	}
	w.least = w.need - c.rest[s] // argument 2, behind s
	w.among = w.among[:0]
	for t := range c.n {
		right, rest, label := int64(-1), int64(0), 0
		for q, l := range w.left {
			g := int64(w.gains[q*c.width+t])
			if g > right {
				right, label = g, q
			}
			rest = max(rest, l-g)
		}
		w.right[t], w.label[t], w.two[t] = right, uint16(label), c.right1[s]+right+rest
		if right >= w.least && right >= 1 && t != s {
			w.among = append(w.among, int32(t))
		}
	}
	for q := range c.classes {
		for r := range c.classes {
			most := -c.s.total
			mine, other := w.gains[q*c.width:][:c.n], w.gains[r*c.width:][:c.n]
			for _, v := range w.among {
				most = max(most, int64(mine[v]-other[v]))
			}
			w.most[q*c.classes+r] = most
		}
	}
	return len(w.among) > 1
}

// late reports whether s comes before its turn behind the prefix (argument 5).
func (c *table[T]) late(s int) bool {
	return len(c.prefix) > 0 && int(c.label1[s]) == c.label && c.names[s] < c.prefix[len(c.prefix)-1]
}

// seconds looks for third rules behind the second rules that leave room for one.
func (w *third[T]) seconds() {
	c, s := w.c, w.s
	first := c.right1[s]
	for _, t := range w.among {
		if int(t) < c.strip[0] || int(t) >= c.strip[1] {
			continue
		}
		lost := first // argument 3: what is lost without s
		if w.label[t] == c.label1[s] {
			if c.names[t] < c.names[s] {
				continue
			}
			lost -= int64(w.row[int(w.label[t])*c.width+int(t)])
		}
		if c.rest[t]+lost < w.need || c.names[t] < c.names[s] && w.apart(t) {
			continue
		}
		have := first + w.right[t]
		for r, l := range w.left {
			other := int64(w.gains[r*c.width+int(t)])
			outside := int64(c.single[r*c.width+s] - w.row[r*c.width+int(t)])
			ask := w.need - have - (l - other)
			for q, mine := range w.left {
				at := q*c.classes + r
				if q == r || mine-int64(w.gains[q*c.width+int(t)]) < ask || w.most[at]+other < ask || int64(c.most[at][t])+outside < ask {
					continue
				}
				w.last(second{int(t), q, r, ask})
			}
		}
	}
}

// apart reports whether no point gains in both s and t.
func (w *third[T]) apart(t int32) bool {
	for q := range w.c.classes {
		if w.row[q*w.c.width+int(t)] != 0 {
			return false
		}
	}
	return true
}

// kernelPays is how many conditions a kernel looks at while one of a list is looked at.
const kernelPays = 64

// last looks for the third rule behind s and a second one (argument 4), among those that have
// most outside s, or outside t, whichever are fewer.
func (w *third[T]) last(x second) {
	list := w.few(x)
	if len(list) == 0 {
		return
	}
	c, s, t, q, r := w.c, w.s, x.t, x.q*w.c.width, x.r*w.c.width
	row, b := c.kept(t), &w.bounds
	b.InQ, b.InR, b.MineQ, b.MineR = row[q:][:c.n], row[r:][:c.n], w.row[q:][:c.n], w.row[r:][:c.n]
	b.AllQ, b.AllR, b.GainQ, b.GainR = c.single[q:][:c.n], c.single[r:][:c.n], w.gains[q:][:c.n], w.gains[r:][:c.n]
	b.BothQ, b.Outside, b.Other, b.Ask = b.MineQ[t], b.AllR[s]-b.MineR[t], b.GainR[t], T(x.ask)
	likely, fast := w.likely[:0], false
	if len(list) > c.n/kernelPays {
		likely, fast = b.All(likely)
	}
	if !fast {
		likely = b.Among(list, likely)
	}
	w.likely = likely
	need, ordered, begun := w.need-w.right[t], int(w.label[t]) == x.q, false
	for _, v := range likely {
		lost := need
		if ordered { // argument 3
			lost += int64(b.InQ[v] - min(b.MineQ[v], b.InQ[v], b.BothQ))
		}
		if w.two[v] < lost || w.right[v] < w.least || ordered && c.names[v] < c.names[t] || int(v) == t || int(v) == s {
			continue
		}
		if !begun {
			begun = true
			bitvec.AndNot(w.set, c.all, c.columns[s])
			bitvec.AndNot(w.set, w.set, c.columns[t])
		}
		c.costs.Gain(w.counts, w.set, c.columns[v])
		if w.counts[x.q]-w.counts[x.r] >= x.ask {
			w.offer(t, int(v))
		}
	}
}

// few returns the conditions that may have enough outside s, or outside t, whichever are fewer.
func (w *third[T]) few(x second) []uint16 {
	c, at := w.c, x.q*w.c.classes+x.r
	q, r := x.q*c.width, x.r*c.width
	order := &w.order[at]
	if len(order.list) == 0 {
		for i, v := range w.among {
			w.d[i] = w.gains[q+int(v)] - w.gains[r+int(v)]
		}
		rank(order, w.among, w.d)
	}
	list := order.upTo(x.ask - int64(w.gains[r+x.t]))
	if c.ranks != nil && len(list) > 0 {
		if other := c.ranks[x.t*len(w.order)+at].upTo(x.ask - int64(c.single[r+w.s]-w.row[r+x.t])); len(other) < len(list) {
			return other
		}
	}
	return list
}

// offer offers the list of s, t and v, whose gains in what is left are in counts.
func (w *third[T]) offer(t, v int) {
	var rest int64
	for r, l := range w.left {
		rest = max(rest, l-int64(w.gains[r*w.c.width+t])-w.counts[r])
	}
	w.c.offer(w.c.right1[w.s]+w.right[t]+slices.Max(w.counts)+rest, w.s, t, v)
}
