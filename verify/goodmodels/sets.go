package goodmodels

import (
	"encoding/binary"
	"math/big"

	"parcorels/verify/framing"
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

func intersect(a, b []uint64) []uint64 { return framing.Side(nil, a, b, true) }

func without(a, b []uint64) []uint64 { return framing.Side(nil, a, b, false) }

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
