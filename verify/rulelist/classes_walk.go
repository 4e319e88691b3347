package rulelist

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"parcorels/verify/framing"
)

// The way down the prefixes of a proof of more than two classes (classes.go). The argument and
// its steps are those of two classes.

// classChecker is what the goroutines share.
type classChecker struct {
	checker
	p                       *classProblem
	extensions, dominations atomic.Int64
	counted                 *walker // for the watch
	walkers                 sync.Pool
}

// classFrame is an expanded prefix at work.
type classFrame struct {
	classState
	sum    []int64 // of what is left
	counts []int64 // by antecedent, of what it captures there
	before []int64 // likewise, before the last rule; nil of the empty prefix
	last   rule
	least  int64 // what longer lists cost at least, as far as is known

	usable [][]uint64 // by label: antecedents of rules that a smaller list may have behind the prefix; nil: all
	above  []int64    // by antecedent: as least is, of the extension; nil without a bound of the prefix
}

// classState is a prefix with its cost and what it leaves.
type classState struct {
	prefix []uint16
	cost   int64
	left   []uint64
}

// classWalker has buffers of one goroutine.
type classWalker struct {
	seen      *epochSet
	other, of []uint16
	sum       []int64
	set       []uint64
	bounds    *classEvaluator // nil without bounds
}

// checkClasses checks the records behind the header of a proof of more than two classes.
func (p *Proof) checkClasses(ctx context.Context, set checkedSet, s *samples, o Options, watch *watch) (Result, error) {
	x, err := newClassProblem(s, p.about, p.most, set.digest)
	if err != nil {
		return Result{}, err
	}
	limits := x.limits()
	tree, claim, err := p.readAll(ctx.Err, limits, &watch.records)
	if err != nil {
		return Result{}, err
	}
	if len(tree.symmetries) > 0 {
		return Result{}, refused("it has records of symmetries, which are about two classes")
	}
	if err := x.claimClasses(claim); err != nil {
		return Result{}, err
	}
	if err := x.useBounds(tree); err != nil {
		return Result{}, err
	}
	c := &classChecker{p: x, checker: checker{problem: x.problem, tree: tree, limits: limits, watch: watch, names: set.name, ctx: ctx}}
	c.walkers.New = func() any {
		return &classWalker{seen: newEpochSet(len(x.captured)), sum: make([]int64, x.stride), set: make([]uint64, len(x.all)), bounds: newClassEvaluator(x, tree)}
	}
	c.counted = &walker{checker: &c.checker}
	watch.expanded = tree.expanded()
	watch.walkers.Store(&[]*walker{c.counted})
	r := c.result(claim, p.about)
	if err := c.run(o.workers()); err != nil {
		return Result{}, err
	}
	r.Prefixes, r.Extensions, r.Dominations = c.counted.prefixes.Load(), c.extensions.Load(), c.dominations.Load()
	return r, ctx.Err()
}

// checkedSet is what a check needs of the antecedents beside the samples.
type checkedSet struct {
	digest [32]byte
	name   func(antecedent uint16) string
}

func (c *classChecker) run(workers int) error {
	c.group = &errgroup.Group{}
	c.group.SetLimit(workers)
	root := c.extend(nil, 0)
	if w := c.walkers.Get().(*classWalker); w.bounds != nil {
		for _, b := range c.tree.bounds {
			w.bounds.use(root, b)
		}
	}
	c.group.Go(func() error {
		c.down(root, 0)
		return nil
	})
	_ = c.group.Wait() // no goroutine returns an error
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if f := c.failed.Load(); f != nil {
		return fmt.Errorf("%w: %w", framing.ErrRefused, f.Failure)
	}
	if f := c.remaining(); f != nil {
		return fmt.Errorf("%w: %w", framing.ErrRefused, f)
	}
	return nil
}

// extend returns the frame of the prefix of parent and s, or of the empty prefix.
func (c *classChecker) extend(parent *classFrame, s int) *classFrame {
	x := c.p
	f := &classFrame{sum: slices.Clone(x.sum), counts: make([]int64, len(x.captured)*x.stride), last: rule{antecedent: -1}}
	f.cost, f.left = x.unit*x.base, slices.Clone(x.all)
	if parent != nil {
		label, loses := x.label(x.at(parent.counts, s))
		f.cost, f.prefix = parent.cost+x.unit*loses+x.price, append(slices.Clone(parent.prefix), uint16(s))
		remove(f.left, parent.left, x.captured[s])
		f.before, f.last, f.usable = parent.counts, rule{s, label}, parent.usable
		x.count(f.sum, f.left)
	}
	x.countEvery(f.counts, f.left)
	return f
}

// down checks the expanded prefix at f and all expanded ones behind it.
func (c *classChecker) down(f *classFrame, id uint32) {
	if c.ctx.Err() != nil || c.isLate(f.prefix) {
		return
	}
	w := c.walkers.Get().(*classWalker)
	children, fail := c.expanded(w, f, id)
	c.walkers.Put(w)
	if fail != nil {
		c.note(f.prefix, fail)
		return
	}
	for _, k := range children {
		go1 := func() error {
			next := c.extend(f, k.antecedent)
			next.least = k.least
			c.down(next, k.node)
			return nil
		}
		if !c.group.TryGo(go1) {
			_ = go1()
		}
	}
}

// expanded checks one prefix, and returns its extensions that are to be checked in turn.
func (c *classChecker) expanded(w *classWalker, f *classFrame, id uint32) (children []child, fail *Failure) {
	x := c.p
	c.counted.prefixes.Add(1)
	if _, stop := x.label(f.sum); x.isSmaller(f.cost+x.unit*stop, f.prefix) {
		return nil, c.failure(f.prefix, smallerList)
	}
	for _, b := range c.tree.weighed[id] {
		if w.bounds != nil {
			w.bounds.use(f, b)
		}
		if x.beyond(f.least, len(f.prefix)) {
			return nil, nil
		}
	}
	if id != root && c.tree.nodes[id].flags&hasExpanded == 0 {
		return nil, c.failure(f.prefix, nothingShows)
	}
	dominated, nodes := map[int]bool{}, map[int]uint32{}
	c.tree.nodes[id].flags |= expandedDone
	if fail := c.exceptions(w, &f.classState, id, dominated); fail != nil {
		return nil, fail
	}
	for k := c.tree.nodes[id].first; k != 0; k = c.tree.nodes[k].next {
		n := &c.tree.nodes[k]
		if n.flags&hasDominated != 0 {
			n.flags |= dominatedDone
			if fail := c.dominatedRecord(w, &f.classState, k, c.tree.record(k, hasDominated)); fail != nil {
				return nil, fail
			}
			dominated[int(n.antecedent)] = true
		} else if n.flags&(hasExpanded|hasBound) != 0 {
			nodes[int(n.antecedent)] = k
		}
	}
	live := c.live(f)
	for s := range x.captured {
		if slices.Contains(f.prefix, uint16(s)) {
			continue
		}
		c.extensions.Add(1)
		e := c.extension(f, s)
		if x.isSmaller(e.cost+x.unit*e.stop, f.prefix, uint16(s)) {
			return nil, c.failure(f.prefix, smallerList, uint16(s))
		}
		switch node, expanded := nodes[s]; {
		case x.most > 0 && e.length == x.most, x.uselessRule(e.sum, f.sum), x.beyond(e.least, e.length), dominated[s], c.commutesClasses(w, f, e), f.excludes(s, e.label):
		case expanded:
			children = append(children, child{s, node, e.least})
		case !c.closedClasses(w, e, live):
			return nil, c.failure(f.prefix, nothingShows, uint16(s))
		}
	}
	return children, nil
}

// live lists the antecedents that are not useless behind a prefix.
func (c *classChecker) live(f *classFrame) (live []int) {
	for a := range c.p.captured {
		if !slices.Contains(f.prefix, uint16(a)) && !c.p.uselessRule(c.p.at(f.counts, a), f.sum) {
			live = append(live, a)
		}
	}
	return live
}

// classExtension is the prefix of a frame and one antecedent more.
type classExtension struct {
	f          *classFrame
	antecedent int
	label      int
	sum        []int64 // of what it captures
	left       []int64 // of what it leaves
	cost, stop int64   // stop is what the default loses
	length     int
	least      int64 // of longer lists
}

func (c *classChecker) extension(f *classFrame, s int) *classExtension {
	x := c.p
	e := &classExtension{f: f, antecedent: s, sum: x.at(f.counts, s), left: slices.Clone(f.sum), length: len(f.prefix) + 1}
	for i, v := range e.sum {
		e.left[i] -= v
	}
	var loses int64
	e.label, loses = x.label(e.sum)
	_, e.stop = x.label(e.left)
	e.cost = f.cost + x.unit*loses + x.price
	e.least = max(f.longer(s), e.cost+x.behind(e.left, nil))
	return e
}

// commutesClasses reports whether an extension trades places with the last rule of the prefix.
func (c *classChecker) commutesClasses(w *classWalker, f *classFrame, e *classExtension) bool {
	if f.before == nil {
		return false
	}
	for i, v := range c.p.at(f.before, e.antecedent) {
		w.sum[i] = v - e.sum[i]
	}
	return c.p.trade(f.last, rule{e.antecedent, e.label}, w.sum)
}

// closedClasses checks that an extension, not smaller than the claimed list itself, is closed.
func (c *classChecker) closedClasses(w *classWalker, e *classExtension, live []int) bool {
	x, f := c.p, e.f
	for _, t := range live {
		if t == e.antecedent || !c.mayMatter(e, x.at(f.counts, t)) {
			continue
		}
		intersect(w.set, f.left, x.captured[e.antecedent])
		intersect(w.set, w.set, x.captured[t])
		both := x.count(w.sum, w.set)
		if !c.endsClasses(e, t, both) {
			return false
		}
	}
	return true
}

// mayMatter reports whether it is open what a rule does behind an extension that captures a sum
// behind the prefix of the frame.
func (c *classChecker) mayMatter(e *classExtension, t []int64) bool {
	x := c.p
	more := x.most == 0 || e.length+1 < x.most
	longer := e.cost + x.price + x.behind(e.left, t)
	for q := range x.k {
		if t[x.k]-t[q] <= x.worth {
			continue
		}
		errors := max(0, t[q]-e.sum[q])
		if more && !x.beyond(longer+x.unit*errors, e.length+1) {
			return true
		}
		for r := range x.k {
			if r == q {
				continue
			}
			objective := e.cost + x.price + x.unit*(errors+max(0, e.left[r]-t[r]))
			if objective < x.objective || objective == x.objective && e.length+1 <= len(x.claimed) {
				return true
			}
		}
	}
	return false
}

// endsClasses reports whether no list that begins with e and then t is both the smallest of all
// and smaller than the claimed one. Of what t captures behind the prefix, both is what e captures as well.
func (c *classChecker) endsClasses(e *classExtension, t int, both []int64) bool {
	x := c.p
	sum, left := slices.Clone(x.at(e.f.counts, t)), slices.Clone(e.left)
	for i, v := range both {
		sum[i] -= v
		left[i] -= sum[i]
	}
	if x.uselessRule(sum, e.left) {
		return true
	}
	label, loses := x.label(sum)
	_, stop := x.label(left)
	cost := e.cost + x.unit*loses + x.price
	if x.isSmaller(cost+x.unit*stop, e.f.prefix, uint16(e.antecedent), uint16(t)) {
		return false
	}
	return e.length+1 == x.most || x.beyond(max(e.least, cost+x.behind(left, nil)), e.length+1) ||
		x.trade(rule{e.antecedent, e.label}, rule{t, label}, both)
}

// exceptions checks those of the records that a prefix is expanded, and notes them.
func (c *classChecker) exceptions(w *classWalker, at *classState, id uint32, dominated map[int]bool) *Failure {
	return c.tree.expansions(id, func(p parser) *Failure {
		for {
			e, ok := p.exception(at.prefix, c.limits, w.seen, &w.other)
			if !ok {
				return nil
			}
			if fail := c.domination(w, at, e.antecedent, e.by); fail != nil {
				return fail
			}
			dominated[e.antecedent] = true
		}
	})
}

// dominatedRecord checks a record that a node, of which at is the parent, is dominated.
func (c *classChecker) dominatedRecord(w *classWalker, at *classState, id uint32, p parser) *Failure {
	s := c.tree.nodes[id].antecedent
	w.of = append(append(w.of[:0], at.prefix...), s)
	return c.domination(w, at, int(s), p.dominator(w.of, c.limits, w.seen, &w.other))
}

// state returns the state of a prefix, or the failure that it is smaller than the claimed list.
func (c *classChecker) state(w *classWalker, prefix []uint16) (*classState, *Failure) {
	x := c.p
	at := &classState{prefix: slices.Clone(prefix), cost: x.unit * x.base, left: slices.Clone(x.all)}
	for _, a := range prefix {
		intersect(w.set, at.left, x.captured[a])
		_, loses := x.label(x.count(w.sum, w.set))
		at.cost += x.unit*loses + x.price
		remove(at.left, at.left, x.captured[a])
	}
	if _, stop := x.label(x.count(w.sum, at.left)); x.isSmaller(at.cost+x.unit*stop, prefix) {
		return nil, c.failure(prefix, smallerList)
	}
	return at, nil
}

// domination checks that the prefix of at and s is dominated by what a record names.
func (c *classChecker) domination(w *classWalker, at *classState, s int, d dominator) *Failure {
	x := c.p
	c.dominations.Add(1)
	by := d.prefix
	if d.kind == byShorter {
		by = slices.Delete(append(slices.Clone(at.prefix), uint16(s)), d.which, d.which+1)
	}
	a, fail := c.state(w, by)
	if fail != nil {
		return fail
	}
	intersect(w.set, at.left, x.captured[s])
	_, loses := x.label(x.count(w.sum, w.set))
	cost := at.cost + x.unit*loses + x.price
	for k, left := range a.left {
		w.set[k] = left &^ (at.left[k] &^ x.captured[s][k])
	}
	least := a.cost + x.unit*x.count(w.sum, w.set)[x.k]
	n := len(at.prefix) + 1
	before := len(by) < n || len(by) == n && slices.Compare(by, append(slices.Clone(at.prefix), uint16(s))) < 0
	if (x.most == 0 || len(by) <= n) && (least < cost || least == cost && before) {
		return nil
	}
	return c.failure(at.prefix, "it is not dominated by "+c.describe(d)+", as the proof says", uint16(s))
}

// remaining checks the records that the way down had no use for.
func (c *classChecker) remaining() *Failure {
	w := c.walkers.Get().(*classWalker)
	dominated := map[int]bool{}
	check := func(id uint32, p parser) *Failure {
		at, fail := c.state(w, c.tree.prefix(c.tree.nodes[id].parent, nil))
		if fail == nil {
			fail = c.dominatedRecord(w, at, id, p)
		}
		return fail
	}
	for id := range c.tree.nodes {
		n := c.tree.nodes[id]
		if c.ctx.Err() != nil {
			return nil
		}
		if n.flags&hasDominated != 0 && n.flags&dominatedDone == 0 {
			if fail := check(uint32(id), c.tree.record(uint32(id), hasDominated)); fail != nil {
				return fail
			}
		}
		if n.flags&hasExpanded == 0 || n.flags&expandedDone != 0 {
			continue
		}
		at, fail := c.state(w, c.tree.prefix(uint32(id), nil))
		if fail == nil {
			fail = c.exceptions(w, at, uint32(id), dominated)
		}
		if fail != nil {
			return fail
		}
	}
	for _, r := range c.tree.again {
		if fail := check(r.id, c.tree.parser(r.at)); fail != nil {
			return fail
		}
	}
	return nil
}
