package graph

import (
	"cmp"
	"slices"

	"parcorels/bitvec"
	"parcorels/costs"
)

// V(u) is the least cost of a model of the points u: an end, or a split with a model on both sides. Every end costs
// P and what it gets wrong, also the default of a list: base has P less for lists. A set of points belongs to the graph if
// it has room for V.
//
// V(u) = min(end(u), min over s of V(s∩u) + V(u∖s)); of a list the side of s∩u is an end. All of the
// following is about V alone, not about paths, so what costs no less may be left out: a rule of a list that
// gains at most P (the deletion argument), a split with one side that costs nothing, and any s of which a
// lower bound says that it is no better than what is known.
//
// The bound of a side is the larger of
//
//   - its end or, if less, 2P: either it ends, or there are two ends;
//   - of a list P and the weights of the inequalities that s leaves alone (weights.go), for all s at once.
//
// A set that costs nothing plays no part: V depends on the points that cost something.

// frame is the work space of value at one depth.
type frame struct {
	u         []uint64 // costWords
	alive     []uint64 // inequalities, all points of which are left
	sum       int64    // of their weights
	left      bitvec.Program
	counts    *costs.Counts // of the columns in u
	hit, zero []int64       // weights that a column touches
	list      []candidate
	order     []int32 // places in list: numbers are sorted by code that is there
}

// candidate is a split with lower bounds of both sides together, and of the side with the antecedent.
type candidate struct {
	bound, first int64
	column       int32
}

func (w *worker) frame(depth int) *frame {
	for len(w.frames) <= depth {
		n := padded(w.matrix)
		f := &frame{
			u: make([]uint64, w.costWords), alive: make([]uint64, w.weights.words),
			counts: w.table.NewCounts(n), hit: make([]int64, n), zero: make([]int64, n),
		}
		w.frames = append(w.frames, f)
	}
	return w.frames[depth]
}

// lay makes the first frame of a set, with all that is counted of it.
func (w *worker) lay(set []uint64) *frame {
	f := w.frame(0)
	copy(f.u, set)
	w.weights.within(f)
	w.weigh(f)
	w.count(f, w.matrix.Blocks())
	return f
}

// weigh finds what all points of a frame gain, and returns what the best end costs.
func (w *worker) weigh(f *frame) (end int64) {
	x := f.counts
	x.Total = w.gain(x.All, f.u)
	return w.Price + w.unit*(x.Total-slices.Max(x.All))
}

// count finds the gains of the columns of the first blocks.
func (w *worker) count(f *frame, blocks int) {
	w.weights.count(f, blocks)
	f.counts.Count(f.u, func(prog *bitvec.Program, g1, g0 []int64) bool {
		w.matrix.Count(prog, 0, blocks, g1, g0)
		return true
	})
}

// way is a split, and what its sides cost at least.
type way struct{ wrong, gain, first, second int64 }

func (w *worker) way(f *frame, s int) (y way) {
	x := f.counts.Column(s)
	y.wrong, y.gain = x.Errors, x.Cost-x.Errors
	if y.first = w.Price + w.unit*y.wrong; w.Trees {
		y.first = min(y.first, 2*w.Price)
	}
	y.second = w.Price + max(min(w.Price, w.unit*x.Stop), w.weights.bound(f.sum-f.hit[s]))
	return y
}

// side makes the frame of one side of a split, and returns its key.
func (w *worker) side(depth int, f *frame, s int, with bool, level int32) bitvec.Key {
	child, without := w.frame(depth), 1
	if with {
		without = 0
	}
	key := w.costHash.AndNotHash(child.u, f.u, w.outside[without][s])
	w.weights.leave(child, f, s)
	return leveled(key, level)
}

// value returns V of the set of w.frame(depth) and true if it is at most room, and else a lower
// bound above room. The frame has u, alive and sum; key is that of u and the level, how many splits may follow.
func (w *worker) value(depth int, level int32, key bitvec.Key, room int64) (int64, bool) {
	f, trees, unit, price, weights := w.frames[depth], w.Trees, w.unit, w.Price, w.weights
	end := w.weigh(f)
	if end <= 2*price || level == 0 {
		return end, end <= room
	}
	if room < 2*price {
		return 2 * price, false
	}
	if b := w.memo.Find(key); b != 0 {
		if v := b.value(); b.exact() || v > room {
			return v, v <= room
		}
	}
	if low := price + weights.bound(f.sum); low > room {
		return low, false
	}
	w.nodes++
	if w.nodes%256 == 0 {
		w.seen.Store(w.nodes)
		if w.halted() {
			return room + 1, false // the attempt is given up, and the memo is not told
		}
	}
	best, low, idle := end, int64(none), price
	if trees {
		idle = 0
	}
	w.count(f, w.liveBlocks)
	f.list, f.order = f.list[:0], f.order[:0]
	for s := range w.live {
		x := f.counts.Column(s)
		if unit*(x.Cost-x.Errors) <= idle {
			continue
		}
		with, without := price+unit*x.Errors, price+unit*x.Stop
		best = min(best, with+without)
		first, second := with, without
		if trees {
			first = min(with, 2*price)
		}
		if without > 2*price {
			second = price + max(price, weights.bound(f.sum-f.hit[s]))
		} else if first == with {
			continue // both sides end
		}
		b := first + second
		if b > room || b >= best {
			low = min(low, b)
			continue
		}
		f.order = append(f.order, int32(len(f.list)))
		f.list = append(f.list, candidate{b, first, int32(s)})
	}
	slices.SortFunc(f.order, func(a, b int32) int { return cmp.Or(cmp.Compare(f.list[a].bound, f.list[b].bound), int(a-b)) })
	next := below(level)
	for _, i := range f.order {
		c := f.list[i]
		limit := min(best-1, room)
		if c.bound > limit {
			low = min(low, c.bound)
			break // and so are those behind it
		}
		with, ok := c.first, true
		if trees {
			if !splits(f.u, w.columns[c.column]) {
				continue
			}
			second := c.bound - c.first
			if with, ok = w.value(depth+1, next, w.side(depth+1, f, int(c.column), true, next), limit-second); !ok {
				low = min(low, with+second)
			}
		}
		if ok {
			var without int64
			without, ok = w.value(depth+1, next, w.side(depth+1, f, int(c.column), false, next), limit-with)
			if ok {
				best = with + without
			} else {
				low = min(low, with+without)
			}
		}
		if w.stopped.Load() {
			return room + 1, false
		}
	}
	v := min(best, low)
	w.claim = newBound(v, v == best)
	if w.forgot.offer(w.memo, key, &w.claim) {
		w.stopped.Store(true)
	}
	return v, v == best && v <= room
}
