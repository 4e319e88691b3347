package separation

import "math/bits"

// Node bounds prefixes behind the root, one after the other, from the root's
// solution. Each worker has one of its own.
//
// The sets of the root that a prefix leaves whole keep their inequalities. The first
// bound is that of a dual ascent over them (ascent.go), which takes no LP at all; an
// LP may start from its weights.
type Node struct {
	relaxation
	Context Context // of the prefix at hand

	ascent ascent

	root  *Root
	y     []float64 // by set, where to start from
	v     [2][]float64
	sets  []int32
	touch []int64
	any   []uint64

	improved bool // the bound is that of an LP of the prefix at hand
}

// NewNode returns a Node with a pool of its own that begins with the root's.
func (r *Root) NewNode() *Node {
	n := &Node{root: r}
	n.P, n.Pool, n.chained = r.P, r.Pool.clone(), r.chained
	if n.chained {
		n.shift = r.P.settledShift()
	}
	n.sep = separator{p: r.P, l: n.Pool}
	n.y = append(n.y, r.y...)
	n.v = [2][]float64{make([]float64, 2*len(r.P.Columns)), make([]float64, len(r.P.cost))}
	for v, name := range r.s.name {
		n.v[r.s.kind(v)][name] = r.s.bestV[v]
	}
	for q := range n.Context.Live {
		n.Context.Live[q] = make([]uint64, r.P.width)
	}
	n.touch = make([]int64, len(r.P.Columns))
	n.any = make([]uint64, r.P.width)
	r.planned.Do(func() { r.plan = r.newPlan() })
	n.ascent = newAscent(r.plan)
	return n
}

// NodeBytes is about the memory that a Node takes to begin with.
func (r *Root) NodeBytes() int64 { return r.bytes() + r.ascentBytes() }

// PlanBytes is about the memory of what all Nodes share.
func (r *Root) PlanBytes() int64 {
	sets := int64(min(r.Pool.Len(), mostSets))
	points := int64(len(r.Pool.members)) / int64(max(r.Pool.Len(), 1))
	return sets*(int64(r.Context.Rules()+63)/64*8+16+8*points+int64(len(r.P.Columns))/8) + int64(len(r.P.cost))*8
}

// ascentBytes is about the memory of the ascents of one Node.
func (r *Root) ascentBytes() int64 {
	return int64(min(r.Pool.Len(), mostSets))*9 + int64(len(r.P.cost))*4
}

// Bytes is about the memory that it takes at present.
func (n *Node) Bytes() int64 { return n.bytes() + n.root.ascentBytes() }

// Begin takes a prefix: its columns, what they leave, and the rules of either label that a
// completion may use beside those that the root lost. It bounds it, but by no more
// than what exceeds room, and returns the work.
func (n *Node) Begin(prefix []uint16, left []uint64, live func(label, word int) uint64, room int64) int64 {
	c := &n.Context
	c.Left = append(c.Left[:0], left...)
	for q := range c.Live {
		for i, root := range n.root.Context.Live[q] {
			c.Live[q][i] = root & live(q, i)
		}
	}
	a := &n.ascent
	a.work = 0
	a.run(c, prefix, room>>a.shift)
	n.Value = a.value << a.shift
	n.Weights, n.links = a.weights(n.Weights[:0]), n.links[:0]
	n.improved = false
	return a.work
}

// Improve runs the LP for so many rounds of steps, until the bound exceeds
// room. It returns the work.
func (n *Node) Improve(room int64, rounds, steps int) int64 {
	s := &n.s
	before := s.work
	n.improved = true
	n.gather()
	n.resume()
	for round := range rounds {
		last := n.Value
		for i := 0; i < steps; i += 25 {
			s.advance(25)
			if s.bestValue*float64(n.P.rule) > float64(room) {
				break
			}
		}
		n.take(&n.Context)
		n.fix(&n.Context, room, false)
		if n.Value > room || round > 0 && n.Value-last < (room-n.Value)/32 || round == rounds-1 {
			break
		}
		fresh := n.sep.find(&n.Context, &s.lp, s.next.v, 100)
		s.work += n.sep.looked
		if len(fresh) == 0 && round > 0 {
			break
		}
		n.keep()
		n.sets = append(n.sets, fresh...)
		n.resume()
	}
	return s.work - before
}

// gather finds the sets that the prefix leaves whole, and starts from the weights of
// the ascent.
func (n *Node) gather() {
	n.sets = n.sets[:0]
	clear(n.y)
	for k := range int32(n.Pool.Len()) {
		if n.Context.has(n.Pool.Set(k)) {
			n.sets = append(n.sets, k)
		}
	}
	for _, w := range n.Weights {
		n.y[w.Set] = float64(w.Y) / float64(n.P.rule)
	}
}

// resume makes the LP of the prefix, from the values that are kept.
func (n *Node) resume() {
	s := &n.s
	for len(n.y) < n.Pool.Len() {
		n.y = append(n.y, 0)
	}
	s.weight = max(s.weight, n.root.s.weight)
	s.build(n.P, &n.Context, n.Pool, n.sets)
	s.now.resize(len(s.name), len(s.sets))
	for v, name := range s.name {
		s.now.v[v] = min(1, max(0, n.v[s.kind(v)][name])) // a step reflects it to where it may not be
	}
	for i, k := range s.sets {
		s.now.y[i] = n.y[k]
	}
	s.steps = 0
	s.work += int64(4*s.entries() + 8*len(s.name))
	s.start()
}

// keep makes the present point the one to start from.
func (n *Node) keep() {
	s := &n.s
	for v, name := range s.name {
		n.v[s.kind(v)][name] = s.now.v[v]
	}
	for i, k := range s.sets {
		n.y[k] = s.now.y[i]
	}
}

// Children prepares Child: it adds up, for each column, the weights of the sets
// that the column touches.
//
// A child keeps the inequalities of the sets that its rule does not touch. With
// the same weights on those, all loads are at most the parent's, and so are the
// penalties; those of the rule itself, and of the points that it captures, are
// gone altogether.
func (n *Node) Children(room int64) {
	p := n.P
	if !n.improved {
		a := &n.ascent
		if !a.touches(&n.Context, n.any) {
			n.Value = 0
		}
		a.fix(&n.Context, (room-n.Value)>>a.shift)
		return
	}
	n.P.Evaluate(&n.Bound, &n.Context, n.Pool, n.Weights)
	clear(n.touch)
	if n.Bound.Value == 0 {
		return
	}
	for _, w := range n.Weights {
		if w.Y > 0 && n.Context.has(n.Pool.Set(w.Set)) {
			clear(n.any)
			for _, e := range n.Pool.Set(w.Set) {
				for i, x := range p.row(e) {
					n.any[i] |= x
				}
			}
			n.spread(n.any, w.Y)
		}
	}
	for _, e := range n.Bound.touched {
		if x := n.Bound.points[e] - p.pointCost(e); x > 0 {
			n.spread(p.row(e), -x)
		}
	}
}

func (n *Node) spread(columns []uint64, y int64) {
	for i, m := range columns {
		for m &= n.Context.Live[0][i] | n.Context.Live[1][i]; m != 0; m &= m - 1 {
			n.touch[i*64+bits.TrailingZeros64(m)] += y
		}
	}
}

// Child returns a bound on what completions cost beyond the child that a column
// makes, of which a rule is live.
func (n *Node) Child(col int) int64 {
	if !n.improved {
		return max(0, n.Value-n.ascent.touched(col)<<n.ascent.shift)
	}
	b, p := &n.Bound, n.P
	value := b.Value - n.touch[col]
	for q := range 2 {
		value += max(0, b.rules[2*col+q]-p.rule)
	}
	return max(0, value)
}

// IsLive reports whether a completion of the prefix at hand may use a rule.
func (n *Node) IsLive(col int, label bool) bool {
	rule := 2 * col
	if label {
		rule++
	}
	return n.Context.IsLive(rule)
}
