package search

import "parcorels/bitvec"

// frame is the work on one set of points, at one depth of the path that a
// worker is on.
type frame struct {
	set    []uint64
	key    bitvec.Key
	levels int
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
// reaches budget, and returns the bounds. When the search was stopped they are
// valid all the same.
func (w *worker) solve(d int, budget int64) (lower, upper int64) {
	fr := &w.frames[d]
	lower, upper = w.cache.find(fr.key)
	if lower == upper || lower >= budget {
		return lower, upper
	}
	if !w.count(fr) {
		return lower, upper
	}
	fresh := w.assess(fr, &upper, budget)
	fresh = min(fresh, w.close(d, &upper, budget))
	lower = max(lower, min(fresh, upper))
	w.cache.store(fr.key, lower, upper)
	return lower, upper
}

// assess lists the splits of the counted set that can beat both upper and
// budget, lowers upper to what the counts show, and returns the smallest bound
// of those that cannot.
func (w *worker) assess(fr *frame, upper *int64, budget int64) (dropped int64) {
	c := w.counts
	best := min(*upper, w.one(c.Leaf))
	for i := range c.Live {
		s := w.sides(i, fr.levels)
		best = min(best, s.upper())
	}
	*upper = best
	fr.splits = fr.splits[:0]
	dropped = far
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

// sides returns the i-th split with the bounds that the counts give: the best
// tree of up to two leaves, and three times the price of a leaf for all others.
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

// close raises the bounds of the listed splits, the smallest first, until the
// smallest reaches upper or budget, and returns it.
func (w *worker) close(d int, upper *int64, budget int64) int64 {
	fr := &w.frames[d]
	for {
		least, most, at := far, far, -1
		for i := range fr.splits {
			s := &fr.splits[i]
			if l := s.lower(); l < least || l == least && s.upper() < most {
				least, most, at = l, s.upper(), i
			}
		}
		target := min(*upper, budget)
		if least >= target {
			return least
		}
		s := &fr.splits[at]
		if !s.looked {
			w.look(fr, s)
		} else if !w.raise(d, s, target) {
			return least
		}
		*upper = min(*upper, s.upper())
		if s.settled() {
			last := len(fr.splits) - 1
			fr.splits[at] = fr.splits[last]
			fr.splits = fr.splits[:last]
		}
	}
}

// look asks the cache for the sides of a split that are not exact.
func (w *worker) look(fr *frame, s *split) {
	s.looked = true
	column := w.splits.Column(int(s.feature))
	if !s.with.exact() {
		bitvec.And(w.scratch, fr.set, column)
		w.lookSide(&s.with, w.hasher.Hash(w.scratch), fr.levels-1)
	}
	if !s.without.exact() {
		w.lookSide(&s.without, w.hasher.AndNotHash(w.scratch, fr.set, column), fr.levels-1)
	}
}

func (w *worker) lookSide(s *side, key bitvec.Key, levels int) {
	s.key = w.withLevels(key, levels)
	w.lookAgain(s)
}

func (w *worker) lookAgain(s *side) {
	lower, upper := w.cache.find(s.key)
	s.lower, s.upper = max(s.lower, lower), min(s.upper, upper)
}

// raise raises the bound of one side of s by a step; the sum of both need not go
// beyond target. It returns false when the search was stopped.
func (w *worker) raise(d int, s *split, target int64) bool {
	lower, other, column := &s.with, &s.without, w.splits.Column(int(s.feature))
	if lower.exact() || !other.exact() && (other.lower < lower.lower || other.lower == lower.lower && other.upper > lower.upper) {
		lower, other = other, lower
	}
	budget := target - other.lower
	if !other.exact() {
		slack := budget - lower.lower
		budget = min(budget, lower.lower+max(1, w.price+w.price/2, slack/4))
	}
	from, to := &w.frames[d], w.below(d)
	if lower == &s.with {
		bitvec.And(to.set, from.set, column)
	} else {
		bitvec.AndNot(to.set, from.set, column)
	}
	to.key, to.levels = lower.key, from.levels-1
	l, u := w.solve(d+1, budget)
	lower.lower, lower.upper = max(lower.lower, l), min(lower.upper, u)
	return !w.stopped
}
