package rules

import (
	"math/bits"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// Among many conjunctions, some fit the samples well by chance. Options.Informative keeps
// those that say more than each part of theirs: a conjunction X is compared with every
// part Y that has one literal less, by the samples of Y that X leaves out. The share
// of a class must be larger in X than among those, or else smaller, the same way
// for all parts; and the chi-square statistic of X against those must reach 2·ln m for
// each part, m being how many conjunctions of so many literals there can be, and of more
// than two classes that times the classes. The largest of m statistics of pure noise is
// about that, so that about one conjunction of noise is kept, or none.
//
// Samples count as the rows that they stand for, whatever these weigh: it is their number that makes chance
// small. Counts are integers. They meet in products of floats, of which none is
// added to another, so that every machine decides alike.
//
// A list predicts one class for a rule. So a conjunction X is an antecedent only if it
// decides: if no part Y of it has samples that X leaves out which are on the same side as
// X. Two sets are on the same side if one class has the most weight in both, and a larger
// share in both than among all samples, or a smaller one in both. If they are, the rule
// on Y is as good by itself, and X instead of Y pays only where few samples are left,
// which is where noise is fitted. A conjunction that does not decide is still extended.

// twiceLog2 is 2·ln 2.
const twiceLog2 = 1.3862943611198906

// criterion tells conjunctions of some number of literals that are informative.
type criterion struct {
	m        *miner
	card     int
	least    float64 // chi-square that must be reached
	classes  []*bitset.BitSet
	literals []classCounts // of each literal alone
	whole    classCounts   // of all samples: their weights
}

// classCounts are the samples of a set, and those of each class but the first in it; or
// what they weigh.
type classCounts struct {
	all     int64
	classes []int64
}

// criterionOf returns the criterion of conjunctions of card literals, which lasts for all
// of them.
func (m *miner) criterionOf(card int) *criterion {
	if m.criterion == nil || m.criterion.card != card {
		m.criterion = m.newCriterion(card)
	}
	return m.criterion
}

// newCriterion returns the criterion of conjunctions of card literals; nil if all are
// wanted, or if there are none.
func (m *miner) newCriterion(card int) *criterion {
	if !m.options.Informative || card < 2 {
		return nil
	}
	c := &criterion{m: m, card: card}
	for _, class := range m.classSets() {
		c.classes = append(c.classes, class.set)
	}
	all := bitset.New(uint(m.data.N)).SetAll()
	c.whole = countsOf(m.weigh, all, all, c.classes)
	tests := choices(len(m.literals), card)
	if k := len(c.classes) + 1; k > 2 {
		tests *= uint64(k)
	}
	c.least = twiceLog2 * float64(bits.Len64(tests))
	for _, l := range m.literals {
		c.literals = append(c.literals, countsOf(m.data.RowsOf, l.bits, l.bits, c.classes))
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

// size is the size of a∩b: how many rows there are, or what they weigh.
type size func(a, b *bitset.BitSet) int64

// countsOf returns the size of a∩b, of which each class has the part that parts are of a.
func countsOf(of size, a, b *bitset.BitSet, parts []*bitset.BitSet) classCounts {
	n := classCounts{all: of(a, b)}
	for _, part := range parts {
		n.classes = append(n.classes, of(part, b))
	}
	return n
}

// tester applies a criterion to the extensions of one conjunction after the other.
type tester struct {
	*criterion
	set    *bitset.BitSet   // of the conjunction
	inSet  []*bitset.BitSet // of each class but the first
	of     classCounts
	others []*bitset.BitSet // of more than one literal: the sets without one of them each
	buffer *bitset.BitSet
}

func (c *criterion) tester() *tester {
	if c == nil {
		return nil
	}
	t := &tester{criterion: c, buffer: bitset.New(uint(c.m.data.N))}
	for range c.classes {
		t.inSet = append(t.inSet, bitset.New(uint(c.m.data.N)))
	}
	return t
}

// begin readies t for the extensions of x, which captures set.
func (t *tester) begin(x *conjunction, set *bitset.BitSet) {
	if t == nil {
		return
	}
	t.set, t.of, t.others = set, countsOf(t.m.data.RowsOf, set, set, t.classes), t.others[:0]
	for k, class := range t.classes {
		set.CopyFull(t.inSet[k])
		t.inSet[k].InPlaceIntersection(class)
	}
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

// judge tells whether the extension by literal l is informative, and whether it decides.
func (t *tester) judge(l int) (informative, decides bool) {
	lit := t.m.literals[l].bits
	x, parts := t.measure(t.m.data.RowsOf, lit, t.of, t.literals[l])
	if !t.tells(x, parts) {
		return false, false
	}
	if weigh := t.m.weigh; t.m.data.Weights != nil {
		x, parts = t.measure(weigh, lit, countsOf(weigh, t.set, t.set, t.inSet), countsOf(weigh, lit, lit, t.classes))
	}
	return true, !slices.ContainsFunc(parts, func(part classCounts) bool { return x.besides(part, t.whole) })
}

// measure returns the size of an extension by a literal, and of its parts: whole is that of
// the set without the literal, single that of the literal alone.
func (t *tester) measure(of size, lit *bitset.BitSet, whole, single classCounts) (x classCounts, parts []classCounts) {
	parts = []classCounts{whole}
	if len(t.others) == 0 {
		parts = append(parts, single)
	}
	for _, other := range t.others {
		other.CopyFull(t.buffer)
		t.buffer.InPlaceIntersection(lit)
		parts = append(parts, countsOf(of, t.buffer, t.buffer, t.classes))
	}
	return countsOf(of, t.set, lit, t.inSet), parts
}

// besides reports whether the samples of a part that are not in x are on the same side
// as x, where all are all samples: see the top.
func (n classCounts) besides(part, all classCounts) bool {
	for k := range len(n.classes) + 1 {
		most := true
		for other := range len(n.classes) + 1 {
			most = most && (other == k || part.of(k)-n.of(k) > part.of(other)-n.of(other) && n.of(k) >= n.of(other))
		}
		if most {
			a := compareShares(n.of(k), n.all, all.of(k), all.all)
			return a != 0 && a == compareShares(part.of(k)-n.of(k), part.all-n.all, all.of(k), all.all)
		}
	}
	return false
}

// compareShares compares a/b with c/d.
func compareShares(a, b, c, d int64) int {
	return compareWords(product(a, d), product(c, b))
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
