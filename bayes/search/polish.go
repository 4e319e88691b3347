package search

import (
	"context"
	"slices"
)

// polish improves a list by the best single change (a rule added, removed,
// replaced or moved), again and again, until none is better. A chain that is near a
// maximum rarely proposes the one antecedent that is missing; this finds it.
func (p *posterior) polish(ctx context.Context, s solution) solution {
	l := newList(p)
	for {
		l.set(s.rules, 0)
		best := s
		for from := range len(s.rules) + 1 {
			if ctx.Err() != nil {
				return s
			}
			p.tryAll(l, s.rules, from, &best)
			l.set(s.rules, from)
		}
		if !best.better(&s) {
			return s
		}
		s = best
	}
}

// tryAll compares best with all lists that differ from rules first at place from.
func (p *posterior) tryAll(l *list, rules []int, from int, best *solution) {
	try := func(trial []int) {
		if len(trial) > p.most {
			return
		}
		if t := (solution{l.set(trial, from), trial}); t.better(best) {
			*best = solution{t.value, slices.Clone(trial)}
		}
	}
	var trial []int
	for a := range p.card {
		if slices.Contains(rules, a) {
			continue
		}
		trial = slices.Insert(append(trial[:0], rules...), from, a)
		try(trial)
		if from < len(rules) {
			trial = append(trial[:0], rules...)
			trial[from] = a
			try(trial)
		}
	}
	if from == len(rules) {
		return
	}
	try(slices.Delete(append(trial[:0], rules...), from, from+1))
	for to := from + 1; to < len(rules); to++ {
		forward := slices.Delete(slices.Clone(rules), from, from+1)
		try(slices.Insert(forward, to, rules[from]))
		back := slices.Delete(slices.Clone(rules), to, to+1)
		try(slices.Insert(back, from, rules[to]))
	}
}

// kicks is how many times in a row a list may be disturbed without becoming better.
const kicks = 12

// search polishes the best list of the chain, and what becomes of it when up to a
// third of its rules are removed (an iterated local search).
func (c *chain) search(ctx context.Context) {
	best := c.p.polish(ctx, c.best)
	for failed := 0; failed < kicks && ctx.Err() == nil; failed++ {
		s := c.p.polish(ctx, c.kick(best))
		if s.better(&best) {
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
