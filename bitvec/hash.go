package bitvec

import "math/bits"

// Key is a 128-bit hash of a set of points.
type Key struct{ Hi, Lo uint64 }

// Hasher hashes sets of a fixed number of words.
//
// Each half is the NH family of UMAC (Black, Halevi, Krawczyk, Krovetz,
// Rogaway: CRYPTO 1999) on pairs of 64-bit words, Σ (x+k)·(x'+k') over 128
// bits, which collides for two different sets with probability 2^-64 over the
// choice of its keys, folded to 64 bits. The two halves use independent keys,
// so two given sets share a key with probability about 2^-128; among 10^10
// sets the chance of any collision is below 10^-18.
type Hasher struct {
	keys []uint64 // four per pair of words
}

// NewHasher returns a hasher for sets of words words.
func NewHasher(words int) *Hasher {
	h := &Hasher{keys: make([]uint64, (words+1)/2*4)}
	state := uint64(0x243f6a8885a308d3) // π: a constant with nothing up its sleeve
	for i := range h.keys {
		state += 0x9e3779b97f4a7c15
		h.keys[i] = mix(state)
	}
	return h
}

// mix is the finaliser of splitmix64, a bijection.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Hash returns the key of u.
func (h *Hasher) Hash(u []uint64) Key {
	var s nh
	k := h.keys
	for len(u) >= 2 {
		s.add(u[0], u[1], (*[4]uint64)(k))
		u, k = u[2:], k[4:]
	}
	if len(u) == 1 {
		s.add(u[0], 0, (*[4]uint64)(k))
	}
	return s.key()
}

// AndNotHash sets dst = a \ b and returns its key: one pass instead of two.
func (h *Hasher) AndNotHash(dst, a, b []uint64) Key {
	var s nh
	k := h.keys
	for len(dst) >= 2 {
		x, y := a[0]&^b[0], a[1]&^b[1]
		dst[0], dst[1] = x, y
		s.add(x, y, (*[4]uint64)(k))
		dst, a, b, k = dst[2:], a[2:], b[2:], k[4:]
	}
	if len(dst) == 1 {
		dst[0] = a[0] &^ b[0]
		s.add(dst[0], 0, (*[4]uint64)(k))
	}
	return s.key()
}

// nh is the running pair of 128-bit sums.
type nh struct{ hi1, lo1, hi2, lo2 uint64 }

func (s *nh) add(x, y uint64, k *[4]uint64) {
	var c uint64
	h, l := bits.Mul64(x+k[0], y+k[1])
	s.lo1, c = bits.Add64(s.lo1, l, 0)
	s.hi1 += h + c
	h, l = bits.Mul64(x+k[2], y+k[3])
	s.lo2, c = bits.Add64(s.lo2, l, 0)
	s.hi2 += h + c
}

// key folds each sum to 64 bits and mixes, so that any bits of the key will
// do as a table index.
func (s *nh) key() Key {
	return Key{mix(s.hi1*0x9fb21c651e98df25 + s.lo1), mix(s.hi2*0xa0761d6478bd642f + s.lo2)}
}
