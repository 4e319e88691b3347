package goodmodels

import (
	"encoding/binary"
	"math/big"
)

// name is a set as a key of maps.
func name(set []uint64) string {
	b := make([]byte, 0, 8*len(set))
	for _, w := range set {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}

// levelName is a set with the splits that may follow.
func levelName(set []uint64, level int) string {
	return name(set) + name([]uint64{uint64(level)})
}

func intersect(a, b []uint64) []uint64 {
	out := make([]uint64, len(a))
	for w, x := range a {
		out[w] = x & b[w]
	}
	return out
}

func without(set, column []uint64) []uint64 {
	left := make([]uint64, len(set))
	for w, x := range set {
		left[w] = x &^ column[w]
	}
	return left
}

func intersects(a, b []uint64) bool {
	for w, x := range a {
		if x&b[w] != 0 {
			return true
		}
	}
	return false
}

func within(a, b []uint64) bool {
	for w, x := range a {
		if x&^b[w] != 0 {
			return false
		}
	}
	return true
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }
