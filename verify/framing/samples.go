package framing

import (
	"fmt"
	"iter"

	"parcorels/rules"
)

// Samples are the samples that a proof is about, as checkers count them.
type Samples struct {
	N, Classes int
	Class      func(i int) int
	Weight     func(i int) int64
	WeightsAt  func(i int) iter.Seq2[int, int64] // by class
	Captured   [][]uint64                        // by antecedent
	Total      int64                             // weight of all
}

// NewSamples takes the samples from a set. Each must have a positive weight, and all of them less than most.
func NewSamples(set *rules.Set, most int64) (*Samples, error) {
	d := set.Data
	s := &Samples{N: d.N, Classes: d.ClassCount(), Class: d.Class, Weight: d.Weight, WeightsAt: d.WeightsAt}
	for i := range s.N {
		w := s.Weight(i)
		if w <= 0 || w >= most-s.Total {
			return nil, fmt.Errorf("the weights of the samples are not positive, or reach %d in all", most)
		}
		s.Total += w
	}
	for _, a := range set.Antecedents {
		s.Captured = append(s.Captured, a.Captured().Words())
	}
	return s, nil
}
