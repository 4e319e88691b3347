package short

import "slices"

// ranking lists conditions by falling D outside a condition, to the precision of a level.
type ranking struct {
	low   int64 // the least D
	shift int   // of D above it, for its level
	ends  []int32
	list  []uint16 // those of a level and above end at its place of ends
}

const (
	levels      = 256
	rankingSize = 4*(levels+1) + 64 // bytes, without the list
)

// upTo returns those that may have at least so much, and some that have a little less.
func (x *ranking) upTo(least int64) []uint16 {
	level := max(least-x.low, 0) >> x.shift
	if level > levels {
		return nil
	}
	return x.list[:x.ends[level]]
}

// rank ranks some conditions by their D.
func rank[T count](x *ranking, among []int32, d []T) {
	x.list, x.shift = slices.Grow(x.list[:0], len(among))[:len(among)], 0
	if x.ends == nil {
		x.ends = make([]int32, levels+1)
	}
	clear(x.ends)
	if len(among) == 0 {
		return
	}
	d = d[:len(among)]
	low, high := d[0], d[0]
	for _, g := range d {
		low, high = min(low, g), max(high, g)
	}
	x.low = int64(low)
	for (int64(high)-x.low)>>x.shift >= levels {
		x.shift++
	}
	for _, g := range d {
		x.ends[(int64(g)-x.low)>>x.shift]++
	}
	for i := levels - 1; i >= 0; i-- {
		x.ends[i] += x.ends[i+1]
	}
	for i, g := range d {
		at := &x.ends[(int64(g)-x.low)>>x.shift]
		*at--
		x.list[*at] = uint16(among[i])
	}
	for i := levels; i > 0; i-- { // each has become the end of the level above
		x.ends[i] = x.ends[i-1]
	}
	x.ends[0] = int32(len(among))
}
