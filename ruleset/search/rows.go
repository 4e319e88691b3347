package search

import (
	"math/bits"

	"parcorels/instance"

	"github.com/bits-and-blooms/bitset"
)

// rows are the bit positions of a set of points, as samples of a smaller
// instance.
type rows struct{ at []int }

func newRows(set []uint64) rows {
	var r rows
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			r.at = append(r.at, 64*w+bits.TrailingZeros64(x))
		}
	}
	return r
}

// pick returns the bits of column at the rows.
func (r rows) pick(column []uint64) *bitset.BitSet {
	words := make([]uint64, (len(r.at)+63)/64)
	for i, at := range r.at {
		words[i/64] |= column[at/64] >> (at % 64) & 1 << (i % 64)
	}
	return bitset.FromWithLength(uint(len(r.at)), words)
}

func (r rows) columns(in *instance.Instance, columns []int) []*bitset.BitSet {
	picked := make([]*bitset.BitSet, len(columns))
	for i, c := range columns {
		picked[i] = r.pick(in.Columns[c])
	}
	return picked
}

func (r rows) labels(in *instance.Instance) *bitset.BitSet {
	labels := bitset.New(uint(len(r.at)))
	for i, at := range r.at {
		if at < 64*in.Words1 {
			labels.Set(uint(i))
		}
	}
	return labels
}

func (r rows) weights(in *instance.Instance) []int64 {
	weights := make([]int64, len(r.at))
	for i, at := range r.at {
		weights[i] = in.Costs[at]
	}
	return weights
}
