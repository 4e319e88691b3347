package column

import (
	"math"
	"math/bits"
)

// The quantiles of a column of many numbers need them sorted, which takes most
// of the time that such a column takes. The bits of floats, once those of
// negative ones are turned over, are integers in the same order, and integers
// are sorted digit by digit, the lowest first, in time proportional to their
// number (Knuth, The Art of Computer Programming, volume 3, section 5.2.5):
// four to five times as fast as comparing at half a million.

// digitBits is the size of a digit: six of them make 64 bits, and the counts of
// all its values stay in the first-level cache.
const digitBits = 11

// FloatKey returns the place of v, no NaN, in the order of floats.
func FloatKey(v float64) uint64 {
	bits := math.Float64bits(v)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// KeyFloat returns the float at that place.
func KeyFloat(key uint64) float64 {
	if key>>63 == 1 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}

// SortKeys sorts keys with the help of spare, as long as keys. One of the two
// is returned, sorted; the other is left in disorder.
func SortKeys(keys, spare []uint64) (sorted, other []uint64) {
	differ := uint64(0) // bits that are not the same in all keys
	for _, k := range keys {
		differ |= k ^ keys[0]
	}
	for differ != 0 {
		// A digit begins at the lowest bit that is not sorted by yet: numbers of
		// few digits have many bits in common.
		shift := bits.TrailingZeros64(differ)
		differ = differ >> shift >> digitBits << digitBits << shift
		var places [1 << digitBits]int32
		for _, k := range keys {
			places[k>>shift%(1<<digitBits)]++
		}
		next := int32(0)
		for digit, count := range places {
			places[digit] = next
			next += count
		}
		for _, k := range keys {
			place := &places[k>>shift%(1<<digitBits)]
			spare[*place] = k
			*place++
		}
		keys, spare = spare, keys
	}
	return keys, spare
}
