package tree

import (
	"parcorels/rules"
	"parcorels/verify/framing"
)

// samples are the samples, put together if they have the same features: a group
// cannot be told apart by any tree. A group whose classes weigh the same costs
// nothing in any leaf, and is left out: a side with such groups alone could be
// left out of a tree as well, and so could one without a group. It is not left out where leaves need samples.
type samples struct {
	classes int
	groups  int
	words   int
	all     []uint64        // groups
	columns [][]uint64      // by feature: the groups that have it
	costly  []uint64        // groups that cost anything in some leaf: all of them, unless leaves need samples
	costs   [][]int64       // costs[c][g]: what group g costs in a leaf of class c, beyond what it costs in any leaf
	planes  []framing.Plane // of costs
	marks   [][]uint64      // by group: the features that it has, and behind them the planes
	balance int64           // what every tree gets wrong of the groups left out
	weights [][]int64       // weights[c][g]: of the samples of class c
	total   int64           // N
	rows    [][]uint64      // the digits of the number of samples
	least   int64           // samples that a leaf needs; 0 or 1: any number
}

// maxTotal bounds the total weight, so that sums of two costs do not overflow.
const maxTotal = far

func newSamples(set *rules.Set, least int) (*samples, error) {
	all, err := framing.NewSamples(set, maxTotal)
	if err != nil {
		return nil, err
	}
	s, g := &samples{classes: all.Classes, total: all.Total, least: int64(least)}, framing.NewGroups(all)
	losses, _, out := g.PickLossy(least > 1)
	s.balance, s.costs = out, make([][]int64, s.classes)
	for _, loses := range losses {
		for c, x := range loses {
			s.costs[c] = append(s.costs[c], x)
		}
	}
	s.weights, s.columns, s.all = g.Weights, g.Columns(), g.All()
	s.groups, s.words = g.Len(), len(s.all)
	s.rows = framing.Digits(g.Samples())
	s.planes, s.costly = framing.Planes(s.costs), make([]uint64, s.words)
	for _, p := range s.planes {
		for w, x := range p.Groups {
			s.costly[w] |= x
		}
	}
	s.marks = make([][]uint64, s.groups)
	for g := range s.marks {
		s.marks[g] = make([]uint64, s.markWords())
	}
	for m, groups := range s.columns {
		s.mark(m, groups)
	}
	for i, p := range s.planes {
		s.mark(len(s.columns)+i, p.Groups)
	}
	return s, nil
}

func (s *samples) markWords() int { return (len(s.columns) + len(s.planes) + 63) / 64 }

// mark notes the groups that have a mark.
func (s *samples) mark(m int, groups []uint64) {
	for g := range framing.Members(groups) {
		s.marks[g][m/64] |= 1 << (m % 64)
	}
}
