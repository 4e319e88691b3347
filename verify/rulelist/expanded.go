package rulelist

const (
	smallerList  = "as a complete list it is smaller than the claimed one"
	nothingShows = "nothing shows that no smaller list begins with it"
)

// expanded checks one prefix whose frame is at f, and finds its extensions that
// are to be checked as expanded prefixes in turn.
func (w *walker) expanded(f *frame, id uint32) *Failure {
	w.prefixes.Add(1)
	if w.isSmaller(f.cost+w.unit*f.costs.errors(), f.prefix) {
		return w.failure(f.prefix, smallerList)
	}
	f.children = f.children[:0]
	for _, b := range w.tree.weighed[id] {
		if w.bounds.use(f, b); w.beyond(f.least, len(f.prefix)) {
			return nil
		}
	}
	if w.most > 0 && len(f.prefix) == w.most {
		return nil // nothing is longer
	}
	if id != root && w.tree.nodes[id].flags&hasExpanded == 0 {
		return w.failure(f.prefix, nothingShows)
	}
	w.dominated.clear()
	if fail := w.exceptions(f, id); fail != nil {
		return fail
	}
	clear(w.nodes)
	if fail := w.records(f, id); fail != nil {
		return fail
	}
	for s := range f.counts {
		if f.in.has(s) {
			continue
		}
		if fail := w.extension(f, s); fail != nil {
			return fail
		}
	}
	return nil
}

// exceptions checks those of the records that a prefix is expanded. (The empty
// prefix is taken for expanded in any case.)
func (w *walker) exceptions(f *frame, id uint32) *Failure {
	w.tree.nodes[id].flags |= expandedDone
	return w.tree.expansions(id, func(p parser) *Failure {
		for {
			e, ok := p.exception(f.prefix, w.limits, w.seen, &w.other)
			if !ok {
				return nil
			}
			if fail := w.domination(&f.prefixState, e.antecedent, f.counts[e.antecedent], e.by); fail != nil {
				return fail
			}
			w.dominated.add(e.antecedent)
		}
	})
}

// records checks the records of extensions that are dominated, and notes those
// of extensions that are expanded.
func (w *walker) records(f *frame, id uint32) *Failure {
	for k := w.tree.nodes[id].first; k != 0; k = w.tree.nodes[k].next {
		n := &w.tree.nodes[k]
		s := int(n.antecedent)
		if n.flags&hasDominated != 0 {
			n.flags |= dominatedDone
			p := w.tree.record(k, hasDominated)
			w.of = append(append(w.of[:0], f.prefix...), n.antecedent)
			d := p.dominator(w.of, w.limits, w.seen, &w.other)
			if fail := w.domination(&f.prefixState, s, f.counts[s], d); fail != nil {
				return fail
			}
			w.dominated.add(s)
		} else if n.flags&(hasExpanded|hasBound) != 0 {
			w.nodes[s] = k
		}
	}
	return nil
}

// extension checks that the extension of f by s, which is not in the prefix, is
// covered.
func (w *walker) extension(f *frame, s int) *Failure {
	w.extensions++
	g := f.counts[s]
	cost := f.cost + w.unit*g.errors() + w.price
	left := gains{f.costs[0] - g[0], f.costs[1] - g[1]}
	if w.isSmaller(cost+w.unit*left.errors(), f.prefix, uint16(s)) {
		return w.failure(f.prefix, smallerList, uint16(s))
	}
	least := max(cost+w.price, f.behind(s))
	switch {
	case w.most > 0 && len(f.prefix)+1 == w.most, w.useless(g, f.costs), w.beyond(least, len(f.prefix)+1), w.dominated.has(s), w.commutes(f, s), f.lowers(s), f.excludes(s, g.label()):
	case w.nodes[s] != 0:
		f.children = append(f.children, child{s, w.nodes[s], least})
	case !w.closed(f, s):
		return w.failure(f.prefix, nothingShows, uint16(s))
	}
	return nil
}

// commutes reports whether s trades places with the last rule of the prefix.
func (w *walker) commutes(f *frame, s int) bool {
	if f.before == nil {
		return false
	}
	g, before := f.counts[s], f.before[s]
	return commuting(f.last, rule{s, g.label()}, gains{before[0] - g[0], before[1] - g[1]})
}

// domination checks that the prefix of l and s, which captures costs g there,
// is dominated by what a record names.
func (w *walker) domination(l *prefixState, s int, g gains, d dominator) *Failure {
	w.dominations++
	holds := w.dominates(d, l, s, g)
	switch {
	case w.smaller != nil:
		return w.failure(w.smaller.prefix, smallerList)
	case holds:
		return nil
	}
	return w.failure(l.prefix, "it is not dominated by "+w.describe(d)+", as the proof says", uint16(s))
}
