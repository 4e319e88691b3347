package rules

import (
	"math/bits"

	"github.com/bits-and-blooms/bitset"
)

// Of many conjunctions, some fit the samples well by chance. Options.Informative keeps
// those that say more than each part of theirs: a conjunction X is compared with every
// part Y that has one literal less, by the samples of Y that X leaves out. The share
// of a class must be larger in X than among those, or else smaller, the same way
// for all parts; and the chi-square statistic of X against those must reach 2·ln m for
// each part, m being how many conjunctions of so many literals there can be, and of more
// than two classes that times the classes. The largest of m statistics of pure noise is
// about that, so that about one conjunction of noise is kept, or none.
//
// Samples count one each, whatever they weigh: it is their number that makes chance
// small. Counts are integers. They meet in products of floats, of which none is
// added to another, so that every machine decides alike.

// twiceLog2 is 2·ln 2.
const twiceLog2 = 1.3862943611198906

// criterion tells conjunctions of some number of literals that are informative.
type criterion struct {
	m        *miner
	least    float64 // chi-square that must be reached
	classes  []*bitset.BitSet
	literals []classCounts // of each literal alone
}

// classCounts are the samples of a set, and those of each class but the first in it.
type classCounts struct {
	all     int64
	classes []int64
}

// newCriterion returns the criterion of conjunctions of card literals; nil if all are
// wanted, or if there are none.
func (m *miner) newCriterion(card int) *criterion {
	if !m.options.Informative || card < 2 {
		return nil
	}
	c := &criterion{m: m}
	for _, class := range m.classSets() {
		c.classes = append(c.classes, class.set)
	}
	tests := choices(len(m.literals), card)
	if k := len(c.classes) + 1; k > 2 {
		tests *= uint64(k)
	}
	c.least = twiceLog2 * float64(bits.Len64(tests))
	for _, l := range m.literals {
		c.literals = append(c.literals, c.count(l.bits))
	}
	return c
}

// choices returns how many ways there are to choose k of n, at most 2^40.
func choices(n, k int) uint64 {
	total := uint64(1)
	for i := range min(k, n) {
		hi, lo := bits.Mul64(total, uint64(n-i))
		if hi > 0 || lo>>40 > 0 {
			return 1 << 40
		}
		total = lo / uint64(i+1)
	}
	return total
}

func (c *criterion) count(set *bitset.BitSet) classCounts {
	n := classCounts{all: int64(set.Count())}
	for _, class := range c.classes {
		n.classes = append(n.classes, int64(set.IntersectionCardinality(class)))
	}
	return n
}

// tester applies a criterion to the extensions of one conjunction after the other.
type tester struct {
	*criterion
	of     classCounts
	others []*bitset.BitSet // of more than one literal: the sets without one of them each
	buffer *bitset.BitSet
}

func (c *criterion) tester() *tester {
	if c == nil {
		return nil
	}
	return &tester{criterion: c, buffer: bitset.New(uint(c.m.data.N))}
}

// begin readies t for the extensions of x, which captures set.
func (t *tester) begin(x *conjunction, set *bitset.BitSet) {
	if t == nil {
		return
	}
	t.of, t.others = t.count(set), t.others[:0]
	if len(x.literals) < 2 {
		return
	}
	for without := range x.literals {
		other := bitset.New(uint(t.m.data.N)).SetAll()
		for i, l := range x.literals {
			if i != without {
				other.InPlaceIntersection(t.m.literals[l].bits)
			}
		}
		t.others = append(t.others, other)
	}
}

// informative reports whether the extension of the conjunction that captures set by
// literal l is.
func (t *tester) informative(set *bitset.BitSet, l int) bool {
	lit := t.m.literals[l].bits
	set.CopyFull(t.buffer)
	t.buffer.InPlaceIntersection(lit)
	x := t.count(t.buffer)
	parts := []classCounts{t.of}
	if len(t.others) == 0 {
		parts = append(parts, t.literals[l])
	}
	for _, other := range t.others {
		other.CopyFull(t.buffer)
		t.buffer.InPlaceIntersection(lit)
		parts = append(parts, t.count(t.buffer))
	}
	return t.tells(x, parts)
}

// tells reports whether some class is more frequent in x than in the rest of each
// part, or less frequent than in each, by more than chance.
func (t *tester) tells(x classCounts, parts []classCounts) bool {
	for k := range len(t.classes) + 1 {
		more, less := true, true
		for _, part := range parts {
			sign := t.differs(x.all, x.of(k), part.all, part.of(k))
			more, less = more && sign > 0, less && sign < 0
		}
		if more || less {
			return true
		}
	}
	return false
}

// of returns how many samples are of a class.
func (n classCounts) of(class int) int64 {
	if class > 0 {
		return n.classes[class-1]
	}
	first := n.all
	for _, k := range n.classes {
		first -= k
	}
	return first
}

// differs compares x samples, of which ones are of a class, with the rest of a part of n
// samples that they belong to, of which all are of the class. It returns 1 if the class
// is more frequent in x, -1 if it is less, and 0 if chance would do that.
func (t *tester) differs(x, ones, n, all int64) int {
	rest, others := n-x, all-ones
	d := ones*(rest-others) - (x-ones)*others
	if float64(d)*float64(d)*float64(n) < t.least*float64(x)*float64(rest)*float64(all)*float64(n-all) || d == 0 {
		return 0
	}
	if d > 0 {
		return 1
	}
	return -1
}
