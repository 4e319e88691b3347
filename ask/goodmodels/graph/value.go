package graph

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

// V(u) is the least cost of completing a list of which the points u are left, whatever the
// completion: a default, or rules before it. A set of points belongs to the graph if a prefix that
// reaches it and V together stay within the threshold.
//
// V(u) = min(stop(u), min over s of P + g(s∩u) + V(u∖s)), with g the cost of the cheapest
// label. All of the following is about V alone, not about paths, so what costs no less may be
// left out: a rule of label q that gains at most P (the deletion argument), and any s of which
// a lower bound says that it is no better than what is known.
//
// The bound of a child is the larger of
//
//   - P, if stopping there costs more: then a rule follows;
//   - the weights of the inequalities that s leaves alone (weights.go), for all s at once;
//   - V(u) − P − g(s∩u) by the definition, for an exact V(u).
//
// A set that costs nothing plays no part: V depends on the points that cost something.

// frame is the work space of value at one depth.
type frame struct {
	u          []uint64 // costWords
	alive      []uint64 // inequalities, all points of which are left
	sum        int64    // of their weights
	prog, left bitvec.Program
	most       int64     // what u costs at most
	all        []int64   // gains of u, by class
	gain       [][]int64 // by class and column
	cost       []int64   // by column, what it captures costs at most; nil of two classes, of which that is the sum of the gains
	hit, zero  []int64   // weights that a column touches
	list       []candidate
	order      []int32 // places in list: numbers are sorted by code that is there
}

type candidate struct {
	bound, cost int64 // of a list by this way; of the rule
	column      int32
}

func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		n := padded(w.matrix)
		f := &frame{
			u: make([]uint64, w.costWords), alive: make([]uint64, w.weights.words),
			all: make([]int64, w.classes), hit: make([]int64, n), zero: make([]int64, n),
		}
		for range w.classes {
			f.gain = append(f.gain, make([]int64, n))
		}
		if w.many != nil {
			f.cost = make([]int64, n)
		}
		w.frames = append(w.frames, f)
	}
	return w.frames[depth]
}

// weigh finds what all points of a frame gain, and returns what the best default costs.
func (w *worker) weigh(f *frame) (stop int64) {
	f.most = w.gain(f.all, f.u)
	return w.unit * (f.most - slices.Max(f.all))
}

// count finds the gains of the columns of the first blocks.
func (w *worker) count(f *frame, blocks int) {
	w.weights.count(f, blocks)
	if w.two != nil {
		w.two.Compile(&f.prog, f.u)
		w.matrix.Count(&f.prog, 0, blocks, f.gain[1], f.gain[0])
		return
	}
	clear(f.cost)
	if s := w.many.Surplus; s != nil {
		s.Compile(&f.prog, f.u)
		w.matrix.Count(&f.prog, 0, blocks, f.cost, f.zero)
	}
	for s := range f.cost {
		f.cost[s] = -f.cost[s]
	}
	for c, p := range w.many.Planes {
		p.Compile(&f.prog, f.u)
		w.matrix.Count(&f.prog, 0, blocks, f.gain[c], f.zero)
		for s, g := range f.gain[c] {
			f.cost[s] += g
		}
	}
}

// column returns what the best rule of a column gets wrong, what it gains, and what the best default
// behind it gets wrong, in units.
func (f *frame) column(s int) (wrong, gain, after int64) {
	if f.cost == nil {
		g1, g0 := f.gain[1][s], f.gain[0][s]
		return min(g1, g0), max(g1, g0), min(f.all[1]-g1, f.all[0]-g0)
	}
	return f.columnOfMany(s)
}

func (f *frame) columnOfMany(s int) (wrong, gain, after int64) {
	left := int64(0)
	for c, g := range f.gain {
		gain, left = max(gain, g[s]), max(left, f.all[c]-g[s])
	}
	return f.cost[s] - gain, gain, f.most - f.cost[s] - left
}

// value returns V of the set of w.frame(depth) and true if it is at most room, and else a lower
// bound above room. The frame has u, alive and sum; key is that of u.
func (w *worker) value(depth int, key bitvec.Key, room int64) (int64, bool) {
	f := w.frames[depth]
	stop := w.weigh(f)
	if stop <= w.Price {
		return stop, stop <= room
	}
	if room < w.Price {
		return w.Price, false
	}
	if b := w.memo.Find(key); b != 0 {
		if v := b.value(); b.exact() || v > room {
			return v, v <= room
		}
	}
	if low := w.weights.bound(f.sum); low > room {
		return low, false
	}
	w.nodes++
	if w.nodes%256 == 0 {
		w.seen.Store(w.nodes)
		if w.halted() {
			return room + 1, false // the attempt is given up, and the memo is not told
		}
	}
	best := stop
	w.count(f, w.liveBlocks)
	f.list, f.order = f.list[:0], f.order[:0]
	low := int64(none)
	// In line and with locals what column does of two classes: a tenth of the time of a build.
	two, unit, price, weights := w.two != nil, w.unit, w.Price, w.weights
	g1, g0, all1, all0 := f.gain[1], f.gain[0], f.all[1], f.all[0]
	for s := range w.live {
		wrong, gain, after := min(g1[s], g0[s]), max(g1[s], g0[s]), min(all1-g1[s], all0-g0[s])
		if !two {
			wrong, gain, after = f.column(s)
		}
		if unit*gain <= price {
			continue
		}
		cost := price + unit*wrong
		after *= unit
		best = min(best, cost+after)
		if after <= price {
			continue // V of the child is to stop
		}
		b := cost + max(price, weights.bound(f.sum-f.hit[s]))
		if b > room || b >= best {
			low = min(low, b)
			continue
		}
		f.order = append(f.order, int32(len(f.list)))
		f.list = append(f.list, candidate{b, cost, int32(s)})
	}
	slices.SortFunc(f.order, func(a, b int32) int { return cmp.Or(cmp.Compare(f.list[a].bound, f.list[b].bound), int(a-b)) })
	for _, i := range f.order {
		c := &f.list[i]
		limit := min(best-1, room)
		if c.bound > limit {
			low = min(low, c.bound)
			break // and so are those behind it
		}
		child := w.frame(depth + 1)
		key := w.costHash.AndNotHash(child.u, f.u, w.columns[c.column])
		w.weights.leave(child, f, int(c.column))
		v, ok := w.value(depth+1, key, limit-c.cost)
		if w.stopped.Load() {
			return room + 1, false
		}
		if ok {
			best = c.cost + v
		} else {
			low = min(low, c.cost+v)
		}
	}
	v := min(best, low)
	w.claim = newBound(v, v == best)
	if w.forgot.offer(w.memo, key, &w.claim) {
		w.stopped.Store(true)
	}
	return v, v == best && v <= room
}
