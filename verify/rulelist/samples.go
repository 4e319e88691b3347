package rulelist

import (
	"errors"

	"parcorels/rules"
)

// samples are the original samples, one by one.
type samples struct {
	n        int
	classes  int        // k
	labels   []uint64   // bit i: sample i is of class 1
	classOf  []uint16   // of more than two classes, instead of labels
	weights  []int64    // nil: 1 each
	captured [][]uint64 // by antecedent
	total    int64      // N
}

// maxScaled bounds the denominator of λ times the total weight, so that the sum
// of a few objectives fits 63 bits.
const maxScaled = 1 << 60

// errWeights reports a set whose samples weigh nothing, or too much.
var errWeights = errors.New("the weights of the samples are not positive, or exceed 2^60 in all")

func newSamples(set *rules.Set) (*samples, error) {
	s := &samples{
		n: set.Data.N, classes: set.Data.ClassCount(), classOf: set.Data.ClassOf, weights: set.Data.Weights,
	}
	if s.classOf == nil {
		s.labels = set.Data.Labels.Words()
	}
	for i := range s.n {
		w := s.weight(i)
		if w <= 0 || w >= maxScaled-s.total {
			return nil, errWeights
		}
		s.total += w
	}
	for _, a := range set.Antecedents {
		s.captured = append(s.captured, a.Captured().Words())
	}
	return s, nil
}

func (s *samples) weight(i int) int64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[i]
}

func (s *samples) label(i int) int {
	if s.classOf != nil {
		return int(s.classOf[i])
	}
	return int(s.labels[i>>6] >> (i & 63) & 1)
}
