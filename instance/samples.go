package instance

import (
	"fmt"

	"github.com/bits-and-blooms/bitset"
)

// MaxTotal is the largest total weight of an instance, 2^62 − 1.
const MaxTotal = 1<<62 - 1

// tableSamples is what the samples of a table are.
type tableSamples struct {
	antecedents int
	columns     [][]uint64  // of the key
	derivation  *derivation // of other columns; nil: none
	of          []uint16    // class by sample
	classes     int
	weights     []int64   // nil: 1 each
	gains       [][]int64 // by class and sample, what it weighs there; nil: its weight in its own class alone
}

func wordsOf(columns []*bitset.BitSet) [][]uint64 {
	words := make([][]uint64, len(columns))
	for a, c := range columns {
		words[a] = c.Words()
	}
	return words
}

// add adds to the weights of a point, by class, those of a sample.
func (s *tableSamples) add(to []int64, i int) {
	switch {
	case s.gains != nil:
		for q, gains := range s.gains {
			to[q] += gains[i]
		}
	case s.weights != nil:
		to[s.of[i]] += s.weights[i]
	default:
		to[s.of[i]]++
	}
}

// weigh returns the weight of all samples together and of each class.
func (s *tableSamples) weigh() (total int64, byClass []int64, err error) {
	byClass = make([]int64, s.classes)
	for i := range s.of {
		w := int64(1)
		if s.weights != nil {
			w = s.weights[i]
		}
		if w <= 0 {
			return 0, nil, fmt.Errorf("sample %d has weight %d: a weight is a positive number", i, w)
		}
		if w > MaxTotal-total {
			return 0, nil, fmt.Errorf("the weights of the first %d samples add up to 2^62 or more: scale them down or give them fewer "+
				"digits", i+1)
		}
		total += w
		s.add(byClass, i)
	}
	return total, byClass, nil
}
