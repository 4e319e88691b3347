package instance

import (
	"math/rand/v2"
	"testing"

	"github.com/bits-and-blooms/bitset"
)

// given returns the instance of samples of two classes. Labels are those of class 1.
func given(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) (*Instance, error) {
	return reduce(newGrouping(len(columns), 2), len(columns), columns, binary(labels), weights, samples)
}

// givenPoints returns the points of samples of two classes.
func givenPoints(columns []*bitset.BitSet, labels *bitset.BitSet, weights []int64, samples int) (*Points, error) {
	p, err := pointsOf(newGrouping(len(columns), 2), len(columns), columns, binary(labels), weights, samples)
	return p.WithColumns(), err
}

// givenClassPoints returns the points of samples of k classes.
func givenClassPoints(columns []*bitset.BitSet, classOf []uint16, k int, weights []int64, samples int) (*Points, error) {
	p, err := pointsOf(newGrouping(len(columns), k), len(columns), columns, labelling{of: classOf, classes: k}, weights, samples)
	return p.WithColumns(), err
}

// samples is a small data set as a person would write it down.
type samples struct {
	holds   [][]bool // holds[a][i]: sample i satisfies antecedent a
	label   []bool
	weights []int64 // nil: 1 each
}

// randomSamples draws keys from a small pool, so that samples share keys and
// disagree on labels.
func randomSamples(rng *rand.Rand, n, antecedents int) samples {
	pool := make([][]bool, 1+rng.IntN(n))
	for i := range pool {
		pool[i] = make([]bool, antecedents)
		for a := range pool[i] {
			pool[i][a] = rng.IntN(3) == 0
		}
	}
	s := samples{holds: make([][]bool, antecedents), label: make([]bool, n)}
	for a := range s.holds {
		s.holds[a] = make([]bool, n)
	}
	noise := rng.IntN(4)
	for i := range n {
		key := rng.IntN(len(pool))
		for a := range s.holds {
			s.holds[a][i] = pool[key][a]
		}
		s.label[i] = (key%2 == 0) != (rng.IntN(4) < noise)
	}
	if rng.IntN(2) == 0 {
		s.weights = make([]int64, n)
		for i := range s.weights {
			s.weights[i] = 1 + rng.Int64N(int64(1)<<rng.IntN(40))
		}
	}
	return s
}

func (s samples) instance(t *testing.T) *Instance {
	t.Helper()
	in, err := given(s.columns(), setOf(s.label), s.weights, len(s.label))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func (s samples) columns() []*bitset.BitSet {
	columns := make([]*bitset.BitSet, len(s.holds))
	for a, h := range s.holds {
		columns[a] = setOf(h)
	}
	return columns
}

// key is the row of sample i as text.
func (s samples) key(i int) string {
	key := make([]byte, len(s.holds))
	for a, h := range s.holds {
		key[a] = '0'
		if h[i] {
			key[a] = '1'
		}
	}
	return string(key)
}

func setOf(b []bool) *bitset.BitSet {
	s := bitset.New(uint(len(b)))
	for i, x := range b {
		s.SetTo(uint(i), x)
	}
	return s
}

func (s samples) weight(i int) int64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[i]
}

// rule is a rule of a rule list in this test.
type rule struct {
	antecedent int
	class1     bool
}

func randomList(rng *rand.Rand, antecedents int) (list []rule, otherwise bool) {
	for range rng.IntN(antecedents + 1) {
		list = append(list, rule{rng.IntN(antecedents), rng.IntN(2) == 0})
	}
	return list, rng.IntN(2) == 0
}

// errors is the definition: the weight of the samples that the list gets wrong.
func (s samples) errors(list []rule, otherwise bool) (sum int64) {
	for i, label := range s.label {
		predicted := otherwise
		for _, r := range list {
			if s.holds[r.antecedent][i] {
				predicted = r.class1
				break
			}
		}
		if predicted != label {
			sum += s.weight(i)
		}
	}
	return sum
}

// errors is what the reduction says of the same list.
func (in *Instance) errors(list []rule, otherwise bool) int64 {
	u := make([]uint64, in.Words)
	for w := range u {
		u[w] = ^uint64(0)
	}
	sum := in.Base
	take := func(set []uint64, class1 bool) {
		g1, g0 := in.Planes.Cost(set)
		if class1 {
			sum += g0
		} else {
			sum += g1
		}
	}
	for _, r := range list {
		captured := make([]uint64, in.Words)
		for w := range u {
			captured[w] = u[w] & in.Columns[r.antecedent][w]
			u[w] &^= captured[w]
		}
		take(captured, r.class1)
	}
	take(u, otherwise)
	return sum
}
