package graph

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"
	"unsafe"

	"parcorels/ratio"
)

// Limits. Minimise the objective over all lists of which numbers D stay within intervals; each D is
// a sum over the points predicted 1, such as the difference of a rate between two groups, or the weight of
// class 1 that is found.
//
// For multipliers μ ≥ 0 and signs s let G(f) = objective(f) + Σ μ·s·D(f). To minimise G is an
// ordinary problem, with other costs at the points. Let δ be the end of the interval of D if s is 1, and less its
// beginning if s is −1. A list that keeps the limits has G(f) ≤ objective(f) + Σ μ·δ. So
//
//   - min G − Σ μ·δ is a lower bound, whatever μ is;
//   - T9: with the objective UB of some list that keeps the limits, every such list that is no worse is among
//     the good lists of G within UB + Σ μ·δ.
//
// So the graph of G is built for growing thresholds, each of its values of D has its least G, and with it
// its least objective, and when the threshold has reached UB + Σ μ·δ the least of those within the
// limits is the optimum. The size of the graph depends on the gap between the bound and UB, not
// on what fairness costs. The multipliers are found by bisection; they decide the time alone.

// Limit keeps a number between Least and Most.
type Limit struct {
	Value       []int64 // by point: what predicting class 1 adds
	Least, Most int64
	Told        []int64 // what a proof says of it, by which a checker finds it again

	// Price is a multiplier that is known to be good, of D falling; zero: it is looked for.
	Price ratio.Ratio
}

// keeps reports whether a number is within the limit.
func (l *Limit) keeps(d int64) bool { return l.Least <= d && d <= l.Most }

// end is what ±D is at most, for the sign of it.
func (l *Limit) end(sign int64) int64 {
	if sign < 0 {
		return -l.Least
	}
	return l.Most
}

// Fair is the best list within the limits.
type Fair struct {
	Model
	D     []int64 // of each limit
	Bound int64   // no list within the limits has a smaller objective; that of the list if it is optimal
	// States is the size of the graph that proves it.
	States int
	Solves int // minimisations of G
}

// Optimal reports that it is proved that no list within the limits is better.
func (f *Fair) Optimal() bool { return f.Bound == f.Objective }

// fairness is a call of Fairest.
type fairness struct {
	ctx     context.Context
	p       *Problem
	limits  []Limit
	options Options
	scale   int64     // Z: G counts in units of 1/Z of the objective's
	sign    []int64   // of D where it is to fall
	price   []int64   // μ·Z
	end     time.Time // of the time allowed; zero: none
	bound   int64     // no list within the limits has a smaller objective
	best    Fair      // without nodes: none was found yet
}

// errNotPriced reports that the costs do not allow multipliers that are fine enough.
var errNotPriced = errors.New("the weights have too many digits for a limit: scale them down")

// ErrOutside reports that no list is known that is within the limits.
var ErrOutside = errors.New("not even a list that predicts one class for all is within the limits")

// priceSteps is how many steps of a multiplier an error at one point has.
const priceSteps = 64

// Fairest finds the best list within one or two limits. A limit of Options, or the end of ctx, leaves the
// best that was found, with a bound. The search begins with the first rules, or all, of known lists, and
// with a bound that no list is below.
func Fairest(ctx context.Context, p *Problem, limits []Limit, o Options, known []Model, bound int64) (*Fair, error) {
	f := &fairness{ctx: ctx, p: p, options: o, scale: 1, sign: make([]int64, len(limits)), price: make([]int64, len(limits))}
	if o.Time > 0 {
		f.end = time.Now().Add(o.Time)
	}
	for i := range p.Points {
		_, least, _ := p.label(i)
		f.bound += least
	}
	for _, l := range limits {
		l, largest := reduced(l)
		f.limits = append(f.limits, l)
		f.scale = max(f.scale, priceSteps*largest)
	}
	f.bound = max(f.bound, bound)
	for _, list := range append(known, Model{Preorder: []int{-1}}) {
		for end := 0; end < len(list.Preorder); end += 2 {
			for label := range p.Loss {
				f.offer(append(slices.Clip(list.Preorder[:end]), -1-label))
			}
		}
	}
	if f.best.Preorder == nil {
		return nil, ErrOutside
	}
	var err error
	if f.best.Objective > f.bound || o.Proof != nil {
		if err = f.choosePrices(); err == nil {
			err = f.prove()
		}
	}
	if err != nil && !errors.Is(err, ErrLimit) {
		return nil, err
	}
	if f.best.Bound = min(f.bound, f.best.Objective); err != nil && o.Proof != nil {
		f.best.Bound = min(f.bound, f.best.Objective-1) // what has no whole proof is not optimal
	}
	return &f.best, nil
}

// reduced divides a limit by what its values have in common.
func reduced(l Limit) (Limit, int64) {
	var d, largest int64
	for _, v := range l.Value {
		d, largest = ratio.GCD(d, max(v, -v)), max(largest, v, -v)
	}
	d = max(d, 1)
	out := Limit{make([]int64, len(l.Value)), ceilDiv(l.Least, d), floorDiv(l.Most, d), l.Told, l.Price}
	out.Price.Num *= d
	for i, v := range l.Value {
		out.Value[i] = v / d
	}
	return out, largest / d
}

// Predicts returns the class that a list, given by its nodes, predicts at a point.
func (p *Problem) Predicts(list []int, point int) int {
	for len(list) > 1 && p.Columns[list[0]][point/64]>>(point%64)&1 == 0 {
		list = list[2:]
	}
	return -1 - list[min(1, len(list)-1)]
}

// offer keeps a list, given by its nodes, if it is within the limits and smaller than the best so far.
func (f *fairness) offer(list []int) {
	m, d := Model{list, f.p.Price * int64(len(list)/2)}, make([]int64, len(f.limits))
	for i := range f.p.Points {
		class := f.p.Predicts(list, i)
		m.Objective += f.p.Loss[class][i]
		for k, limit := range f.limits {
			if class == 1 {
				d[k] += limit.Value[i]
			}
		}
	}
	for k, limit := range f.limits {
		if !limit.keeps(d[k]) {
			return
		}
	}
	if f.best.Preorder == nil || m.smaller(f.best.Model) {
		f.best.Model, f.best.D = m, d
	}
}

// smaller is the order objective, size, antecedents.
func (m Model) smaller(than Model) bool {
	return cmp.Or(cmp.Compare(m.Objective, than.Objective), len(m.Preorder)-len(than.Preorder), compareNodes(m.Preorder, than.Preorder)) < 0
}

// problem returns the problem of G.
func (f *fairness) problem() (*Problem, error) {
	p := *f.p
	p.Price *= f.scale
	if p.Price/f.scale != f.p.Price {
		return nil, errNotPriced
	}
	p.Loss = slices.Clone(p.Loss)
	for q := range p.Loss {
		p.Loss[q] = slices.Clone(p.Loss[q])
		for i := range p.Loss[q] {
			if x := p.Loss[q][i]; x*f.scale/f.scale != x {
				return nil, errNotPriced
			}
			p.Loss[q][i] *= f.scale
			if q == 1 {
				for k, l := range f.limits {
					p.Loss[q][i] += f.price[k] * f.sign[k] * l.Value[i]
				}
			}
		}
	}
	return &p, nil
}

// most returns the largest G that a list within the limits, as good as the best, can have.
func (f *fairness) most() int64 { return f.scale*f.best.Objective + f.constant() }

// builder returns a build of G.
func (f *fairness) builder() (*builder, error) {
	p, err := f.problem()
	if err != nil {
		return nil, err
	}
	f.best.Solves++
	o := f.options
	if !f.end.IsZero() {
		o.Time = max(time.Until(f.end), 1)
	}
	return newBuilder(f.ctx, p, o)
}

// table returns the smallest list of each value of D in a set of G, with true objectives.
func (f *fairness) table(s *Set) (*Table, bool) {
	var at [2]func(state, class int) key
	for k, l := range f.limits {
		at[k] = s.added([][]int64{nil, l.Value})
	}
	end := func(state, class int) (d key) {
		for k := range f.limits {
			d[k] = at[k](state, class)[0]
		}
		return d
	}
	halted := func() bool { return f.ctx.Err() != nil || !f.end.IsZero() && time.Now().After(f.end) }
	most := int64(1) << 25
	if m := f.options.Memory; m > 0 {
		most = min(most, m/int64(unsafe.Sizeof(entry{})))
	}
	return s.tabulate(property{end: end}, int(most), halted)
}

// offerAll offers the smallest list of each value of D, and returns the values of the first,
// whose G is least.
func (f *fairness) offerAll(t *Table) key {
	for i := range t.Len() {
		ok := true
		for k, l := range f.limits {
			ok = ok && l.keeps(t.Key(i)[k])
		}
		if ok {
			f.offer(t.At(i).Preorder)
		}
	}
	return t.Key(0)
}

// minimise finds the least G, a bound, and returns D where it is taken.
func (f *fairness) minimise() (d key, err error) {
	b, err := f.builder()
	if err != nil {
		return d, err
	}
	least, err := b.optimum(f.most() - b.base)
	if err == nil {
		err = b.attempt(least)
	}
	if err != nil {
		return d, err
	}
	f.atLeast(least + b.base)
	t, ok := f.table(b.finish())
	if !ok {
		return d, ErrLimit
	}
	return f.offerAll(t), nil
}

// choosePrices finds multipliers for which the bound is large: for each limit in turn
// the least one that brings D within it.
func (f *fairness) choosePrices() error {
	if price := f.limits[0].Price; len(f.limits) == 1 && price.Num > 0 {
		f.sign[0] = 1
		f.price[0] = int64(float64(f.scale) * price.Float())
		if f.price[0] > 0 && f.price[0] < mostPrice {
			return nil
		}
	}
	d, err := f.minimise()
	if err != nil {
		return err
	}
	for k := range f.limits {
		if f.sign[k] = 1; d[k] < f.limits[k].Least {
			f.sign[k] = -1
		}
	}
	for k, l := range f.limits {
		if f.sign[k]*d[k] <= l.end(f.sign[k]) {
			continue
		}
		at := func(price int64) (within bool, err error) {
			f.price[k] = price
			d, err = f.minimise()
			return f.sign[k]*d[k] <= l.end(f.sign[k]), err
		}
		low, high := int64(0), int64(priceSteps/8)
		for within := false; !within && high < mostPrice; {
			if within, err = at(high); err != nil {
				return err
			}
			if !within {
				low, high = high, 2*high
			}
		}
		for high-low > max(1, high/priceSteps) {
			middle := (low + high) / 2
			within, err := at(middle)
			if err != nil {
				return err
			}
			if within {
				high = middle
			} else {
				low = middle
			}
		}
		f.price[k] = high
	}
	return nil
}

// mostPrice bounds a multiplier: some thousand errors for one point.
const mostPrice = priceSteps << 12

// prove grows the graph of G until no better list can be missing.
func (f *fairness) prove() error {
	b, err := f.builder()
	if err != nil {
		return err
	}
	least, err := b.optimum(f.most() - b.base)
	if err != nil {
		return err
	}
	for slack := max(b.Price/16, 1); ; slack *= 2 {
		threshold := min(least+b.base+slack, f.most())
		if err := b.attempt(threshold - b.base); err != nil {
			return err
		}
		s := b.finish()
		f.best.States = max(f.best.States, s.States())
		t, ok := f.table(s)
		if !ok {
			return ErrLimit
		}
		if t.Len() > 0 {
			f.offerAll(t)
		}
		if threshold >= f.most() {
			f.bound = f.best.Objective
			if to := f.options.Proof; to != nil {
				return b.prove(to, f.limited())
			}
			return nil
		}
		f.atLeast(threshold + 1) // all lists up to there are known
	}
}

// limited is what a proof says of G: the limits, Z, and of each limit what it is, its sign (0: D is to fall, 1: to
// rise) and its multiplier times Z. It claims the best list: its rules, antecedent and label in one number, and its
// default. G of a list within the limits is at least −Σ μ·max(0, −δ).
func (f *fairness) limited() *limited {
	out := &limited{header: []int64{int64(len(f.limits)), f.scale}}
	for k, l := range f.limits {
		out.header = append(append(out.header, l.Told...), (1-f.sign[k])/2, f.price[k])
		out.lift += f.price[k] * max(0, -l.end(f.sign[k]))
	}
	list, classes := f.best.Preorder, len(f.p.Loss)
	out.claim = binary.AppendUvarint(nil, uint64(len(list)/2))
	for ; len(list) > 1; list = list[2:] {
		out.claim = binary.AppendUvarint(out.claim, uint64(classes*list[0]-1-list[1]))
	}
	out.claim = binary.AppendUvarint(out.claim, uint64(-1-list[0]))
	return out
}

// atLeast takes in that every list within the limits, but for those that were offered, has so large a G.
func (f *fairness) atLeast(g int64) { f.bound = max(f.bound, ceilDiv(g-f.constant(), f.scale)) }

// constant is Σ μ·δ, times Z.
func (f *fairness) constant() (sum int64) {
	for k, l := range f.limits {
		sum += f.price[k] * l.end(f.sign[k])
	}
	return sum
}

func floorDiv(a, b int64) int64 { return -ceilDiv(-a, b) }

func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}
