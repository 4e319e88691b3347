package search

import (
	"slices"

	"parcorels/bitvec"
	"parcorels/parallel"
	"parcorels/tree/price"
)

// Trees by leaves, up to some value.
//
// The profile of a set within a room has the fewest errors of its trees of one, two, … leaves,
// of those trees that have a value of at most the room. A tree within the room is a leaf, or a
// split with trees on both sides, and then each side has a value of at most the room less the
// least value of the other: so profiles of the sides within these rooms give that of the set.
// Splits whose sides' least values add up to more than the room are left out: most of them, where
// the room is little above the least value of the set.
//
// Rooms are raised until no tree beyond the room can come before the best one found. For let
// that have e errors and l leaves. A tree of n leaves with as small an objective has at most
// some number of errors, which is a value; the room need not exceed the largest of these, for n
// up to the limit. All trees with e errors and l leaves are then within the room, too, and of
// them the smallest preorder is found as extract does it.

// profile is the fewest errors by leaves, price.Far where no tree is within the room.
type profile struct {
	room   int64
	errors []int64
}

// profiler is a worker that finds profiles.
type profiler struct {
	*worker
	most     int64 // leaves
	profiles map[bitvec.Key]profile
	smallest map[leafKey]Tree
}

type leafKey struct {
	set    bitvec.Key
	leaves int
}

// firstStep is the part of what the room may have to be raised by that is tried first.
const firstStep = 16

// solveProfiles finds the best tree of at most so many leaves. The root has a least value. It returns
// false when the search was stopped.
func (w *worker) solveProfiles(least int64) bool {
	l := w.limit
	p := &profiler{worker: w, most: l.most, profiles: map[bitvec.Key]profile{}, smallest: map[leafKey]Tree{}}
	l.profiler = p
	return p.solve(l, least) && (!l.o.Fewer || p.solveFewer(l, least))
}

// solveFewer finds the best trees of smaller limits, down to the corner of fewer leaves: their profiles are those
// at hand, or of a larger room. The largest limits come first. It returns false when the search was stopped.
func (p *profiler) solveFewer(l *limit, least int64) bool {
	corner := size{l.shorter.Errors - p.base, int64(l.shorter.Leaves)}
	for most := l.most - 1; most > corner.leaves; most-- {
		f := &limit{o: l.o, most: most, total: l.total, atLeast: l.atLeast, best: corner}
		if !p.solve(f, least) {
			return false
		}
		objective := f.objective(f.best) + l.o.Lambda.Den*p.base
		l.fewer = append(l.fewer, &Result{
			Status: parallel.Optimal, Tree: p.named(f.tree), Leaves: int(f.best.leaves), Errors: f.best.errors + p.base,
			Objective: objective, LowerBound: objective, Scale: l.o.Lambda.Den * l.total, Stats: p.stats(),
		})
	}
	return true
}

// solve finds the best tree within a limit.
func (p *profiler) solve(l *limit, least int64) bool {
	w := p.worker
	room := least
	for step := max(w.Unit, (l.needed(w.search)-least)/firstStep); ; step *= 2 {
		found, ok := p.within(0, room)
		if !ok {
			return false
		}
		for n := int64(1); n <= l.most; n++ {
			l.atLeast[n] = max(l.atLeast[n], min(found[n], w.errorsOf(room+1, n)))
			if found[n] < price.Far {
				l.take(size{found[n], n})
			}
		}
		needed := l.needed(w.search)
		l.tell(w.base)
		if room >= needed {
			break
		}
		room = min(least+step, needed)
	}
	tree, ok := p.extractSized(0, int(l.best.leaves), l.best.errors)
	if ok {
		l.tree, l.shown = tree, l.best
	}
	return ok
}

// needed returns the largest value of a tree within the limit that may come before the best one,
// or be of its size.
func (l *limit) needed(s *search) (value int64) {
	for n := int64(1); n <= l.most; n++ {
		if left := l.objective(l.best) - l.objective(size{0, n}); left >= 0 {
			value = max(value, s.Unit*(left/l.o.Lambda.Den)+s.Price*n)
		}
	}
	return value
}

// halves is a split with what the counts of its set say of both sides: the least errors of one
// and of at most two leaves, the least errors of a leaf right below the first split, and the least
// value of three leaves and more. Side 1 has the feature.
type halves struct {
	split
	keys                keys
	one, two, cut, more [2]int64
}

// halves returns the splits of the counted set of a frame that have a value of at most the room,
// by feature.
func (p *profiler) halves(fr *frame, room int64) (list []halves) {
	c := p.counts
	for i := range c.Live {
		var h halves
		if p.sides(&h.split, i, fr.levels); h.lower() > room {
			continue
		}
		h.one, h.two = [2]int64{c.One0[i], c.One1[i]}, [2]int64{price.Far, price.Far}
		h.more = [2]int64{price.Far, price.Far}
		if fr.levels > 1 {
			h.two = [2]int64{c.Two0[i], c.Two1[i]}
		}
		if fr.levels > 2 {
			h.cut = [2]int64{c.Cut0[i], c.Cut1[i]}
			h.more = [2]int64{3*p.Price + min(p.Unit*c.Cut0[i], p.Price), 3*p.Price + min(p.Unit*c.Cut1[i], p.Price)}
		}
		list = append(list, h)
	}
	return list
}

// open raises the bounds of a split of frame d until it exceeds the room, or both sides are
// exact. It reports whether the split is within the room, and ok is false when the search was
// stopped.
func (p *profiler) open(d int, h *halves, room int64) (within, ok bool) {
	for h.lower() <= room && !(h.looked && h.resolved()) {
		if !h.looked {
			p.look(&p.frames[d], &h.split, &h.keys)
		} else if !p.raise(d, &h.split, &h.keys, room+1) {
			return false, false
		}
	}
	return h.lower() <= room, true
}

// within returns the profile of the set of frame d within a room, or one within a larger room.
func (p *profiler) within(d int, room int64) (errors []int64, ok bool) {
	fr := &p.frames[d]
	key := fr.key
	if known, ok := p.profiles[key]; ok && known.room >= room {
		return known.errors, true
	}
	if !p.count(d) {
		return nil, false
	}
	errors = make([]int64, p.most+1)
	for n := range errors {
		errors[n] = price.Far
	}
	if p.One(p.counts.Leaf) <= room {
		errors[1] = p.counts.Leaf
	}
	if fr.levels > 0 {
		for _, h := range p.halves(fr, room) {
			within, ok := p.open(d, &h, room)
			if !ok {
				return nil, false
			}
			if !within {
				continue
			}
			a, ok := p.half(d, &h, true, room-h.without.lower)
			if !ok {
				return nil, false
			}
			b, ok := p.half(d, &h, false, room-h.with.lower)
			if !ok {
				return nil, false
			}
			p.join(errors, a, b, room)
		}
	}
	if p.memory.Reserve(int64(len(errors))*8 + 64) {
		p.profiles[key] = profile{room, errors}
	}
	return errors, true
}

// half returns the profile of a side of a split of frame d.
func (p *profiler) half(d int, h *halves, with bool, room int64) (errors []int64, ok bool) {
	i := 0
	if with {
		i = 1
	}
	if room < h.more[i] { // the counts say it all
		errors = []int64{price.Far, price.Far, price.Far}
		if p.One(h.one[i]) <= room {
			errors[1] = h.one[i]
		}
		if h.two[i] < price.Far && p.Two(h.two[i]) <= room {
			errors[2] = h.two[i]
		}
		return errors, true
	}
	p.side(d, h, with)
	return p.within(d+1, room)
}

// side makes the frame below frame d that of a side of a split.
func (p *profiler) side(d int, h *halves, with bool) {
	p.descend(d, int(h.feature), with, bitvec.Key{})
	below := &p.frames[d+1]
	below.key = p.withLevels(p.hasher.Hash(below.set), below.levels)
}

// join adds trees with trees of profiles a and b on the two sides.
func (p *profiler) join(errors, a, b []int64, room int64) {
	for i, x := range a {
		if x == price.Far {
			continue
		}
		for j, y := range b {
			if n := i + j; y < price.Far && n < len(errors) && x+y < errors[n] && p.Unit*(x+y)+p.Price*int64(n) <= room {
				errors[n] = x + y
			}
		}
	}
}

// extractSized returns the tree of smallest preorder, of those on the set of frame d that have so many
// leaves and errors. These are the fewest errors of so many leaves.
func (p *profiler) extractSized(d, leaves int, errors int64) (tree Tree, ok bool) {
	fr := &p.frames[d]
	at := leafKey{fr.key, leaves}
	if known, ok := p.smallest[at]; ok {
		return known, true
	}
	if leaves == 1 {
		_, class := p.splits.LeafCost(fr.set)
		return Tree{Leaf(class)}, true
	}
	if !p.count(d) {
		return nil, false
	}
	value := p.Unit*errors + p.Price*int64(leaves)
	for _, h := range p.halves(fr, value) {
		within, ok := p.open(d, &h, value)
		if !ok {
			return nil, false
		}
		if !within {
			continue
		}
		a, ok1 := p.half(d, &h, true, value-h.without.lower)
		b, ok2 := p.half(d, &h, false, value-h.with.lower)
		if !ok1 || !ok2 {
			return nil, false
		}
		for i := 1; i < min(leaves, len(a)); i++ {
			j := leaves - i
			if j >= len(b) || a[i] == price.Far || b[j] == price.Far || a[i]+b[j] != errors {
				continue
			}
			next := Tree{int(h.feature)}
			p.side(d, &h, true)
			first, ok := p.extractSized(d+1, i, a[i])
			if !ok {
				return nil, false
			}
			p.side(d, &h, false)
			second, ok := p.extractSized(d+1, j, b[j])
			if !ok {
				return nil, false
			}
			if next = append(append(next, first...), second...); tree == nil || slices.CompareFunc(next, tree, preorder) < 0 {
				tree = next
			}
		}
		if tree != nil {
			p.smallest[at] = tree
			return tree, true
		}
	}
	panic("tree/search: no tree has the size that was found") // profiles contradict each other: a defect
}

// preorder compares nodes: a leaf of any class comes before all splits.
func preorder(a, b int) int { return max(a, -1) - max(b, -1) }
