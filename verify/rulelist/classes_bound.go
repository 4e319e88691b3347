package rulelist

import (
	"cmp"
	"math/bits"
	"slices"
)

// The separation bound of more than two classes (separation.go). A group has the label of its
// heaviest class, the smallest one of several, and is wrong if anything else is predicted; that
// costs what it owns (classes.go), at least. The argument is that of two labels: a set of groups of
// two labels or more has a group that is wrong, or a rule is used that is pure on it.

// useBounds makes sure of the sets that bounds name, and makes the bounds of the empty prefix
// those of the problem.
func (x *classProblem) useBounds(t *tree) error {
	if len(t.bounds) == 0 && len(t.weighed) == 0 || x.objective > x.unit*x.samples.total {
		return nil // without the latter, costs fit; a list that errs on all samples is not the smallest
	}
	if err := x.number(&t.sets); err != nil {
		return err
	}
	for _, b := range t.bounds {
		if !x.fits(b) {
			return refused("a bound of the empty prefix: %w", errBoundScale)
		}
	}
	for _, all := range t.weighed {
		for _, b := range all {
			if !x.fits(b) {
				return refused("the bound of a prefix: %w", errBoundScale)
			}
		}
	}
	x.transpose()
	return nil
}

// number makes sure that sets hold groups that there are, of two labels at least, and replaces
// the numbers of the format by ours.
func (x *classProblem) number(s *sets) error {
	var order []int
	for g := range x.share {
		if x.rows[g*x.stride+x.k] > 0 {
			order = append(order, g)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(x.labels[a], x.labels[b]), cmp.Compare(x.rows[b*x.stride+x.k], x.rows[a*x.stride+x.k]))
	})
	for k := range s.len() {
		set, mixed := s.at(uint32(k)), false
		for i, number := range set {
			if int(number) >= len(order) {
				return refused("a set of a bound: there is no group %d among %d", number, len(order))
			}
			set[i] = uint32(order[number])
			mixed = mixed || x.labels[set[i]] != x.labels[set[0]]
		}
		if !mixed {
			return refused("set %d of the bounds: %w", k+1, errOneLabel)
		}
	}
	return nil
}

// classEvaluator computes bounds, one at a time.
type classEvaluator struct {
	x      *classProblem
	sets   *sets
	group  []int64  // load of each group
	loaded []uint32 // groups with a load
	rules  [][]int64
	holds  [][]uint64 // antecedents of the groups of a set, by label
	lost   []int64    // of each antecedent: by how much a bound falls if it is a rule
}

func newClassEvaluator(x *classProblem, t *tree) *classEvaluator {
	if x.satisfies == nil {
		return nil
	}
	e := &classEvaluator{x: x, sets: &t.sets, group: make([]int64, len(x.share)), lost: make([]int64, len(x.captured))}
	for range x.k {
		e.rules, e.holds = append(e.rules, make([]int64, len(x.captured))), append(e.holds, make([]uint64, x.width))
	}
	return e
}

// owns returns the scaled cost of a group that is wrong.
func (e *classEvaluator) owns(g uint32, scale int) int64 {
	x := e.x
	return x.unit * x.rows[int(g)*x.stride+x.k+1+x.labels[g]] << scale
}

// use computes a bound of f's prefix, link by link.
func (e *classEvaluator) use(f *classFrame, b *bound) {
	e.weigh(f)
	for _, link := range b.links {
		e.link(f, b, link)
	}
}

// weigh makes what f says of bounds its own, and takes out the rules that are useless there.
func (e *classEvaluator) weigh(f *classFrame) {
	if f.above != nil {
		return
	}
	x := e.x
	f.above = make([]int64, len(x.captured))
	usable := make([][]uint64, x.k)
	for q := range usable {
		usable[q] = make([]uint64, x.width)
		for a := range x.captured {
			sum := x.at(f.counts, a)
			inherited := f.usable == nil || f.usable[q][a>>6]>>(a&63)&1 == 1
			if inherited && !x.uselessRule(sum, f.sum) && sum[x.k]-sum[q] > x.worth {
				usable[q][a>>6] |= 1 << (a & 63)
			}
		}
	}
	f.usable = usable
}

func (e *classEvaluator) link(f *classFrame, b *bound, link []weighed) {
	x, scale, on := e.x, b.scale, scaledBy(b)
	price := on.rule(x.problem)
	follow := int64(x.most - len(f.prefix)) // rules that may, if there is a limit
	value := e.load(f, link)
	for _, g := range e.loaded {
		if value -= max(0, e.group[g]-e.owns(g, scale)); value <= 0 {
			return
		}
	}
	for q := range e.rules {
		for _, load := range e.rules[q] {
			if value -= max(0, load-price); value <= 0 {
				return
			}
		}
	}
	room := (x.objective-f.cost+b.more*follow)<<scale + on.tie*int64(len(x.claimed)-len(f.prefix))
	f.least = max(f.least, f.cost+on.objective(value)-b.more*follow)
	if value > room {
		f.least = noList
		return
	}
	for q := range e.rules {
		for a, load := range e.rules[q] {
			if value+max(0, price-load) > room {
				f.usable[q][a>>6] &^= 1 << (a & 63)
			}
		}
	}
	e.extensions(f, on, link, value, room, b.more*(follow-1))
}

// load adds up the loads of a link, and its weights, over the sets that f's prefix leaves whole.
func (e *classEvaluator) load(f *classFrame, link []weighed) (sum int64) {
	for _, g := range e.loaded {
		e.group[g] = 0
	}
	e.loaded = e.loaded[:0]
	for q := range e.rules {
		clear(e.rules[q])
	}
	for _, w := range link {
		set := e.sets.at(w.set)
		if !f.leaves(set) {
			continue
		}
		sum += w.weight
		for _, g := range set {
			if e.group[g] == 0 {
				e.loaded = append(e.loaded, g)
			}
			e.group[g] += w.weight
		}
		e.hold(set)
		for k := range e.x.width {
			var once, twice uint64
			for _, holds := range e.holds {
				twice |= once & holds[k]
				once |= holds[k]
			}
			for q, holds := range e.holds {
				for m := holds[k] &^ twice & f.usable[q][k]; m != 0; m &= m - 1 {
					e.rules[q][k<<6+bits.TrailingZeros64(m)] += w.weight
				}
			}
		}
	}
	return sum
}

// leaves reports whether f's prefix captures no group of a set.
func (f *classState) leaves(set []uint32) bool {
	for _, g := range set {
		if f.left[g>>6]>>(g&63)&1 == 0 {
			return false
		}
	}
	return true
}

// hold finds the antecedents that groups of a set satisfy, by their labels.
func (e *classEvaluator) hold(set []uint32) {
	for q := range e.holds {
		clear(e.holds[q])
	}
	for _, g := range set {
		holds := e.holds[e.x.labels[g]]
		for k, w := range e.x.row(g) {
			holds[k] |= w
		}
	}
}

// extensions raises what the extensions of f's prefix cost at least by the bound at hand.
func (e *classEvaluator) extensions(f *classFrame, on scaled, link []weighed, value, room, less int64) {
	x := e.x
	clear(e.lost)
	for _, w := range link {
		set := e.sets.at(w.set)
		if !f.leaves(set) {
			continue
		}
		e.hold(set)
		for k := range x.width {
			var touched uint64
			for _, holds := range e.holds {
				touched |= holds[k]
			}
			for m := touched & f.mayUse(k); m != 0; m &= m - 1 {
				e.lost[k<<6+bits.TrailingZeros64(m)] += w.weight
			}
		}
	}
	for _, g := range e.loaded {
		if over := e.group[g] - e.owns(g, on.scale); over > 0 {
			for _, a := range x.lists.at(int(g)) {
				e.lost[a] -= over
			}
		}
	}
	price := on.rule(x.problem)
	for s := range x.captured {
		if f.mayUse(s>>6)>>(s&63)&1 == 0 {
			continue
		}
		v := value - e.lost[s]
		for q := range e.rules {
			v += max(0, e.rules[q][s]-price)
		}
		if v <= 0 {
			continue
		}
		_, loses := x.label(x.at(f.counts, s))
		more := x.unit * loses
		f.above[s] = max(f.above[s], f.cost+more+x.price+on.objective(v)-less)
		if more<<on.scale+price+v > room {
			f.above[s] = noList
		}
	}
}

// mayUse returns the antecedents of word k of which a rule may be in a smaller list.
func (f *classFrame) mayUse(k int) (some uint64) {
	for _, of := range f.usable {
		some |= of[k]
	}
	return some
}

// excludes reports whether no list smaller than the claimed one that begins with f's prefix has
// a rule.
func (f *classFrame) excludes(a, label int) bool {
	return f.usable != nil && f.usable[label][a>>6]>>(a&63)&1 == 0
}

// longer returns what lists cost at least that are longer than the extension of f's prefix by s.
func (f *classFrame) longer(s int) int64 {
	if f.above != nil {
		return max(f.least, f.above[s])
	}
	return f.least
}
