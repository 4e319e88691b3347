package search

import (
	"context"
	"slices"

	"parcorels/bitvec"
)

// polisher improves lists by single changes (a rule added, removed, replaced or
// moved), the best at a place, until none is better. A chain that is near a maximum
// rarely proposes the one antecedent that is missing; this finds it.
//
// Rules that are added or replaced are evaluated for all antecedents at once, from
// counts alone (list.go); for the others the list is made.
type polisher struct {
	p      *posterior
	list   segmented // that is polished
	others segmented // the same without a rule
	best   solution
	trial  []int
	left   []uint64

	prog           bitvec.Program
	taken1, taken0 []int64 // by antecedent: what satisfies it of the rules from a place on
	rest           []int64 // by antecedent: Σ l of these rules without it
}

func newPolisher(p *posterior) *polisher {
	n := len(p.card)
	return &polisher{p: p, list: segmented{list: newList(p)}, others: segmented{list: newList(p)}, left: make([]uint64, p.in.Words),
		taken1: make([]int64, n), taken0: make([]int64, n), rest: make([]int64, n)}
}

// run polishes a list, place by place, until there was no better one at any place.
func (o *polisher) run(ctx context.Context, s solution) solution {
	o.set(&o.list, s.rules, 0)
	o.best = s
	for from, same := 0, 0; same <= len(s.rules) && ctx.Err() == nil; from, same = from+1, same+1 {
		if from > len(s.rules) {
			from = 0
		}
		o.tryPlace(s.rules, from)
		if o.best.Better(&s) {
			s, same = o.best, -1
			o.set(&o.list, s.rules, from)
		}
	}
	return s
}

// tryPlace tries every change of the list at a place. The places before have been tried.
func (o *polisher) tryPlace(rules []int, from int) {
	o.tryRules(&o.list, from)
	if from == len(rules) {
		return
	}
	// The first from−1 rules are those that the others had at the place before.
	o.set(&o.others, slices.Delete(slices.Clone(rules), from, from+1), max(0, from-1))
	o.offer(o.others.value, o.others.rules)
	o.tryRules(&o.others, from)
	for to := from + 1; to < len(rules); to++ {
		o.trial = slices.Insert(append(o.trial[:0], o.others.rules...), to, rules[from])
		o.try(from, o.prior(from))
		o.trial = slices.Insert(slices.Delete(append(o.trial[:0], rules...), to, to+1), from, rules[to])
		o.try(from, o.prior(from))
	}
}

// try compares the best list with trial, which differs from o.list first at place from;
// prior is what the prior adds from there on. It stops where Σ l of what is left cannot be
// enough any more.
func (o *polisher) try(from int, prior int64) {
	p, left := o.p, o.list.left[from]
	n1, n0 := p.in.Planes.Cost(left)
	value := o.list.sum[from] + prior
	for j := from; j < len(o.trial); j++ {
		column := p.in.Columns[o.trial[j]]
		g1, g0 := p.in.Planes.CostAnd(left, column)
		value += p.leaf(g1, g0)
		n1, n0 = n1-g1, n0-g0
		if value+p.leaf(n1, 0)+p.leaf(0, n0)+slack*int64(len(o.trial)+2) < o.best.value {
			return
		}
		if j+1 < len(o.trial) {
			bitvec.AndNot(o.left, left, column)
			left = o.left
		}
	}
	o.offer(value+p.leaf(n1, n0), o.trial)
}

// prior is what the prior adds for the rules of trial from place from on, and for its
// length, impossible if it is too long.
func (o *polisher) prior(from int) int64 {
	p := o.p
	if len(o.trial) > p.most {
		return impossible
	}
	use, sum := o.list.use[from], p.length[len(o.trial)]
	for _, a := range o.trial[from:] {
		if int(use[p.card[a]]) == p.quantity[p.card[a]] {
			return impossible
		}
		sum += p.price(&use, a)
		use[p.card[a]]++
	}
	return sum
}

// offer makes a list of the given F the best if it is better.
func (o *polisher) offer(value int64, rules []int) {
	if t := (solution{value, rules}); t.Better(&o.best) && o.p.allows(rules) {
		o.best = solution{value, slices.Clone(rules)}
	}
}

// priors returns what prior does for one more rule of each cardinality at place from.
func (o *polisher) priors(rules []int, from int) (sums [maxCards]int64) {
	for a, card := range o.p.card {
		if sums[card] == 0 {
			o.trial = slices.Insert(append(o.trial[:0], rules...), from, a)
			sums[card] = o.prior(from)
		}
	}
	return sums
}

// kicks is how many times in a row a list may be disturbed without becoming better.
const kicks = 12

// search polishes the best list of the chain, and what becomes of it when up to a
// third of its rules are removed (an iterated local search).
func (c *chain) search(ctx context.Context) {
	if ctx.Err() != nil {
		return // a polisher counts a lot before it begins
	}
	o := newPolisher(c.p)
	best := o.run(ctx, c.best)
	for failed := 0; failed < kicks && ctx.Err() == nil; failed++ {
		s := o.run(ctx, c.kick(best))
		if s.Better(&best) {
			best, failed = s, -1
		}
	}
	c.best = best
}

// kick removes random rules.
func (c *chain) kick(s solution) solution {
	rules := slices.Clone(s.rules)
	for n := 1 + c.random.IntN(1+len(rules)/3); n > 0 && len(rules) > 0; n-- {
		i := c.random.IntN(len(rules))
		rules = slices.Delete(rules, i, i+1)
	}
	return solution{newList(c.p).set(rules, 0), rules}
}
