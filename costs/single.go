package costs

import (
	"parcorels/bitvec"
	"parcorels/ratio"
)

// Single counts what one label gains of columns, sets of points. It has the columns once more, with a bit for each unit of
// gain: a point that gains m units has m of them. So a plain count of bits is what a set gains. A table whose points
// would take more than twice the words keeps its weights instead.
type Single struct {
	unit  int64
	words int // of a set of bits
	first []part
	more  []part
	all   []uint64
	bits  []uint64 // of the columns, side by side

	planes  *bitvec.Planes // nil: the weights are not kept
	columns [][]uint64
}

// part says which bits of a set of bits come from a word of points: of one with a mask the points in it, else all bits that one point has.
type part struct {
	word, to int
	mask     uint64 // of points
	units    uint64 // of the one point
}

// Single returns the counts of one label for these columns, subsets of a set.
func (t *Table) Single(label int, all []uint64, columns [][]uint64) *Single {
	gains := make([]int64, len(t.Costs))
	switch {
	case t.Labels > 2:
		copy(gains, t.Gains[label])
	case label == 0:
		copy(gains[64*t.Words1:], t.Costs[64*t.Words1:])
	default:
		copy(gains, t.Costs[:64*t.Words1])
	}
	x := &Single{}
	if !x.layOut(gains) {
		x.planes, x.words, x.all, x.columns = bitvec.NewPlanes(gains, t.Words), t.Words, all, columns
		return x
	}
	x.all = make([]uint64, x.words)
	x.unpack(x.all, all)
	x.bits = make([]uint64, x.words*len(columns))
	for i, column := range columns {
		x.unpack(x.bits[i*x.words:][:x.words], column)
	}
	return x
}

// layOut says where the bits of each point are. It returns false if they are too many.
func (x *Single) layOut(gains []int64) bool {
	for _, g := range gains {
		x.unit = ratio.GCD(x.unit, g)
	}
	for w := range len(gains) / 64 {
		p := part{word: w, to: len(x.first)}
		for i, g := range gains[64*w : 64*w+64] {
			if g > 0 {
				p.mask |= 1 << i
			}
		}
		if p.mask != 0 {
			x.first = append(x.first, p)
		}
	}
	x.words = len(x.first)
	bit, most := 64*x.words, 128*x.words
	for at, g := range gains {
		if g == 0 {
			continue
		}
		if g/x.unit > int64(most-bit) {
			return false
		}
		for left := int(g/x.unit) - 1; left > 0; {
			n := min(left, 64-bit%64)
			x.more = append(x.more, part{at / 64, bit / 64, 1 << (at % 64), (1<<n - 1) << (bit % 64)})
			bit, left = bit+n, left-n
		}
	}
	x.words = (bit + 64*bitvec.Lanes - 1) / (64 * bitvec.Lanes) * bitvec.Lanes
	return true
}

// unpack writes the bits of a set of points.
func (x *Single) unpack(to, set []uint64) {
	clear(to)
	for _, p := range x.first {
		to[p.to] = set[p.word] & p.mask
	}
	for _, p := range x.more {
		if set[p.word]&p.mask != 0 {
			to[p.to] |= p.units
		}
	}
}

// Words is how many words the scratch of Gains has.
func (x *Single) Words() int { return x.words }

// Gains writes what the label gains of the part of some columns that is outside of two others. Scratch has [Single.Words].
func (x *Single) Gains(to []int64, a, b int, some []int32, scratch []uint64) {
	to, scratch = to[:len(some)], scratch[:x.words]
	if x.planes != nil {
		bitvec.AndNot(scratch, x.all, x.columns[a])
		bitvec.AndNot(scratch, scratch, x.columns[b])
		for i, v := range some {
			to[i], _ = x.planes.CostAnd(scratch, x.columns[v])
		}
		return
	}
	bitvec.AndNot(scratch, x.all, x.bits[a*x.words:][:x.words])
	bitvec.AndNot(scratch, scratch, x.bits[b*x.words:][:x.words])
	bitvec.CountCommon(to, scratch, x.bits, some)
	for i := range to {
		to[i] *= x.unit
	}
}
