package search

import (
	"parcorels/bitvec"
	"parcorels/tree/price"
)

// The recursion over sets of points.
//
// The value of a set is that of its best tree: one leaf, or a split with the
// best trees of both sides. solve raises the lower bound of a set until it is
// exact or reaches a budget. What a count shows comes first:
//
//   - the best trees of up to two leaves of either side of every split, so
//     upper bounds on the set that no tree of up to three leaves is below;
//   - for each side the lower bound min(u, 3·price + cut, 4·price), u being its best
//     tree of up to two leaves. A tree of three leaves has one right below its first
//     split: this errs at least by cut, the least error as a leaf of all parts with
//     points that one feature cuts off the side. All others have four leaves or more;
//   - so a split whose sides' bounds add up to the set's upper bound or to the
//     budget is dropped.
//
// With levels left, a side that may not split is one leaf, and one that may
// split once is at most two leaves: both are exact. A side that may split twice has at most
// four leaves. It is exact once triples of features are counted, where bitvec can do that:
// so a set with three levels left is done at once.
//
// Then the split with the smallest sum of bounds is raised by a step, on the
// side with the smaller bound, and so on. Each side gets little more budget than
// its bound, never the whole slack: most splits fall by what both sides cost
// together, and a side that is searched to its end first would do all the work
// alone. At any moment the smallest sum over the splits that are left, those
// dropped included, is a lower bound, or else the upper bound is exact.

// solve raises the lower bound of the set of frame d until it is exact or
// reaches budget, and returns the bounds. They are valid also when the search
// was stopped.
func (w *worker) solve(d int, budget int64) (lower, upper int64) {
	fr := &w.frames[d]
	if lower, upper = w.cache.find(fr.key); lower == upper || lower >= budget {
		return lower, upper
	}
	fr.budget, fr.begun = budget, w.counted.Load()
	if w.shared && (d == 0 || w.frames[d-1].joint) {
		w.mark(fr)
	}
	begun := w.begin(d, &upper, budget)
	if begun {
		lower = max(lower, w.closeSplits(d, lower, &upper, budget))
	}
	fr = &w.frames[d]
	if fr.marked {
		fr.marked, fr.joint = false, false
		w.marks.of(fr.key).Add(-1)
	}
	if begun {
		w.cache.store(fr.key, lower, upper)
		if lower < upper {
			w.recent.keep(fr, upper)
		}
	}
	return lower, upper
}

// begin lists the open splits of the set, as they were left not long ago or as a
// count shows them, and lowers upper to what they show. It returns false when the
// search was stopped.
func (w *worker) begin(d int, upper *int64, budget int64) bool {
	fr := &w.frames[d]
	if splits, best := w.recent.find(fr.key); len(splits) > 0 {
		*upper = min(*upper, best)
		fr.reset()
		for i := range splits {
			l := splits[i].lower()
			s := fr.add(l, l < min(*upper, budget))
			*s = splits[i]
			s.looked = false
		}
		return w.run.Running()
	}
	if !w.count(d) {
		return false
	}
	w.assess(fr, upper, budget)
	return true
}

// assess lists the open splits of the counted set, and lowers upper to what the
// counts show. A split that cannot beat upper is not among them.
func (w *worker) assess(fr *frame, upper *int64, budget int64) {
	c := w.counts
	best := min(*upper, w.One(c.Leaf))
	fr.reset()
	lows, ups := w.lows[:len(c.Live)], w.ups[:len(c.Live)]
	for i := range lows {
		with, u1 := w.bounds(c.One1[i], c.Two1[i], c.Cut1[i], fr.levels-1)
		without, u0 := w.bounds(c.One0[i], c.Two0[i], c.Cut0[i], fr.levels-1)
		lows[i], ups[i] = with+without, u1+u0
		best = min(best, ups[i])
	}
	for i, l := range lows {
		switch {
		case l >= best:
		case w.triples(fr):
			var s split
			w.sides(&s, i, fr.levels)
			best = min(best, s.upper())
		default:
			w.sides(fr.add(l, l < budget), i, fr.levels)
		}
	}
	*upper = best
}

// triples counts those of a set with three levels left that was counted, and reports whether they make the sides of its
// splits exact. At the root nearly all splits need them, below it often few do.
func (w *worker) triples(fr *frame) bool {
	if w.deep && fr.levels == 3 && !w.tripled {
		w.exact, w.tripled = w.counts.Triples(w.depth == 3), true
	}
	return w.exact
}

// reset begins the lists of a frame's splits.
func (fr *frame) reset() {
	fr.splits, fr.lows, fr.keys, fr.dropped = fr.splits[:0], fr.lows[:0], fr.keys[:0], fr.dropped[:0]
	fr.least = price.Far
}

// add returns the place of one more split with lower bound l among the open or the
// dropped ones. The caller writes to it field by field: a whole
// split copied right after its fields were written waits for them.
func (fr *frame) add(l int64, open bool) *split {
	if open {
		fr.splits, fr.lows, fr.keys = append(fr.splits, split{}), append(fr.lows, l), append(fr.keys, keys{})
		return &fr.splits[len(fr.splits)-1]
	}
	fr.least, fr.dropped = min(fr.least, l), append(fr.dropped, split{})
	return &fr.dropped[len(fr.dropped)-1]
}

// remove takes a split off the open ones.
func (fr *frame) remove(at int) {
	last := len(fr.splits) - 1
	fr.splits[at], fr.lows[at], fr.keys[at] = fr.splits[last], fr.lows[last], fr.keys[last]
	fr.splits, fr.lows, fr.keys = fr.splits[:last], fr.lows[:last], fr.keys[:last]
}

// sides writes the i-th split with the bounds that the counts give to s, which is empty.
func (w *worker) sides(s *split, i, levels int) {
	c := w.counts
	s.feature = c.Live[i]
	s.with.lower, s.with.upper = w.bounds(c.One1[i], c.Two1[i], c.Cut1[i], levels-1)
	s.without.lower, s.without.upper = w.bounds(c.One0[i], c.Two0[i], c.Cut0[i], levels-1)
	if w.exact {
		least := c.Three(i)
		for k, side := range [2]*side{&s.with, &s.without} {
			side.upper = min(side.upper, 3*w.Price+w.Unit*least[k][0], 4*w.Price+w.Unit*least[k][1])
			side.lower = side.upper
		}
	}
}

// bounds returns what the counts of a side say of its value.
func (w *worker) bounds(one, two, cut int64, levels int) (lower, upper int64) {
	upper = w.One(one)
	if levels == 0 {
		return upper, upper
	}
	lower = min(upper, w.Two(two))
	if w.rows == nil {
		upper = lower
	}
	if levels > 1 {
		lower = min(lower, 3*w.Price+min(w.Unit*cut, w.Price))
	}
	return lower, upper
}

// closeSplits raises the bounds of the splits of frame d, the smallest first,
// until the smallest of all, those dropped included, reaches upper or budget, or the search stops. It
// returns the lower bound that follows; known is the one there was.
func (w *worker) closeSplits(d int, known int64, upper *int64, budget int64) int64 {
	dropped := w.frames[d].least
	for {
		fr := &w.frames[d]
		smallest, at := w.pick(fr, min(*upper, budget))
		lower := max(known, min(smallest, dropped, *upper))
		w.publish(d, lower, *upper)
		if at < 0 || !w.run.Running() {
			return lower
		}
		s, k := &fr.splits[at], &fr.keys[at]
		if s.looked || !w.look(fr, s, k) {
			if w.counted.Load() >= w.pace.next {
				w.keepPace(d)
			}
			if w.unwind <= d || w.shared && w.resolvedByOthers(d) {
				l, u := w.cache.find(fr.key) // another worker may have tightened them
				*upper = min(*upper, u)
				return max(lower, l)
			}
			target := min(*upper, budget)
			if s.lower() < target && !s.resolved() {
				w.raise(d, s, k, target)
			}
		}
		if u := s.upper(); u < *upper {
			*upper = u
			if w.shared {
				w.cache.store(w.frames[d].key, lower, u)
			}
		}
		if fr = &w.frames[d]; !s.resolved() {
			fr.lows[at] = s.lower()
		} else {
			fr.remove(at)
		}
	}
}

// pick returns the smallest bound of the open splits and the split to work on,
// or −1 when the bound reaches target. Among splits with the same bound it takes
// the one that promises most, of all one that nobody works on.
func (w *worker) pick(fr *frame, target int64) (least int64, at int) {
	least, at = price.Far, -1
	for _, l := range fr.lows {
		least = min(least, l)
	}
	if least >= target {
		return least, -1
	}
	most := price.Far
	for i, l := range fr.lows {
		if l == least {
			if u := fr.splits[i].upper(); u < most {
				most, at = u, i
			}
		}
	}
	if w.shared && w.taken(&fr.splits[at], &fr.keys[at]) {
		if free := w.untaken(fr, target); free >= 0 {
			at = free
		}
	}
	return least, at
}

// look asks the cache for the sides of a split that are not exact. It reports
// whether another split may now be the one to work on.
func (w *worker) look(fr *frame, s *split, k *keys) (again bool) {
	s.looked = true
	column := w.splits.Column(int(s.feature))
	if !s.with.exact() {
		bitvec.And(w.scratch, fr.set, column)
		k.with = w.withLevels(w.hasher.Hash(w.scratch), fr.levels-1)
		w.cache.prefetch(k.with)
	}
	if !s.without.exact() {
		k.without = w.withLevels(w.hasher.AndNotHash(w.scratch, fr.set, column), fr.levels-1)
	}
	again = w.lookAgain(&s.with, k.with)
	return w.lookAgain(&s.without, k.without) || again || w.shared && w.taken(s, k)
}

// lookAgain reads the bounds of a side from the cache, and reports whether they
// are tighter.
func (w *worker) lookAgain(s *side, k bitvec.Key) bool {
	if s.exact() {
		return false
	}
	before := *s
	lower, upper := w.cache.find(k)
	s.lower, s.upper = max(s.lower, lower), min(s.upper, upper)
	return *s != before
}

// raise raises the bound of one side of s by a step; the sum of both need not go
// beyond target. It returns false when the search was stopped.
func (w *worker) raise(d int, s *split, k *keys, target int64) bool {
	a, b := &s.with, &s.without
	if a.exact() || !b.exact() && (b.lower < a.lower || b.lower == a.lower && b.upper > a.upper) {
		a, b = b, a
	}
	budget := target - b.lower
	if slack := budget - a.lower; !b.exact() || d == 0 && w.pace.steps {
		budget = min(budget, a.lower+max(1, 3*w.Price, slack/8))
	}
	key := k.without
	if a == &s.with {
		key = k.with
	}
	w.descend(d, int(s.feature), a == &s.with, key)
	l, u := w.solve(d+1, budget)
	a.lower, a.upper = max(a.lower, l), min(a.upper, u)
	if d == 0 && w.unwind == 1 {
		w.unwind = none // the root is where keepPace wanted to be
	}
	return w.run.Running()
}

// descend makes the frame below frame d that of a side of a split.
func (w *worker) descend(d, feature int, with bool, key bitvec.Key) {
	if d+1 == len(w.frames) {
		w.frames = append(w.frames, frame{set: make([]uint64, w.splits.Words())})
	}
	from, to := &w.frames[d], &w.frames[d+1]
	if column := w.splits.Column(feature); with {
		bitvec.And(to.set, from.set, column)
	} else {
		bitvec.AndNot(to.set, from.set, column)
	}
	to.live = append(to.live[:0], from.live...)
	to.key, to.levels = key, from.levels-1
}
