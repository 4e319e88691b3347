package rulelist

// What the way down from the empty prefix had no use for: prefixes that were
// expanded before a prefix of theirs was found dominated, for one. That a
// dominated record is true does not depend on where it is met, and all of them
// are checked.

// remainingSize is how many nodes a walker takes at a time.
const remainingSize = 256

// remaining checks the records that were not checked on the way down.
func (w *walker) remaining() {
	nodes := int64(len(w.tree.nodes))
	for w.ctx.Err() == nil {
		first := w.taken.Add(remainingSize) - remainingSize
		if first >= nodes {
			return
		}
		for id := first; id < min(first+remainingSize, nodes); id++ {
			w.of = w.tree.prefix(uint32(id), w.of[:0])
			if w.isLate(w.of) {
				continue
			}
			for r := range w.tree.all(uint32(id)) {
				if fail := w.apart(w.of, r); fail != nil {
					w.note(w.of, fail)
					break
				}
			}
		}
	}
}

// apart checks a record of a prefix away from any frame, unless that was done.
func (w *walker) apart(prefix []uint16, r *record) *Failure {
	if r.done {
		return nil
	}
	dominated := func(prefix []uint16, s int, by dominator) *Failure {
		at := w.count(&w.apartAt, prefix)
		return w.domination(at, s, w.countAnd(w.left, at.left, w.captured[s]), by)
	}
	p := w.tree.parser(r)
	if last := len(prefix) - 1; r.kind == recordDominated {
		return dominated(prefix[:last], int(prefix[last]), readDominator(p, prefix, w.limits, w.seen, &w.other))
	}
	for s, by := range exceptions(p, prefix, w.limits, w.seen, &w.other) {
		if fail := dominated(prefix, s, by); fail != nil {
			return fail
		}
	}
	return nil
}
