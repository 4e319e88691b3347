package separation

import (
	"math"
	"math/bits"
)

// Ascents over pairs with few rules.
//
// A table of some dozens of antecedents has thousands of pairs, but each has some few rules, so
// the loads of rules are numbers side by side, not bits of masks. A pair is one record, and where a full
// rule or point keeps it from being raised, that shows at once. NYCLU with λ = .0025 takes a fifth of
// the time for an ascent.

const (
	fewRules = 8  // of a pair at most
	fewShare = 16 // of the sets, one may be none of these pairs, and is left out
)

// fewSet is a pair with few rules.
type fewSet struct {
	points [2]Point
	rules  [fewRules]uint16 // bits of masks
	n      int32            // rules
}

// pairsWithFew returns those of the sets that are pairs with few rules, if nearly all are.
func (r *Root) pairsWithFew(sets []int32) (few []int32, nearly bool) {
	for _, k := range sets {
		rules := 0
		for q, live := range r.Context.Live {
			for i, w := range r.Pool.pureOn(k, q) {
				rules += bits.OnesCount64(w & live[i])
			}
		}
		if len(r.Pool.Set(k)) == 2 && rules <= fewRules {
			few = append(few, k)
		}
	}
	return few, (len(sets)-len(few))*fewShare <= len(sets)
}

// listFew lists the sets.
func (a *plan) listFew() {
	a.few = make([]fewSet, len(a.sets))
	for i := range a.few {
		x := &a.few[i]
		copy(x.points[:], a.point[a.from[i]:a.from[i+1]])
		for j, w := range a.pure[i*a.words:][:a.words] {
			for ; w != 0; w &= w - 1 {
				x.rules[x.n] = uint16(j*64 + bits.TrailingZeros64(w))
				x.n++
			}
		}
	}
}

// beginFew is what begin does for these.
func (a *ascent) beginFew() {
	for i := range a.bears {
		a.bears[i] = math.MaxInt32
	}
	quanta := int32(1<<a.depth - a.start)
	for i, w := range a.live {
		for ; w != 0; w &= w - 1 {
			a.bears[i*64+bits.TrailingZeros64(w)] = quanta
		}
	}
	copy(a.spare, a.cost)
}

// runFew is run for these.
func (a *ascent) runFew(most int64) {
	for _, i := range a.begun {
		if a.open[i/64]>>(i%64)&1 == 1 {
			a.raiseFew(i, a.first[i])
		}
	}
	a.work += int64(len(a.begun)) / 4
	for i, m := range a.open {
		if m == 0 {
			continue
		}
		if a.value > most {
			return
		}
		a.work += int64(bits.OnesCount64(m)) * 2
		for ; m != 0; m &= m - 1 {
			a.raiseFew(int32(i*64+bits.TrailingZeros64(m)), math.MaxInt32)
		}
	}
}

// touchesFew counts for some columns the quanta of the sets that each touches.
func (a *ascent) touchesFew(open []uint64) {
	a.touchedFew = resize(a.touchedFew, len(a.p.Columns))
	clear(a.touchedFew)
	for _, k := range a.raised {
		y, x := int64(a.y[k]), &a.few[k]
		one, zero := a.p.row(x.points[0]), a.p.row(x.points[1])
		for i, w := range one {
			for m := (w | zero[i]) & open[i]; m != 0; m &= m - 1 {
				a.touchedFew[i*64+bits.TrailingZeros64(m)] += y
			}
		}
	}
	a.work += 4 * int64(len(a.raised))
}

// raiseFew is raise for one of these.
func (a *ascent) raiseFew(i, n int32) {
	x := &a.few[i]
	e, f := &a.spare[x.points[0]], &a.spare[x.points[1]]
	n = min(n, *e, *f)
	rules := x.rules[:x.n&(2*fewRules-1)]
	for _, r := range rules {
		n = min(n, a.bears[r])
	}
	if n == 0 {
		return
	}
	for _, r := range rules {
		a.bears[r] -= n
	}
	*e -= n
	*f -= n
	if a.y[i] == 0 {
		a.raised = append(a.raised, i)
	}
	a.y[i] += n
	a.value += int64(n)
}
