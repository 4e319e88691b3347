package instance

import (
	"math/bits"
	"sync"
)

// restricting keeps the memory of groupings for the next call of Restrict, which a
// search makes for thousands of small sets.
var restricting sync.Pool

// Restrict returns the instance of the points of set over some columns alone, in
// the order given. Points that satisfy the same of these columns are one: what all labels
// gain there cancels out, and those that cost nothing
// are gone. Samples and Total are not those of a table; they are 0.
func (in *Instance) Restrict(set []uint64, columns []int) *Instance {
	picked := make([][]uint64, len(columns))
	for i, c := range columns {
		picked[i] = in.Columns[c]
	}
	count := 0
	for _, x := range set {
		count += bits.OnesCount64(x)
	}
	g, _ := restricting.Get().(*grouping)
	if g == nil || g.width != (len(columns)+63)/64 || g.classes != in.Labels {
		g = newGrouping(len(columns), in.Labels)
		g.expect(count | 1023)
	}
	defer restricting.Put(g)
	g.resetFor(count)
	keys := make([]uint64, 64*g.width)
	for w, x := range set {
		if x == 0 {
			continue
		}
		readKeys(keys, g.width, picked, w)
		for ; x != 0; x &= x - 1 {
			i := bits.TrailingZeros64(x)
			key := keys[i*g.width : (i+1)*g.width]
			weights := g.weightsOf(g.find(key, g.hash(key)))
			if in.Gains == nil {
				weights[in.ByWord[w]] += in.Costs[64*w+i]
			}
			for q, gains := range in.Gains {
				weights[q] += gains[64*w+i]
			}
		}
	}
	out := &Instance{Antecedents: len(columns)}
	out.lay(&g.keyed)
	return out
}

// resetFor forgets all points and makes room for some.
func (g *grouping) resetFor(points int) {
	slots := 1 << bits.Len(uint(2*points))
	if cap(g.slots) < slots {
		g.slots = make([]int32, slots)
	}
	g.slots = g.slots[:slots]
	clear(g.slots)
	g.n, g.weights, g.hashes = 0, g.weights[:0], g.hashes[:0]
}
