package tree

import (
	"slices"

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
	all     []uint64   // groups
	columns [][]uint64 // by feature: the groups that have it
	costly  []uint64   // groups that cost anything in some leaf: all of them, unless leaves need samples
	costs   [][]int64  // costs[c][g]: what group g costs in a leaf of class c, beyond what it costs in any leaf
	planes  []plane
	balance int64      // what every tree gets wrong of the groups left out
	weights [][]int64  // weights[c][g]: of the samples of class c
	total   int64      // N
	rows    [][]uint64 // the digits of the number of samples
	least   int64      // samples that a leaf needs; 0 or 1: any number
}

// plane is one binary digit of the costs of a class: the groups that have it.
type plane struct {
	class  int
	weight int64
	groups []uint64
}

// maxTotal bounds the total weight, so that sums of two costs do not overflow.
const maxTotal = far

func newSamples(set *rules.Set, least int) (*samples, error) {
	all, err := framing.NewSamples(set, maxTotal)
	if err != nil {
		return nil, err
	}
	s, g := &samples{classes: all.Classes, total: all.Total, least: int64(least)}, framing.NewGroups(all)
	if least <= 1 {
		s.drop(g)
	}
	s.weights, s.columns, s.all = g.Weights, g.Columns(), g.All()
	s.groups, s.words = g.Len(), len(s.all)
	s.rows = framing.Digits(g.Samples())
	s.addCosts()
	return s, nil
}

// drop leaves out the groups whose classes weigh the same.
func (s *samples) drop(groups *framing.Groups) {
	var left []int
	for g, w := range groups.Weights[0] {
		same := true
		for c := range groups.Weights {
			same = same && groups.Weights[c][g] == w
		}
		if same {
			s.balance += w * int64(s.classes-1)
		} else {
			left = append(left, g)
		}
	}
	groups.Pick(left)
}

// addCosts fills in costs and planes. A group errs in a leaf by the weight of all
// its classes but the one predicted; all but its heaviest class is an error of
// every tree, and the rest is what it costs.
func (s *samples) addCosts() {
	s.costs, s.costly = make([][]int64, s.classes), make([]uint64, s.words)
	for g := range s.groups {
		var most int64
		for c := range s.weights {
			most = max(most, s.weights[c][g])
		}
		for c := range s.costs {
			s.costs[c] = append(s.costs[c], most-s.weights[c][g])
		}
	}
	for c, costs := range s.costs {
		for b, groups := range framing.Digits(costs) {
			if !empty(groups) {
				s.planes = append(s.planes, plane{class: c, weight: 1 << b, groups: groups})
				for w := range groups {
					s.costly[w] |= groups[w]
				}
			}
		}
	}
}

// side returns the groups of set with or without a feature.
func (s *samples) side(set []uint64, feature int, with bool) []uint64 {
	out := make([]uint64, s.words)
	for w, x := range set {
		if out[w] = x & s.columns[feature][w]; !with {
			out[w] = x &^ s.columns[feature][w]
		}
	}
	return out
}

// free reports whether a set costs nothing in any leaf.
func (s *samples) free(set []uint64) bool {
	for w, x := range set {
		if x&s.costly[w] != 0 {
			return false
		}
	}
	return true
}

func empty(set []uint64) bool {
	return !slices.ContainsFunc(set, func(w uint64) bool { return w != 0 })
}
