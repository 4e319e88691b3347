package verify

import "math/bits"

// The loops over samples. A set of samples is a bit a sample; only those with a
// share are ever in one.

// countAll sets counts to the costs, for every antecedent, of the samples in
// a∩b that satisfy it.
func (s *samples) countAll(a, b []uint64, counts []gains) {
	clear(counts)
	for k, w := range a {
		for w &= b[k]; w != 0; w &= w - 1 {
			i := k<<6 + bits.TrailingZeros64(w)
			share, heavy := s.share[i], s.heavy[i]&1
			for _, a := range s.satisfied[s.first[i]:s.first[i+1]] {
				counts[a][heavy] += share
			}
		}
	}
}

// countAnd returns the costs of the samples in a∩b.
func (s *samples) countAnd(a, b []uint64) (g gains) {
	for k, w := range a {
		g = s.countWord(k, w&b[k], g)
	}
	return g
}

func (s *samples) countWord(k int, w uint64, g gains) gains {
	for ; w != 0; w &= w - 1 {
		i := k<<6 + bits.TrailingZeros64(w)
		g[s.heavy[i]&1] += s.share[i]
	}
	return g
}

// size returns how many samples are in a∩b.
func size(a, b []uint64) (n int) {
	for k, w := range a {
		n += bits.OnesCount64(w & b[k])
	}
	return n
}

// remove makes to the set a without b.
func remove(to, a, b []uint64) {
	for k, w := range a {
		to[k] = w &^ b[k]
	}
}

// intersect makes to the set a∩b.
func intersect(to, a, b []uint64) {
	for k, w := range a {
		to[k] = w & b[k]
	}
}
