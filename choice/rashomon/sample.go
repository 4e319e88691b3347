package rashomon

import (
	"math/big"
	"math/rand/v2"
)

// Rule is "if the antecedent holds, predict class Label". The antecedent is an index
// into Problem.Columns.
type Rule struct{ Antecedent, Label int }

// List is a rule list with its objective.
type List struct {
	Rules     []Rule
	Default   int
	Objective int64
}

// At returns the list of a place, counted from 0, in an order of the graph's own. It walks
// down by the counts, so it takes as long for any place.
func (c *Counts) At(place *big.Int) List {
	s, left := c.s, new(big.Int).Set(place)
	var stops []List // that end where the walk is, each with its default and objective
	s.empty(func(q int, cost int64) { stops = append(stops, List{nil, q, cost + s.base}) })
	var l List
	state, room := int32(0), s.threshold
	for {
		if left.IsInt64() && left.Int64() < int64(len(stops)) {
			end := stops[left.Int64()]
			end.Rules = l.Rules
			return end
		}
		left.Sub(left, big.NewInt(int64(len(stops))))
		next := false
		for _, e := range s.out(state) {
			antecedents := s.antecedents[e.column]
			stops = stops[:0]
			for q, stop := range s.defaults(e.child) {
				if q != int(e.label) && e.cost+stop <= room {
					stops = append(stops, List{nil, q, s.Threshold() - room + e.cost + stop})
				}
			}
			each := big.NewInt(int64(len(stops)))
			each.Add(each, c.completions(e.child, room-e.cost))
			all := new(big.Int).Mul(each, big.NewInt(int64(len(antecedents))))
			if left.Cmp(all) >= 0 {
				left.Sub(left, all)
				continue
			}
			which, inside := new(big.Int).QuoRem(left, each, new(big.Int))
			l.Rules = append(l.Rules, Rule{antecedents[which.Int64()], int(e.label)})
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
