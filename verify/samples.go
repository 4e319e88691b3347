package verify

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"parcorels/rules"
)

// samples are the original samples, one by one, as the counts below need them.
//
// Samples that satisfy the same antecedents get the same prediction from every
// list, so of such a group with weights w1 and w0 every list gets min(w1, w0)
// wrong at least, and it gets |w1−w0| more wrong if it predicts the lighter
// label. Each sample carries its share of that difference: its weight, counted
// negatively if its label is the lighter one of its group. Summed over whole
// groups, and every set of samples that an antecedent cuts out is one of whole
// groups, that is what predicting wrongly costs beyond the minima.
type samples struct {
	n, antecedents int
	labels         []uint64   // bit i: sample i is of class 1
	weights        []int64    // nil: 1 each
	captured       [][]uint64 // by antecedent
	total          int64      // N

	share     []int64 // signed weight; 0 where a group balances
	heavy     []uint8 // heavier label of the sample's group
	first     []int   // sample i satisfies satisfied[first[i]:first[i+1]], ascending
	satisfied []uint16

	base  int64    // Σ min(w1, w0) over the groups
	costs gains    // of all samples
	all   []uint64 // the samples with a share
}

// gains are the summed costs of the samples in a set whose group is of class 0
// and of class 1.
type gains [2]int64

func (g gains) sum() int64 { return g[0] + g[1] }

// errors is what the better label gets wrong.
func (g gains) errors() int64 { return min(g[0], g[1]) }

// label is the better label, 0 on a tie.
func (g gains) label() int {
	if g[1] > g[0] {
		return 1
	}
	return 0
}

// maxScaled bounds the denominator of λ times the total weight, so that the sum
// of a few objectives fits 63 bits.
const maxScaled = 1 << 60

// errWeights reports a set whose samples weigh nothing, or too much.
var errWeights = errors.New("the weights of the samples are not positive, or exceed 2^60 in all")

func newSamples(set *rules.Set) (*samples, error) {
	s := &samples{
		n: set.Data.N, antecedents: len(set.Antecedents),
		labels: set.Data.Labels.Words(), weights: set.Data.Weights,
	}
	for i := range s.n {
		w := s.weight(i)
		if w <= 0 || w >= maxScaled-s.total {
			return nil, errWeights
		}
		s.total += w
	}
	for _, a := range set.Antecedents {
		s.captured = append(s.captured, a.Captured.Words())
	}
	s.list()
	s.divide()
	return s, nil
}

func (s *samples) weight(i int) int64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[i]
}

func (s *samples) label(i int) int { return int(s.labels[i>>6] >> (i & 63) & 1) }

// list makes the lists of the antecedents that each sample satisfies.
func (s *samples) list() {
	s.first = make([]int, s.n+1)
	for _, c := range s.captured {
		for i := range members(c) {
			s.first[i+1]++
		}
	}
	for i := range s.n {
		s.first[i+1] += s.first[i]
	}
	s.satisfied = make([]uint16, s.first[s.n])
	next := append([]int(nil), s.first...)
	for a, c := range s.captured {
		for i := range members(c) {
			s.satisfied[next[i]] = uint16(a)
			next[i]++
		}
	}
}

// members yields the samples of a set in ascending order.
func members(set []uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k, w := range set {
			for ; w != 0; w &= w - 1 {
				if !yield(k<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// divide finds the groups, and with them the shares of the samples.
func (s *samples) divide() {
	group := make([]int32, s.n)
	var weights [][2]int64
	known := map[string]int32{}
	var key []byte
	for i := range s.n {
		key = key[:0]
		for _, a := range s.satisfied[s.first[i]:s.first[i+1]] {
			key = binary.LittleEndian.AppendUint16(key, a)
		}
		g, ok := known[string(key)]
		if !ok {
			g = int32(len(weights))
			known[string(key)] = g
			weights = append(weights, [2]int64{})
		}
		group[i] = g
		weights[g][s.label(i)] += s.weight(i)
	}
	s.share, s.heavy, s.all = make([]int64, s.n), make([]uint8, s.n), make([]uint64, (s.n+63)/64)
	for i := range s.n {
		w := weights[group[i]]
		if w[0] == w[1] {
			continue
		}
		heavy := gains(w).label()
		s.heavy[i] = uint8(heavy)
		s.share[i] = s.weight(i)
		if s.label(i) != heavy {
			s.share[i] = -s.share[i]
		}
		s.costs[heavy] += s.share[i]
		s.all[i>>6] |= 1 << (i & 63)
	}
	for _, w := range weights {
		s.base += min(w[0], w[1])
	}
}
