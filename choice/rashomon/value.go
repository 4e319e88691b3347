package rashomon

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
)

// V(u) is the least cost of completing a list of which the points u are left, whatever the
// completion: a default, or rules before it. A set of points belongs to the graph if a prefix that
// reaches it and V together stay within the threshold.
//
// V(u) = min(stop(u), min over s of P + g(s∩u) + V(u∖s)), with g the cost of the cheaper
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
	g1, g0     []int64
	hit, zero  []int64 // weights that a column touches
	list       []candidate
}

type candidate struct {
	bound, cost int64 // of a list by this way; of the rule
	column      int32
}

func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		n := padded(w.matrix)
		w.frames = append(w.frames, &frame{
			u: make([]uint64, w.costWords), alive: make([]uint64, w.weights.words),
			g1: make([]int64, n), g0: make([]int64, n), hit: make([]int64, n), zero: make([]int64, n),
		})
	}
	return w.frames[depth]
}

// value returns V of the set of w.frame(depth) and true if it is at most room, and else a lower
// bound above room. The frame has u, alive and sum; key is that of u.
func (w *worker) value(depth int, key bitvec.Key, room int64) (int64, bool) {
	f := w.frames[depth]
	all1, all0 := w.planes.Cost(f.u)
	stop := w.unit * min(all1, all0)
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
	w.planes.Compile(&f.prog, f.u)
	w.matrix.Count(&f.prog, 0, w.liveBlocks, f.g1, f.g0)
	w.weights.count(f, w.liveBlocks)
	f.list = f.list[:0]
	low := int64(none)
	for s := range w.live {
		g1, g0 := f.g1[s], f.g0[s]
		wrong, gain := w.unit*min(g1, g0), w.unit*max(g1, g0)
		if gain <= w.Price {
			continue
		}
		cost := w.Price + wrong
		after := w.unit * min(all1-g1, all0-g0)
		best = min(best, cost+after)
		if after <= w.Price {
			continue // V of the child is to stop
		}
		b := cost + max(w.Price, w.weights.bound(f.sum-f.hit[s]))
		if b > room || b >= best {
			low = min(low, b)
			continue
		}
		f.list = append(f.list, candidate{b, cost, int32(s)})
	}
	slices.SortFunc(f.list, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.bound, b.bound), int(a.column-b.column)) })
	for _, c := range f.list {
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
	w.remember(key, v, v == best)
	return v, v == best && v <= room
}
