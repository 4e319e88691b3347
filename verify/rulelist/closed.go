package rulelist

// An extension c = P+s is closed if each of its own extensions is useless,
// bounded or commuting, and none of them is smaller than L* as a complete list.
// Most are, and most of that follows from the sums behind P: let t lose L_q there and s
// lose S_q, if they predict q, and let c leave what loses U_q. Then t loses between L_q − S_q and L_q
// behind c.
//
// Say t predicts q behind c.
//
//   - If W − L_q ≤ λN of what t captures behind P, t is useless.
//   - Otherwise t errs by L_q − S_q at least. If that leaves no room for a
//     rule more, or lists have no more rules, c+t is bounded.
//   - If the default predicts q as well, c+t errs as much as c with that default
//     and has a rule more, so that it is larger than c, and c was compared with
//     L*. If it predicts r, it errs by U_r − L_r at least. If both together
//     leave no room, c+t is larger than L*.
//
// Those t for which all this decides nothing are counted. One that is useless then
// needs no comparison with L*, as c is smaller (domination.go).

// closed checks that an extension, not smaller than L* itself, is closed.
func (w *walker) closed(c *extension) bool {
	f, length := c.f, len(c.f.prefix)+2
	last := w.room(c.cost+w.price, length)
	longer := w.room(c.cost+w.price+w.price, length+1)
	if length == w.most {
		longer = -1 // nothing is longer
	}
	w.matter = w.matter[:0]
	for q, loses := range c.sum[:w.classes] {
		most := loses + max(last, longer)
		for _, t := range f.live {
			sum := w.at(f.counts, t)
			if sum[q] <= most && w.worst(sum)-sum[q] > w.worth && t != c.antecedent && w.mayMatter(c, q, t, last, longer) {
				w.matter = append(w.matter, t)
			}
		}
	}
	if len(w.matter) > 0 {
		w.countSome(w.matter, f.left, w.captured[c.antecedent], w.scratch)
	}
	for _, t := range w.matter {
		if !w.ends(c, t, w.at(w.scratch, t)) {
			return false
		}
	}
	return true
}

// extension is the prefix of a frame and one rule more.
type extension struct {
	f *frame
	rule
	sum   []int64 // of what it captures
	left  []int64 // of what it leaves
	cost  int64
	least int64 // objective of the lists that are longer and begin with it
}

// mayMatter reports whether the bounds above leave it open what a rule "t then q" behind c
// does.
func (w *walker) mayMatter(c *extension, q, t int, last, longer int64) bool {
	sum := w.at(c.f.counts, t)
	if w.classes > 2 && longer >= 0 {
		longer = w.room(c.cost+w.price+w.behind(c.left, sum), len(c.f.prefix)+3)
	}
	errors := max(0, sum[q]-c.sum[q])
	if errors <= longer {
		return true
	}
	for r, left := range c.left[:w.classes] {
		if r != q && errors+max(0, left-sum[r]) <= last {
			return true
		}
	}
	return false
}

// ends reports whether no list that begins with c and then t is both the
// smallest of all and smaller than L*. In what t captures behind the prefix of
// the frame, both is what c's rule captures as well.
func (w *walker) ends(c *extension, t int, both []int64) bool {
	sum := less(w.sum, w.at(c.f.counts, t), both)
	label, loses := w.label(t, sum)
	if w.worst(sum)-loses <= w.worth || !w.ruleMay(c.f.rows, t, c.antecedent) {
		return true
	}
	cost, length := c.cost+w.unit*loses+w.price, len(c.f.prefix)+2
	left := less(w.both, c.left, sum)
	_, stop := w.best(left)
	if w.isSmaller(cost+w.unit*stop, c.f.prefix, uint16(c.antecedent), uint16(t)) {
		return false
	}
	return length == w.most || w.beyond(max(c.least, cost+w.behind(left, nil)), length) ||
		w.ruleMay(c.f.rows, c.antecedent, t) && commuting(c.rule, rule{t, label}, both)
}
