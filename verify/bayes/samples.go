package bayes

import (
	"errors"
	"math/bits"

	"parcorels/rules"
	"parcorels/verify/framing"
)

// samples are the samples, put together if they satisfy the same antecedents: a
// group cannot be told apart by any list.
type samples struct {
	groups  int
	words   int
	all     []uint64        // groups
	columns [][]uint64      // by antecedent: the groups that satisfy it
	parts   int64           // units of weight that are a sample
	weights [2][]int64      // by class and group, in units
	planes  []framing.Plane // of the weights
	pure    []uint64        // the groups with samples of one class
	entropy []int64         // of the other groups
	total   [2]int64
	rows    []int64 // samples by group, whatever they weigh
}

var errWeights = errors.New("the weights of the samples exceed 2^26 parts of a sample in all")
var errClasses = errors.New("the data do not have two classes")

func newSamples(set *rules.Set) (*samples, error) {
	if set.Data.ClassCount() > 2 {
		return nil, errClasses
	}
	all, err := framing.NewSamples(set, maxWeight+1)
	if err != nil {
		return nil, err
	}
	parts, times := int64(1), int64(1)
	if unit := set.Data.WeightUnit; set.Data.Weights != nil {
		if unit.Num > maxWeight || unit.Den > maxWeight || all.Total*unit.Den > maxWeight {
			return nil, errWeights
		}
		parts, times = unit.Num, unit.Den
	}
	g := framing.NewGroups(all)
	s := &samples{parts: parts, weights: [2][]int64(g.Weights), columns: g.Columns(), all: g.All(), groups: g.Len()}
	s.words = len(s.all)
	for c, of := range s.weights {
		for at := range of {
			of[at] *= times
			s.total[c] += of[at]
		}
	}
	s.planes = framing.Planes(s.weights[:])
	s.rows = g.Samples()
	s.pure, s.entropy = make([]uint64, s.words), make([]int64, s.groups)
	for g := range s.groups {
		if a, b := s.weights[1][g], s.weights[0][g]; a > 0 && b > 0 {
			s.entropy[g] = entropy(a, b, s.parts)
		} else {
			s.pure[g/64] |= 1 << (g % 64)
		}
	}
	return s, nil
}

// tally is what some groups hold.
type tally struct {
	n       [2]int64 // weight by class, in units
	pure    [2]int64 // those in groups of one class
	entropy int64    // of the other groups
}

// tally counts the groups of a that are in b.
func (s *samples) tally(a, b []uint64) (t tally) {
	for w, x := range a {
		if x &= b[w]; x == 0 {
			continue
		}
		pure := x & s.pure[w]
		for i := range s.planes {
			p := &s.planes[i]
			t.n[p.Class] += int64(bits.OnesCount64(x&p.Groups[w])) * p.Weight
			t.pure[p.Class] += int64(bits.OnesCount64(pure&p.Groups[w])) * p.Weight
		}
		for x &^= pure; x != 0; x &= x - 1 {
			t.entropy += s.entropy[64*w+bits.TrailingZeros64(x)]
		}
	}
	return t
}

// meet reports whether two antecedents hold together in a group of set.
func (s *samples) meet(set []uint64, a, b int) bool {
	for w, x := range set {
		if x&s.columns[a][w]&s.columns[b][w] != 0 {
			return true
		}
	}
	return false
}
