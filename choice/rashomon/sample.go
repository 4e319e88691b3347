package rashomon

import (
	"math/big"
	"math/rand/v2"
)

// Rule is "if the antecedent holds, predict Label (true: class 1)". The antecedent is an index
// into Problem.Columns.
type Rule struct {
	Antecedent int
	Label      bool
}

// List is a rule list with its objective.
type List struct {
	Rules     []Rule
	Default   bool
	Objective int64
}

// At returns the list of a place, counted from 0, in an order of the graph's own. It walks
// down by the counts, so it takes as long for any place.
func (c *Counts) At(place *big.Int) List {
	s, left := c.s, new(big.Int).Set(place)
	for q, ok := range c.empty {
		if !ok {
			continue
		}
		if left.Sign() == 0 {
			return List{Default: q == 1, Objective: s.stop[q] + s.base}
		}
		left.Sub(left, big.NewInt(1))
	}
	var l List
	state, room := int32(0), s.threshold
	l.Objective = s.base
	for {
		next := false
		for _, e := range s.out(state) {
			antecedents := s.antecedents[e.column]
			each := new(big.Int)
			stops := e.cost+e.stop <= room
			if stops {
				each.SetInt64(1)
			}
			each.Add(each, c.completions(e.child, room-e.cost))
			all := new(big.Int).Mul(each, big.NewInt(int64(len(antecedents))))
			if left.Cmp(all) >= 0 {
				left.Sub(left, all)
				continue
			}
			which, inside := new(big.Int).QuoRem(left, each, new(big.Int))
			l.Rules = append(l.Rules, Rule{antecedents[which.Int64()], e.label == 1})
			l.Objective += e.cost
			if stops {
				if inside.Sign() == 0 {
					l.Default, l.Objective = e.label == 0, l.Objective+e.stop
					return l
				}
				inside.Sub(inside, big.NewInt(1))
			}
			left, state, room, next = inside, e.child, room-e.cost, true
			break
		}
		if !next {
			panic("rashomon: a list beyond the last one was asked for")
		}
	}
}

// Sample returns a list at random, each as often as any other. There must be one.
func (c *Counts) Sample(rng *rand.Rand) List { return c.At(below(rng, c.Lists())) }

// below returns a random number below n, each as often as any other.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	for {
		x := new(big.Int)
		for range (n.BitLen() + 63) / 64 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rng.Uint64()))
		}
		x.Rsh(x, uint((n.BitLen()+63)/64*64-n.BitLen()))
		if x.Cmp(n) < 0 {
			return x
		}
	}
}
