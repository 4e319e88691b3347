package rashomon

import "math/bits"

// Classifiers. Two lists are one classifier if they predict the same for every sample. What a
// completion predicts is a property (tables.go): a 128-bit key, the sum (exclusive or) of random
// words of the samples predicted 1. Along an edge (u,s,1) the key gains that of s∩u,
// which is that of u and of u∖s together. Different predictions share a key with probability
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
	keys := s.stateKeys()
	p := property{
		empty: func(label int) key {
			if label == 0 {
				return key{}
			}
			return s.samplesKey(s.all).key()
		},
		stop: func(state int32, e *edge, _ int) key {
			if e.label == 1 {
				return keys[state].xor(keys[e.child]).key()
			}
			return keys[e.child].key() // the default predicts 1
		},
		before: func(state int32, e *edge, _ int, k key) key {
			if e.label == 1 {
				captured := keys[state].xor(keys[e.child]).key()
				k = key{k[0] ^ captured[0], k[1] ^ captured[1]}
			}
			return k
		},
	}
	return tabulate(s, p, most)
}

// stateKeys returns the keys of the samples of each state.
func (s *Set) stateKeys() []code {
	keys := make([]code, len(s.d))
	for i := range keys {
		keys[i] = s.samplesKey(s.points(int32(i)))
	}
	return keys
}

func (s *Set) samplesKey(set []uint64) (k code) {
	for w, x := range set[:s.realWords] {
		for ; x != 0; x &= x - 1 {
			k = k.xor(pointKey(uint64(64*w + bits.TrailingZeros64(x))))
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
