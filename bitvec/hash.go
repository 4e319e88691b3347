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
	for ; len(u) >= 2 && len(k) >= 4; u, k = u[2:], k[4:] {
		s.add(u[0], u[1], k[0], k[1], k[2], k[3])
	}
	if len(u) == 1 {
		s.add(u[0], 0, k[0], k[1], k[2], k[3])
	}
	return s.key()
}

// AndNotHash sets dst = a \ b and returns its key: one pass instead of two.
func (h *Hasher) AndNotHash(dst, a, b []uint64) Key {
	var s nh
	a, b = a[:len(dst)], b[:len(dst)]
	i := andNotHashFast(&s, dst, a, b, h.keys)
	k := h.keys[2*i:]
	for ; i+1 < len(dst) && len(k) >= 4; i, k = i+2, k[4:] {
		x, y := a[i]&^b[i], a[i+1]&^b[i+1]
		dst[i], dst[i+1] = x, y
		s.add(x, y, k[0], k[1], k[2], k[3])
	}
	if i < len(dst) {
		dst[i] = a[i] &^ b[i]
		s.add(dst[i], 0, k[0], k[1], k[2], k[3])
	}
	return s.key()
}

// nh is the running pair of 128-bit sums.
type nh struct{ hi1, lo1, hi2, lo2 uint64 }

func (s *nh) add(x, y, k0, k1, k2, k3 uint64) {
	var c uint64
	h, l := bits.Mul64(x+k0, y+k1)
	s.lo1, c = bits.Add64(s.lo1, l, 0)
	s.hi1, _ = bits.Add64(s.hi1, h, c)
	h, l = bits.Mul64(x+k2, y+k3)
	s.lo2, c = bits.Add64(s.lo2, l, 0)
	s.hi2, _ = bits.Add64(s.hi2, h, c)
}

// key folds each sum to 64 bits and mixes, so that any bits of the key will
// do as a table index.
func (s *nh) key() Key {
	return Key{mix(s.hi1*0x9fb21c651e98df25 + s.lo1), mix(s.hi2*0xa0761d6478bd642f + s.lo2)}
}
