package rulelist

// An extension c = P+s is closed if each of its own extensions is useless,
// bounded or commuting, and none of them is smaller than L* as a complete list.
// Most are, and most of that follows from the counts behind P: with p_q the
// costs of class q that t captures there, and g_q those that s does, what t
// captures behind c is between p_q − g_q and p_q.
//
// Say t predicts q behind c, and let u_q be what c leaves.
//
//   - If p_q ≤ λN, t is useless.
//   - Otherwise t errs by p_¬q − g_¬q at least. If that leaves no room for a
//     rule more, or lists have no more rules, c+t is bounded.
//   - If the default predicts q as well, c+t errs as much as c with that default
//     and has a rule more, so that it is larger than c, and c was compared with
//     L*. If it predicts ¬q, it errs by u_q − p_q at least. If both together
//     leave no room, c+t is larger than L*.
//
// The first bound rises with p_¬q, and both together are at least
// p_¬q − g_¬q + u_q − p_q. So where the least p_¬q and the least p_¬q − p_q among
// the t with p_q > λN leave no room, no t does, and none is looked at.
//
// Those t for which all this decides nothing are counted. One that is useless then
// needs no comparison with L*, as c is smaller (useless.go).

// closed checks that the extension of f by s, not smaller than L* itself, is
// closed.
func (w *walker) closed(f *frame, s int) bool {
	c := extension{f: f, antecedent: s, gains: f.counts[s]}
	c.cost = f.cost + w.unit*c.gains.errors() + w.price
	c.left = gains{f.costs[0] - c.gains[0], f.costs[1] - c.gains[1]}
	length := len(f.prefix) + 2
	last := w.room(c.cost+w.price, length)
	longer := w.room(c.cost+2*w.price, length+1)
	if length == w.most {
		longer = -1 // nothing is longer
	}
	if !f.fewest.mayMatter(&c, last, longer) {
		return true
	}
	w.matter = w.matter[:0]
	for _, t := range f.live {
		if t != s && w.mayMatter(f.counts[t], &c, last, longer) {
			w.matter = append(w.matter, t)
		}
	}
	if len(w.matter) > 0 {
		w.countSome(w.matter, f.left, w.captured[s], w.scratch)
	}
	for _, t := range w.matter {
		if !w.ends(&c, t, w.scratch[t]) {
			return false
		}
	}
	return true
}

// extension is the prefix of a frame and one antecedent more.
type extension struct {
	f          *frame
	antecedent int
	gains      gains
	cost       int64
	left       gains // costs of what it leaves
}

// least are the least values, over the live antecedents behind a prefix that
// capture p_q > λN of class q, by q.
type least struct {
	other [2]int64 // p_¬q
	less  [2]int64 // p_¬q − p_q
}

// none is more than any costs.
const none = 2 * maxScaled

func noLeast() least { return least{[2]int64{none, none}, [2]int64{none, none}} }

// add notes an antecedent that captures costs p.
func (l *least) add(p gains, worth int64) {
	for q := range 2 {
		if p[q] > worth {
			l.other[q] = min(l.other[q], p[1-q])
			l.less[q] = min(l.less[q], p[1-q]-p[q])
		}
	}
}

// mayMatter reports whether there may be an antecedent of which the function
// below says so.
func (l *least) mayMatter(c *extension, last, longer int64) bool {
	for q := range 2 {
		errors := max(0, l.other[q]-c.gains[1-q])
		if errors <= longer || max(errors, l.less[q]-c.gains[1-q]+c.left[q]) <= last {
			return true
		}
	}
	return false
}

// mayMatter reports whether the bounds above leave it open what a rule behind c
// does that captures costs p behind the prefix of f.
func (w *walker) mayMatter(p gains, c *extension, last, longer int64) bool {
	for q := range 2 {
		if p[q] <= w.worth {
			continue
		}
		errors := max(0, p[1-q]-c.gains[1-q])
		if errors <= longer || errors+max(0, c.left[q]-p[q]) <= last {
			return true
		}
	}
	return false
}

// ends reports whether no list that begins with c and then t is both the
// smallest of all and smaller than L*. Of what t captures behind the prefix of
// f, both is what s captures as well.
func (w *walker) ends(c *extension, t int, both gains) bool {
	g := c.f.counts[t]
	g = gains{g[0] - both[0], g[1] - both[1]}
	if w.useless(g, c.left) {
		return true
	}
	cost := c.cost + w.unit*g.errors() + w.price
	rest := gains{c.left[0] - g[0], c.left[1] - g[1]}
	if w.isSmaller(cost+w.unit*rest.errors(), c.f.prefix, uint16(c.antecedent), uint16(t)) {
		return false
	}
	return len(c.f.prefix)+2 == w.most || w.bounded(cost, len(c.f.prefix)+2) ||
		commuting(rule{c.antecedent, c.gains.label()}, rule{t, g.label()}, both)
}
