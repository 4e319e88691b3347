package search

// This file samples rule lists from the posterior by a Markov chain (Metropolis and
// Hastings) and keeps the best that it meets (Yang, Rudin and Seltzer, section 4).
//
// A step adds a random antecedent at a random place, removes a rule, or exchanges two
// rules, each with probability 1/3. The list has m of M antecedents. Adding is
// proposed with probability 1/((M−m)(m+1)), removing the same rule again with
// 1/(m+1); so adding is accepted with probability e^ΔF·(M−m), removing with
// e^ΔF/(M−m+1), exchanging with e^ΔF. A step that cannot be taken (nothing to
// remove, the list is as long as it may be) leaves the list as it is.
//
// Only what lies behind the first changed rule is evaluated again. Each chain has
// a stream of random numbers of its own, so that the result depends on the seed
// alone and not on the number of workers.

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// chain is one Markov chain.
type chain struct {
	p      *posterior
	random *rand.Rand
	now    *list
	trial  []int
	old    []int  // the list before a step, to go back to
	in     []bool // by antecedent
	best   solution
}

func newChain(p *posterior, seed uint64, index int) *chain {
	c := &chain{p: p, random: rand.New(rand.NewPCG(seed, uint64(index))), now: newList(p), in: make([]bool, len(p.card))}
	c.best = c.now.solution()
	return c
}

// run takes steps until there were n, or ctx ends.
func (c *chain) run(ctx context.Context, n int) {
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return
		}
		c.step()
	}
}

// step proposes a list and accepts or rejects it.
func (c *chain) step() {
	rules := c.now.rules
	m, all := len(rules), len(c.p.card)
	c.trial = append(c.trial[:0], rules...)
	var from int
	var factor float64 // ln of the ratio of proposals
	switch move := c.random.IntN(3); {
	case move == 0 && m < c.p.most && m < all:
		a := c.random.IntN(all)
		for c.in[a] {
			a = c.random.IntN(all)
		}
		from = c.random.IntN(m + 1)
		c.trial = slices.Insert(c.trial, from, a)
		factor = math.Log(float64(all - m))
	case move == 1 && m > 0:
		from = c.random.IntN(m)
		c.trial = slices.Delete(c.trial, from, from+1)
		factor = -math.Log(float64(all - m + 1))
	case move == 2 && m > 1:
		i, j := c.random.IntN(m), c.random.IntN(m-1)
		if j >= i {
			j++
		}
		from = min(i, j)
		c.trial[i], c.trial[j] = c.trial[j], c.trial[i]
	default:
		return
	}
	c.decide(from, factor)
}

// decide moves to the trial with the probability that detailed balance asks for.
func (c *chain) decide(from int, factor float64) {
	before := c.now.value
	c.old = append(c.old[:0], c.now.rules...)
	value := c.now.set(c.trial, from)
	change := float64(value-before)/(1<<fracBits) + factor
	if change < 0 && math.Log(c.random.Float64()) >= change {
		c.now.set(c.old, from)
		return
	}
	for _, a := range c.old[from:] {
		c.in[a] = false
	}
	for _, a := range c.trial[from:] {
		c.in[a] = true
	}
	if s := (solution{value, c.trial}); s.Better(&c.best) {
		c.best = c.now.solution()
	}
}
