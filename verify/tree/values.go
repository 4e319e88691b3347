package tree

import (
	"math/bits"

	"parcorels/verify/framing"
)

// far is larger than any value; two of them add up without overflow.
const far = framing.Far

// values turn errors and leaves into one integer.
type values struct{ unit, price int64 }

// of returns the value of a tree, far if it is larger.
func (v values) of(errors, leaves int64) int64 {
	hi, lo := bits.Mul64(uint64(leaves), uint64(v.price))
	if hi != 0 || lo >= uint64(far) {
		return far
	}
	return min(far, v.unit*errors+int64(lo))
}
