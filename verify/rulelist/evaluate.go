package rulelist

import "math/bits"

// evaluator computes bounds, one at a time.
type evaluator struct {
	*problem
	sets   [][]uint32
	group  []int64  // load of each group
	loaded []uint32 // groups with a load

	rules [][]int64  // load of each rule, by label and antecedent
	holds [][]uint64 // antecedents of the groups of a set, by label
	lost  []int64    // of each antecedent: by how much a bound falls if it is a rule
}

// newEvaluator returns nil if there are no bounds.
func newEvaluator(p *problem, t *tree) *evaluator {
	if p.satisfies == nil {
		return nil
	}
	e := &evaluator{problem: p, sets: t.sets, group: make([]int64, len(p.losses)), lost: make([]int64, len(p.captured))}
	for range p.classes {
		e.rules, e.holds = append(e.rules, make([]int64, len(p.captured))), append(e.holds, make([]uint64, p.width))
	}
	return e
}

// use computes a bound of f's prefix, link by link: each excludes rules for those
// behind it. It raises what the prefix and its extensions cost at least.
func (e *evaluator) use(f *frame, b *bound) {
	f.weigh(e.problem)
	for _, link := range b.links {
		e.link(f, b, link)
	}
}

// scaled is a scale, and what lists cost there for each rule beside its price.
type scaled struct {
	scale int
	tie   int64
	more  int64 // surcharge
}

func scaledBy(b *bound) scaled {
	if b.scale >= tieScale {
		return scaled{b.scale, 1, b.more}
	}
	return scaled{b.scale, 0, b.more}
}

// rule returns what a rule costs.
func (b scaled) rule(p *problem) int64 { return (p.price+b.more)<<b.scale + b.tie }

// objective returns what a value is of an objective at least, whatever the rules.
func (b scaled) objective(value int64) int64 {
	if value -= b.tie * mostRules; value <= 0 {
		return 0
	}
	return (value + 1<<b.scale - 1) >> b.scale
}

func (e *evaluator) link(f *frame, b *bound, link []weighed) {
	scale, on := b.scale, scaledBy(b)
	price := on.rule(e.problem)
	follow := int64(e.most - len(f.prefix)) // rules that may, if there is a limit
	value := e.load(f, link)
	for _, g := range e.loaded {
		if value -= max(0, e.group[g]-e.unit*e.own[g]<<scale); value <= 0 {
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
	room := (e.objective-f.cost+b.more*follow)<<scale + on.tie*int64(len(e.claimed)-len(f.prefix))
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

// load adds up the loads of a link, and its weights, over the sets that f's prefix
// leaves whole.
func (e *evaluator) load(f *frame, link []weighed) (sum int64) {
	for _, g := range e.loaded {
		e.group[g] = 0
	}
	e.loaded = e.loaded[:0]
	for _, loads := range e.rules {
		clear(loads)
	}
	for _, w := range link {
		set := e.sets[w.set]
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
		for k := range e.width {
			var once, twice uint64
			for _, holds := range e.holds {
				twice |= once & holds[k]
				once |= holds[k]
			}
			for q, holds := range e.holds {
				for x := holds[k] &^ twice & f.usable[q][k]; x != 0; x &= x - 1 {
					e.rules[q][k<<6+bits.TrailingZeros64(x)] += w.weight
				}
			}
		}
	}
	return sum
}

// leaves reports whether f's prefix captures no group of a set.
func (f *frame) leaves(set []uint32) bool {
	for _, g := range set {
		if f.left[g>>6]>>(g&63)&1 == 0 {
			return false
		}
	}
	return true
}

// hold finds the antecedents that groups of a set satisfy, by their labels.
func (e *evaluator) hold(set []uint32) {
	for _, holds := range e.holds {
		clear(holds)
	}
	for _, g := range set {
		holds := e.holds[e.labels[g]]
		for k, x := range e.row(g) {
			holds[k] |= x
		}
	}
}

// noList is more than any objective.
const noList = 1 << 62

// extensions raises what the extensions of f's prefix cost at least by the bound at
// hand, of those by an antecedent that a smaller list may have there. So much less of their
// costs is theirs, where lists have a limit of rules.
func (e *evaluator) extensions(f *frame, on scaled, link []weighed, value, room, less int64) {
	clear(e.lost)
	for _, w := range link {
		set := e.sets[w.set]
		if !f.leaves(set) {
			continue
		}
		e.hold(set)
		for k := range e.width {
			var touched uint64
			for _, holds := range e.holds {
				touched |= holds[k]
			}
			for x := touched & f.mayUse(k); x != 0; x &= x - 1 {
				e.lost[k<<6+bits.TrailingZeros64(x)] += w.weight
			}
		}
	}
	for _, g := range e.loaded {
		if x := e.group[g] - e.unit*e.own[g]<<on.scale; x > 0 {
			for _, a := range e.list(int(g)) {
				e.lost[a] -= x
			}
		}
	}
	price := on.rule(e.problem)
	for s := range e.captured {
		if f.mayUse(s>>6)>>(s&63)&1 == 0 {
			continue
		}
		v := value - e.lost[s]
		for _, loads := range e.rules {
			v += max(0, loads[s]-price)
		}
		if v <= 0 {
			continue
		}
		_, loses := e.label(s, e.at(f.counts, s))
		more := e.unit * loses
		f.above[s] = max(f.above[s], f.cost+more+e.price+on.objective(v)-less)
		if more<<on.scale+price+v > room {
			f.above[s] = noList
		}
	}
}

// weigh makes what f says of bounds its own, and takes out the rules that are useless
// there, or may not be.
func (f *frame) weigh(p *problem) {
	if f.weighed {
		return
	}
	f.weighed = true
	if f.above == nil {
		f.above = make([]int64, len(p.captured))
		for range p.classes {
			f.own = append(f.own, make([]uint64, p.width))
		}
	}
	clear(f.above)
	for q, own := range f.own {
		clear(own)
		for a := range p.captured {
			sum := p.at(f.counts, a)
			if !f.excludes(a, q) && !p.useless(sum) && p.worst(sum)-sum[q] > p.worth && p.mayPredict(f.rows, a, q) {
				own[a>>6] |= 1 << (a & 63)
			}
		}
	}
	f.usable = f.own
}

// mayUse returns the antecedents in word k of which a smaller list may have a rule.
func (f *frame) mayUse(k int) (some uint64) {
	for _, usable := range f.usable {
		some |= usable[k]
	}
	return some
}

// excludes reports whether no list smaller than the claimed one that begins with f's
// prefix has a rule.
func (f *frame) excludes(a, label int) bool {
	return f.usable != nil && f.usable[label][a>>6]>>(a&63)&1 == 0
}

// behind returns what lists cost at least that are longer than the extension of f's
// prefix by s, as far as bounds tell.
func (f *frame) behind(s int) int64 {
	if f.weighed {
		return max(f.least, f.above[s])
	}
	return f.least
}
