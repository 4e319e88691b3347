package tree

import (
	"errors"
	"math/bits"
	"slices"

	"parcorels/rules"
)

// samples are the samples, put together if they have the same features: a group
// cannot be told apart by any tree. A group whose classes weigh the same costs
// nothing in any leaf, and is left out: a side with such groups alone could be
// left out of a tree as well, and so could one without a group.
type samples struct {
	classes int
	groups  int
	words   int
	columns [][]uint64 // by feature: the groups that have it
	costs   [][]int64  // costs[c][g]: what group g costs in a leaf of class c, beyond what it costs in any leaf
	planes  []plane
	balance int64     // what every tree gets wrong of the groups left out
	weights [][]int64 // weights[c][g]: of the samples of class c
	total   int64     // N
}

// plane is one binary digit of the costs of a class: the groups that have it.
type plane struct {
	class  int
	weight int64
	groups []uint64
}

// maxTotal bounds the total weight, so that sums of costs do not overflow.
const maxTotal = 1 << 60

var errWeights = errors.New("the weights of the samples are not positive, or exceed 2^60 in all")

func newSamples(set *rules.Set) (*samples, error) {
	d := set.Data
	s := &samples{classes: d.ClassCount()}
	byRow := map[string]int{}
	row := make([]byte, (len(set.Antecedents)+7)/8)
	s.weights = make([][]int64, s.classes)
	var rows [][]byte
	for i := range d.N {
		clear(row)
		for f := range set.Antecedents {
			if set.Antecedents[f].Captured.Test(uint(i)) {
				row[f/8] |= 1 << (f % 8)
			}
		}
		g, known := byRow[string(row)]
		if !known {
			g = len(rows)
			byRow[string(row)] = g
			rows = append(rows, slices.Clone(row))
			for c := range s.weights {
				s.weights[c] = append(s.weights[c], 0)
			}
		}
		w := int64(1)
		if d.Weights != nil {
			w = d.Weights[i]
		}
		if w <= 0 || w >= maxTotal-s.total {
			return nil, errWeights
		}
		s.total += w
		s.weights[d.Class(i)][g] += w
	}
	rows = s.drop(rows)
	s.groups, s.words = len(rows), (len(rows)+63)/64
	s.addColumns(rows, len(set.Antecedents))
	s.addCosts()
	return s, nil
}

// drop leaves out the groups whose classes weigh the same.
func (s *samples) drop(rows [][]byte) (left [][]byte) {
	for g, row := range rows {
		same := true
		for c := range s.weights {
			same = same && s.weights[c][g] == s.weights[0][g]
		}
		if same {
			s.balance += s.weights[0][g] * int64(s.classes-1)
			continue
		}
		for c := range s.weights {
			s.weights[c][len(left)] = s.weights[c][g]
		}
		left = append(left, row)
	}
	return left
}

func (s *samples) addColumns(rows [][]byte, features int) {
	for f := range features {
		c := make([]uint64, s.words)
		for g, row := range rows {
			c[g/64] |= uint64(row[f/8]>>(f%8)&1) << (g % 64)
		}
		s.columns = append(s.columns, c)
	}
}

// addCosts fills in costs and planes. A group errs in a leaf by the weight of all
// its classes but the one predicted; all but its heaviest class is an error of
// every tree, and the rest is what it costs.
func (s *samples) addCosts() {
	s.costs = make([][]int64, s.classes)
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
		var digits int64
		for _, x := range costs {
			digits |= x
		}
		for b := range bits.Len64(uint64(digits)) {
			p := plane{class: c, weight: 1 << b, groups: make([]uint64, s.words)}
			for g, x := range costs {
				p.groups[g/64] |= uint64(x>>b&1) << (g % 64)
			}
			if slices.ContainsFunc(p.groups, func(w uint64) bool { return w != 0 }) {
				s.planes = append(s.planes, p)
			}
		}
	}
}

// everything returns the set of all groups.
func (s *samples) everything() []uint64 {
	all := make([]uint64, s.words)
	for g := range s.groups {
		all[g/64] |= 1 << (g % 64)
	}
	return all
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

func empty(set []uint64) bool {
	return !slices.ContainsFunc(set, func(w uint64) bool { return w != 0 })
}
