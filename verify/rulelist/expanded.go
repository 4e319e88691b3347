package rulelist

const smallerList = "as a complete list it is smaller than the claimed one"
const nothingShows = "nothing shows that no smaller list begins with it"

// expanded checks one prefix whose frame is at f, and finds its extensions that
// are to be checked as expanded prefixes in turn.
func (w *walker) expanded(f *frame, id uint32) *Failure {
	w.counts.Checked.Add(1)
	if _, stop := w.best(f.sum); w.isSmaller(f.cost+w.unit*stop, f.prefix) {
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
	if id != root && w.tree.of(id, recordExpanded) == nil {
		return w.failure(f.prefix, nothingShows)
	}
	w.dominated.ClearAll()
	clear(w.nodes)
	if fail := w.records(f, id); fail != nil {
		return fail
	}
	w.extensions += int64(len(w.captured) - len(f.prefix))
	for _, s := range f.live {
		if fail := w.extension(f, s); fail != nil {
			return fail
		}
	}
	return nil
}

// records checks the records of a prefix and those of its extensions that are dominated, and notes those of extensions that
// are expanded.
func (w *walker) records(f *frame, id uint32) *Failure {
	dominated := func(s int, by dominator) *Failure {
		w.dominated.Set(uint(s))
		return w.domination(&f.prefixState, s, w.at(f.counts, s), by)
	}
	for r := range w.tree.all(id) {
		if r.kind != recordExpanded {
			continue
		}
		r.done = true
		p := w.tree.parser(r)
		for s, by := range exceptions(p, f.prefix, w.limits, w.seen, &w.other) {
			if fail := dominated(s, by); fail != nil {
				return fail
			}
		}
	}
	for k := w.tree.nodes[id].first; k != 0; k = w.tree.nodes[k].next {
		n := &w.tree.nodes[k]
		s := int(n.antecedent)
		if r := w.tree.of(k, recordDominated); r != nil {
			r.done = true
			p := w.tree.parser(r)
			w.of = append(append(w.of[:0], f.prefix...), n.antecedent)
			if fail := dominated(s, readDominator(p, w.of, w.limits, w.seen, &w.other)); fail != nil {
				return fail
			}
		} else if n.goesOn {
			w.nodes[s] = k
		}
	}
	return nil
}

// extension checks that the extension of f by s, which is not in the prefix and not useless, is
// covered. (One by a useless s is larger than the prefix, which was compared.)
func (w *walker) extension(f *frame, s int) *Failure {
	if !w.ruleMay(f.rows, s) {
		return nil
	}
	sum := w.at(f.counts, s)
	label, loses := w.label(s, sum)
	if w.worst(sum)-loses <= w.worth {
		return nil // useless with the label that it may predict
	}
	cost, length := f.cost+w.unit*loses+w.price, len(f.prefix)+1
	left := less(w.left, f.sum, sum)
	if _, stop := w.best(left); w.isSmaller(cost+w.unit*stop, f.prefix, uint16(s)) {
		return w.failure(f.prefix, smallerList, uint16(s))
	}
	least := max(cost+w.behind(left, nil), f.behind(s))
	switch {
	case length == w.most, w.beyond(least, length), w.dominated.Test(uint(s)), w.commutes(f, rule{s, label}, sum), f.excludes(s, label):
	case w.nodes[s] != 0:
		f.children = append(f.children, child{s, w.nodes[s], least})
	case !w.closed(&extension{f, rule{s, label}, sum, left, cost, least}):
		return w.failure(f.prefix, nothingShows, uint16(s))
	}
	return nil
}

// commutes reports whether a rule that captures a sum behind the prefix of f trades places with
// the last one of the prefix.
func (w *walker) commutes(f *frame, s rule, sum []int64) bool {
	return f.before != nil && w.ruleMay(f.rowsBefore, f.last.antecedent, s.antecedent) &&
		commuting(f.last, s, less(w.both, w.at(f.before, s.antecedent), sum))
}

// domination checks that the prefix of l and s, of which what s captures there has a sum,
// is dominated by what a record names.
func (w *walker) domination(l *prefixState, s int, sum []int64, d dominator) *Failure {
	w.dominations++
	holds := w.dominates(d, l, s, sum)
	switch {
	case w.smaller != nil:
		return w.failure(w.smaller.prefix, smallerList)
	case holds:
		return nil
	}
	return w.failure(l.prefix, "it is not dominated by "+w.describe(d)+", as the proof says", uint16(s))
}
