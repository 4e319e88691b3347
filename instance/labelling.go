package instance

import (
	"fmt"
	"math"

	"github.com/bits-and-blooms/bitset"
)

// MaxTotal is the largest total weight of an instance, 2^62 − 1.
const MaxTotal = 1<<62 - 1

// labelling tells the class of each sample.
type labelling struct {
	of      []uint16 // class by sample
	classes int
	gains   [][]int64 // by class and sample, what it weighs there; nil: its weight in its own class alone
}

// add adds to the weights of a point, by class, those of a sample, of which weights has the sum.
func (l labelling) add(to []int64, i int, weights []int64) {
	switch {
	case l.gains != nil:
		for q, gains := range l.gains {
			to[q] += gains[i]
		}
	case weights != nil:
		to[l.of[i]] += weights[i]
	default:
		to[l.of[i]]++
	}
}

// check returns an error if lengths disagree or a class does not exist.
func (l labelling) check(columns []*bitset.BitSet, weights []int64, samples int) error {
	if samples < 1 || samples > math.MaxInt32 {
		return fmt.Errorf("an instance takes 1 to 2^31-1 samples, not %d", samples)
	}
	if n := len(l.of); n != samples {
		return fmt.Errorf("there are %d labels for %d samples", n, samples)
	}
	if l.classes < 2 || l.classes > math.MaxUint16+1 {
		return fmt.Errorf("there are %d classes: expected 2 to %d", l.classes, math.MaxUint16+1)
	}
	for i, c := range l.of {
		if int(c) >= l.classes {
			return fmt.Errorf("sample %d has class %d of %d classes", i, c, l.classes)
		}
	}
	if weights != nil && len(weights) != samples {
		return fmt.Errorf("there are %d weights for %d samples", len(weights), samples)
	}
	for a, c := range columns {
		if c.Len() != uint(samples) {
			return fmt.Errorf("antecedent %d has %d bits for %d samples", a, c.Len(), samples)
		}
	}
	return nil
}

// weigh returns the weight of all samples together and of each class.
func (l labelling) weigh(weights []int64) (total int64, byClass []int64, err error) {
	byClass = make([]int64, l.classes)
	for i := range l.of {
		w := int64(1)
		if weights != nil {
			w = weights[i]
		}
		if w <= 0 {
			return 0, nil, fmt.Errorf("sample %d has weight %d: a weight is a positive number", i, w)
		}
		if w > MaxTotal-total {
			return 0, nil, fmt.Errorf("the weights of the first %d samples add up to 2^62 or more: scale them down or give them fewer "+
				"digits", i+1)
		}
		total += w
		l.add(byClass, i, weights)
	}
	return total, byClass, nil
}
