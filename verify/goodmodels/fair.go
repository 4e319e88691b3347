package goodmodels

import (
	"errors"
	"fmt"
	"math/big"

	"parcorels/ratio"
	"parcorels/rules"
	"parcorels/rules/rates"
	"parcorels/verify/framing"
)

// Limits on differences between two groups of samples, or on an operating point of all samples. The objective G of the
// proof is that of rules and errors, times Z, and of each limit a multiplier μ ≥ 0 times ±D, where D is the sum over the
// samples predicted 1 of what they add to the number. A list within all limits has D in the interval of each. Let δ be its
// end for +D, and less its beginning for −D. Then G is at most Z·objective + Σ μ·δ. So if all lists with a G of at most T are
// paths of the graph, and T is at least that sum for a claimed list within the limits, each list within the limits that is
// better is a path. The checker goes through the least G of the paths by their D, and with that through their least
// objective.

// Limit is a limit that a proof is about, and how G prices it.
type Limit struct {
	Measure rates.Measure
	Most    ratio.Ratio // |rate of the group − rate of the others| at most; Recall and Precision at least, Selected at most

	sign, price int64 // ±1, and μ·Z
	value       []int64
	least, most int64 // of D, in the units of value
}

// end is what ±D is at most, for the sign of the limit.
func (l *Limit) end() int64 {
	if l.sign < 0 {
		return -l.least
	}
	return l.most
}

// mostLimits is how many limits a proof may have.
const mostLimits = 2

// parseLimits reads the limits of a header.
func (p *Proof) parseLimits(h *framing.Parser) {
	n := h.Below("number of limits", mostLimits+1)
	if n > 0 {
		p.scale = h.Below64("scale", mostCost)
	}
	for ; n > 0 && h.Err == nil; n-- {
		l := Limit{Measure: rates.Limited[h.Below("measure", len(rates.Limited))], Most: ratio.Ratio{
			Num: h.Below64("numerator of a limit", mostCost), Den: h.Below64("denominator of a limit", mostCost)}}
		l.sign = 1 - 2*int64(h.Below("sign", 2))
		l.price = h.Below64("multiplier", mostCost)
		p.limits = append(p.limits, l)
	}
}

// Limits returns the limits that the proof is about; none if it is about all good lists.
func (p *Proof) Limits() []Limit { return p.limits }

var errSums = errors.New("its lists have too many different differences to go through")

// prepare finds what each group of samples adds to D, and the interval of D.
func (l *Limit) prepare(set *rules.Set, inside []bool, group []int32, groups int) error {
	if set.Data.ClassCount() != 2 {
		return errClasses
	}
	s, err := l.Measure.Within(set, inside, l.Most)
	if err != nil {
		return err
	}
	l.value = rates.ByGroup(group, groups, s.Value)
	divisor := int64(0)
	for _, v := range l.value {
		divisor = ratio.GCD(divisor, max(v, -v))
	}
	divisor = max(divisor, 1)
	for g := range l.value {
		l.value[g] /= divisor
	}
	by := big.NewInt(divisor)
	down := func(x int64) int64 { return new(big.Int).Div(big.NewInt(x), by).Int64() }
	l.least, l.most = -down(-s.Least), down(s.Most)
	return nil
}

// sums is D of each limit.
type sums [mostLimits]int64

// ofSet returns what predicting 1 adds to D for a set of groups.
func (c *checker) ofSet(set []uint64) (d sums) {
	for k, l := range c.limits {
		for g := range framing.Members(set) {
			d[k] += l.value[g]
		}
	}
	return d
}

func (d sums) plus(e sums) sums { return sums{d[0] + e[0], d[1] + e[1]} }
func (d sums) less(e sums) sums { return sums{d[0] - e[0], d[1] - e[1]} }

// within reports whether D is within all limits.
func (c *checker) within(d sums) bool {
	for k, l := range c.limits {
		if d[k] < l.least || d[k] > l.most {
			return false
		}
	}
	return true
}

// checkFair makes sure that the claimed list is within the limits, and that no list of the graph that is
// has a smaller objective, nor one beyond it.
func (c *checker) checkFair() (*Result, error) {
	objective, d, err := c.evaluate()
	switch {
	case err != nil:
		return nil, err
	case !c.within(d):
		return nil, errors.New("the claimed list is not within the limits")
	}
	reach := product(c.scale, objective)
	for _, l := range c.limits {
		reach.Add(reach, product(l.price, l.end()))
	}
	if reach.Cmp(new(big.Int).Add(big.NewInt(c.most-c.price), big.NewInt(c.base))) > 0 {
		return nil, errors.New("its threshold does not reach all lists that are within the limits and as good as the claimed one")
	}
	least, ok := c.leastByDifference()
	if !ok {
		return nil, errSums
	}
	for d, cost := range least {
		if !c.within(d) {
			continue
		}
		value := new(big.Int).Add(big.NewInt(cost-c.price), big.NewInt(c.base))
		for k, l := range c.limits {
			value.Sub(value, product(l.price*l.sign, d[k]))
		}
		if value.Cmp(product(c.scale, objective)) < 0 {
			return nil, fmt.Errorf("a list within the limits is better than the claimed one, of objective %d", objective)
		}
	}
	return &Result{Rules: c.rules, Default: c.def, Objective: objective}, nil
}

// mostEntries bounds the tables of differences: some gigabytes.
const mostEntries = 4_000_000

// leastByDifference returns the least cost, beyond base, of the good lists with each D. The table of a state has
// its completions. It returns false if the tables have too many entries.
func (c *checker) leastByDifference() (map[sums]int64, bool) {
	tables, at := make([]map[sums]int64, len(c.states)), make([]sums, len(c.states))
	for i := range c.states {
		at[i] = c.ofSet(c.states[i].set)
	}
	entries := 0
	for i := len(c.states) - 1; i >= 0; i-- {
		s, t := &c.states[i], map[sums]int64{}
		add := func(d sums, cost int64) {
			if known, ok := t[d]; cost <= s.room && (!ok || cost < known) {
				t[d] = cost
			}
		}
		add(sums{}, s.ends[0])
		add(at[i], s.ends[1])
		for _, x := range s.splits {
			for label, cost := range c.firstEnds(s, x) {
				var captured sums
				if label == 1 {
					captured = at[i].less(at[x.without])
				}
				for d, more := range tables[x.without] {
					add(captured.plus(d), cost+more)
				}
			}
		}
		if entries += len(t); entries > mostEntries {
			return nil, false
		}
		tables[i] = t
	}
	return tables[0], true
}

// evaluate returns objective and D of the claimed list, from the samples.
func (c *checker) evaluate() (objective int64, d sums, err error) {
	left := c.all
	predict := func(set []uint64, label int) {
		for g := range framing.Members(set) {
			objective += c.den * (c.weight[g] - c.byClass[label][g])
		}
		if label == 1 {
			d = d.plus(c.ofSet(set))
		}
	}
	for _, r := range c.rules {
		column := c.columns[c.column[r.Antecedent]]
		captured := intersect(left, column)
		if !intersects(captured, captured) {
			return 0, d, errors.New("a rule of the claimed list captures nothing")
		}
		predict(captured, r.Label)
		left = without(left, column)
		// Errors and one rule are below 2^60 each, but all rules together may exceed a word. G of the list is at
		// most T, which is below 2^60.
		if objective += c.rule; objective >= mostCost {
			return 0, d, errScale
		}
	}
	predict(left, c.def)
	return objective, d, nil
}
