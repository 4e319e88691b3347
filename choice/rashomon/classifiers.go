package rashomon

import "math/bits"

// Classifiers. Two lists are one classifier if they predict the same for every sample. What a
// completion predicts is a property (tables.go): a 128-bit key, the sum (exclusive or) of random
// words of the samples and what they are predicted, 0 for class 0. Along an edge (u,s,q) the key gains
// that of s∩u and q, which is that of u and of u∖s together. Different predictions share a key with probability
// 2^-128.

// Classifiers has the smallest list of each classifier.
type Classifiers = Table

// code is 128 random bits.
type code struct{ hi, lo uint64 }

func (c code) xor(d code) code { return code{c.hi ^ d.hi, c.lo ^ d.lo} }

func (c code) key() key { return key{int64(c.hi), int64(c.lo)} }

// Classifiers finds the classifiers. It returns false if the tables need more than so many
// entries.
func (s *Set) Classifiers(most int) (*Classifiers, bool) {
	keys := make([][]code, s.classes) // by class and state, of the samples; class 0 has none
	for q := range keys {
		keys[q] = make([]code, len(s.d))
		for i := range s.d {
			keys[q][i] = s.samplesKey(q, s.points(int32(i)))
		}
	}
	rule := func(state int32, e *edge) code { return keys[e.label][state].xor(keys[e.label][e.child]) }
	return tabulate(s, property{
		empty: func(label int) key { return keys[label][0].key() },
		stop: func(state int32, e *edge, _, class int) key {
			return rule(state, e).xor(keys[class][e.child]).key()
		},
		before: func(state int32, e *edge, _ int, k key) key {
			captured := rule(state, e).key()
			return key{k[0] ^ captured[0], k[1] ^ captured[1]}
		},
	}, most)
}

// samplesKey is the key of predicting a class for a set.
func (s *Set) samplesKey(class int, set []uint64) (k code) {
	if class == 0 {
		return k
	}
	first := uint64((class - 1) * 64 * s.words)
	for w, x := range set[:s.realWords] {
		for ; x != 0; x &= x - 1 {
			k = k.xor(pointKey(first + uint64(64*w+bits.TrailingZeros64(x))))
		}
	}
	return k
}

func pointKey(place uint64) code {
	return code{scramble(2*place + 1), scramble(2*place + 2)}
}

// scramble is the finaliser of splitmix64 on its sequence.
func scramble(n uint64) uint64 {
	x := n * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
