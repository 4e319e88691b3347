package search

import "parcorels/bitvec"

// The recursion over sets of points.
//
// The value of a set is that of its best tree: one leaf, or a split with the
// best trees of both sides. solve raises the lower bound of a set until it is
// exact or reaches a budget. What a count shows comes first:
//
//   - the best trees of up to two leaves of either side of every split, so
//     upper bounds on the set that no tree of up to three leaves is below;
//   - for each side the lower bound min(u, 3·price), u being its best tree of up
//     to two leaves: all other trees have three leaves or more;
//   - so a split whose sides' bounds add up to the set's upper bound or to the
//     budget is dropped.
//
// With levels left, a side that may not split is one leaf, and one that may
// split once is at most two leaves: both are exact.
//
// Then the split with the smallest sum of bounds is raised by a step, on the
// side with the smaller bound, and so on. Each side gets little more budget than
// its bound, never the whole slack: most splits fall by what both sides cost
// together, and a side that is searched to its end first would do all the work
// alone. At any moment the smallest sum over the splits that are left, those
// dropped included, is a lower bound, or else the upper bound is exact.

// frame is the work on one set of points, at one depth of the path that a
// worker is on.
type frame struct {
	set    []uint64
	key    bitvec.Key
	levels int
	budget int64
	splits []split
}

// split is a feature that may still give the best tree of a set.
type split struct {
	feature int32
	looked  bool // whether the cache was asked for the sides
	with    side // points with the feature
	without side
}

// side is one side of a split: bounds on the value of its best tree.
type side struct {
	lower, upper int64
	key          bitvec.Key
}

func (s *side) exact() bool    { return s.lower == s.upper }
func (s *split) lower() int64  { return s.with.lower + s.without.lower }
func (s *split) upper() int64  { return s.with.upper + s.without.upper }
func (s *split) settled() bool { return s.with.exact() && s.without.exact() }

// solve raises the lower bound of the set of frame d until it is exact or
// reaches budget, and returns the bounds. They are valid also when the search
// was stopped.
func (w *worker) solve(d int, budget int64) (lower, upper int64) {
	fr := &w.frames[d]
	lower, upper = w.cache.find(fr.key)
	if lower == upper || lower >= budget || !w.count(fr) {
		return lower, upper
	}
	fr.budget = budget
	if w.shared {
		mark := w.marks.of(fr.key)
		mark.Add(1)
		defer mark.Add(-1)
	}
	dropped := w.assess(fr, &upper, budget)
	lower = max(lower, w.closeSplits(d, lower, &upper, budget, dropped))
	w.cache.store(w.frames[d].key, lower, upper)
	return lower, upper
}

// assess lists the splits of the counted set that can beat both upper and
// budget, lowers upper to what the counts show, and returns the smallest bound
// of those that cannot.
func (w *worker) assess(fr *frame, upper *int64, budget int64) (dropped int64) {
	c := w.counts
	best := min(*upper, w.one(c.Leaf))
	if fr.levels > 0 {
		for i := range c.Live {
			s := w.sides(i, fr.levels)
			best = min(best, s.upper())
		}
	}
	*upper = best
	fr.splits = fr.splits[:0]
	dropped = far
	if fr.levels == 0 {
		return dropped
	}
	for i := range c.Live {
		s := w.sides(i, fr.levels)
		switch {
		case s.settled():
		case s.lower() >= min(best, budget):
			dropped = min(dropped, s.lower())
		default:
			fr.splits = append(fr.splits, s)
		}
	}
	return dropped
}

// sides returns the i-th split with the bounds that the counts give.
func (w *worker) sides(i, levels int) split {
	c := w.counts
	return split{
		feature: c.Live[i],
		with:    w.side(c.One1[i], c.Two1[i], levels-1),
		without: w.side(c.One0[i], c.Two0[i], levels-1),
	}
}

func (w *worker) side(one, two int64, levels int) side {
	u := w.one(one)
	if levels == 0 {
		return side{lower: u, upper: u}
	}
	u = min(u, w.two(two))
	if levels == 1 {
		return side{lower: u, upper: u}
	}
	return side{lower: min(u, 3*w.price), upper: u}
}

// closeSplits raises the bounds of the splits of frame d, the smallest first,
// until the smallest of all, those dropped included, reaches upper or budget. It
// returns the lower bound that follows; known is the one there was.
func (w *worker) closeSplits(d int, known int64, upper *int64, budget, dropped int64) int64 {
	for {
		fr := &w.frames[d]
		least, at := w.pick(fr, min(*upper, budget))
		lower := max(known, min(least, dropped, *upper))
		w.publish(d, lower, *upper)
		if at < 0 {
			return lower
		}
		s := &fr.splits[at]
		if !s.looked {
			w.look(fr, s)
		} else {
			if w.shared {
				if w.settledByOthers(d) {
					return w.again(d, lower, upper)
				}
				w.lookAgain(&s.with)
				w.lookAgain(&s.without)
			}
			if s.lower() < min(*upper, budget) && !s.settled() && !w.raise(d, s, min(*upper, budget)) {
				return max(known, min(w.least(&w.frames[d]), dropped, *upper))
			}
		}
		if u := s.upper(); u < *upper {
			*upper = u
			if w.shared {
				w.cache.store(w.frames[d].key, lower, u)
			}
		}
		if s.settled() {
			fr = &w.frames[d]
			last := len(fr.splits) - 1
			fr.splits[at] = fr.splits[last]
			fr.splits = fr.splits[:last]
		}
	}
}

// again returns the bounds of frame d that another worker may have tightened.
func (w *worker) again(d int, lower int64, upper *int64) int64 {
	l, u := w.cache.find(w.frames[d].key)
	*upper = min(*upper, u)
	return max(lower, l)
}

// least returns the smallest bound of the open splits.
func (w *worker) least(fr *frame) int64 {
	least := far
	for i := range fr.splits {
		least = min(least, fr.splits[i].lower())
	}
	return least
}

// pick returns the smallest bound of the open splits and the split to work on,
// or −1 when the bound reaches target. Of splits with the same bound it takes
// the one that promises most, of all one that nobody works on.
func (w *worker) pick(fr *frame, target int64) (least int64, at int) {
	least, at = far, -1
	most, free, freeMost, freeAt := far, target, far, -1
	for i := range fr.splits {
		s := &fr.splits[i]
		l, u := s.lower(), s.upper()
		if l < least || l == least && u < most {
			least, most, at = l, u, i
		}
		if w.shared && (l < free || l == free && u < freeMost && l < target) && !w.taken(s) {
			free, freeMost, freeAt = l, u, i
		}
	}
	switch {
	case least >= target:
		return least, -1
	case freeAt >= 0:
		return least, freeAt
	}
	return least, at
}

// look asks the cache for the sides of a split that are not exact.
func (w *worker) look(fr *frame, s *split) {
	s.looked = true
	column := w.splits.Column(int(s.feature))
	if !s.with.exact() {
		bitvec.And(w.scratch, fr.set, column)
		s.with.key = w.withLevels(w.hasher.Hash(w.scratch), fr.levels-1)
		w.lookAgain(&s.with)
	}
	if !s.without.exact() {
		s.without.key = w.withLevels(w.hasher.AndNotHash(w.scratch, fr.set, column), fr.levels-1)
		w.lookAgain(&s.without)
	}
}

// lookAgain reads the bounds of a side from the cache.
func (w *worker) lookAgain(s *side) {
	if !s.exact() {
		lower, upper := w.cache.find(s.key)
		s.lower, s.upper = max(s.lower, lower), min(s.upper, upper)
	}
}

// raise raises the bound of one side of s by a step; the sum of both need not go
// beyond target. It returns false when the search was stopped.
func (w *worker) raise(d int, s *split, target int64) bool {
	a, b := &s.with, &s.without
	if a.exact() || !b.exact() && (b.lower < a.lower || b.lower == a.lower && b.upper > a.upper) {
		a, b = b, a
	}
	budget := target - b.lower
	if !b.exact() {
		slack := budget - a.lower
		budget = min(budget, a.lower+max(1, 3*w.price, slack/8))
	}
	w.descend(d, int(s.feature), a == &s.with, a.key)
	l, u := w.solve(d+1, budget)
	a.lower, a.upper = max(a.lower, l), min(a.upper, u)
	return w.stop.Load() == running
}

// descend makes the frame below frame d that of a side of a split.
func (w *worker) descend(d, feature int, with bool, key bitvec.Key) {
	to := w.below(d)
	from := &w.frames[d]
	if column := w.splits.Column(feature); with {
		bitvec.And(to.set, from.set, column)
	} else {
		bitvec.AndNot(to.set, from.set, column)
	}
	to.key, to.levels = key, from.levels-1
}
