package rulelist

import (
	"fmt"
	"math/bits"
	"slices"

	"parcorels/verify/framing"
)

// maxScaled bounds the denominator of λ times the total weight, so that the sum
// of a few objectives fits 63 bits.
const maxScaled = 1 << 60

// problem is the samples, λ in integers, and the claimed list. All costs and
// objectives are unit·errors + price·rules, where errors include the base.
type problem struct {
	samples *framing.Samples
	*groups
	unit  int64 // denominator of λ
	price int64 // numerator of λ times N: what a rule costs
	most  int   // rules of a list; 0: no limit
	may   may
	worth int64 // the largest gain of a rule that is not worth its price: λN, rounded down
	empty prefixState

	usable    [][]uint64 // by label: antecedents of rules that a smaller list may have, as far as bounds of the empty prefix tell; nil: all
	least     int64      // likewise, what lists with a rule cost at least
	width     int        // words of a set of antecedents
	satisfies []uint64   // by group: the antecedents that it satisfies; nil without bounds

	claimed   []uint16
	objective int64 // of it
}

// newProblem makes sure that the header of a proof is about these samples.
func newProblem(s *framing.Samples, h framing.About, proof *Proof, digest [32]byte) (*problem, error) {
	most := proof.most
	if err := h.OfData(digest, len(s.Captured), s.Total); err != nil {
		return nil, err
	}
	if n := len(proof.may.labels); proof.may.labels != nil && (n != len(s.Captured) || s.Classes != 2) {
		return nil, refused("it names labels of %d antecedents, there are %d and %d classes", n, len(s.Captured), s.Classes)
	}
	free := most > 0 && h.Lambda.Num == 0 // rules that cost nothing need a limit
	if !h.Lambda.Within() && !free || !h.InLowestTerms() {
		return nil, refused("its λ is %d/%d, expected a fraction between 0 and 1 in lowest terms; 0 with a limit of rules", h.Lambda.Num,
			h.Lambda.Den)
	}
	if hi, lo := bits.Mul64(uint64(h.Lambda.Den), uint64(s.Total)); hi != 0 || lo >= maxScaled {
		return nil, refused("total weight %d × the denominator %d of λ exceeds 2^60", s.Total, h.Lambda.Den)
	}
	price := h.Lambda.Num * s.Total
	p := &problem{samples: s, groups: newGroups(s), unit: h.Lambda.Den, price: price, most: most, may: proof.may,
		worth: price / h.Lambda.Den}
	p.empty = prefixState{cost: p.unit * p.base, left: p.all, sum: p.groups.sum}
	if p.may.rows > 1 {
		p.empty.rows = framing.First(s.N)
	}
	return p, nil
}

// limits returns what a prefix can be. Three rules more than the longest cost
// at most 2^61, or less than 2^62 if only the empty prefix is left, as λ is near 1.
func (p *problem) limits() limits {
	longest := min(int64(len(p.samples.Captured)), max(2*maxScaled/max(p.price, 1)-3, 0))
	if p.most > 0 {
		longest = min(longest, int64(p.most))
	}
	return limits{len(p.samples.Captured), p.samples.Classes, p.most > 0, int(longest)}
}

// claim counts what the claimed list does, straight from the labels, and makes
// it the list that no other may be smaller than.
func (p *problem) claim(c *claim) error {
	s := p.samples
	left := framing.First(s.N)
	captured, errors := make([]uint64, len(left)), int64(0)
	for k, label := range c.labels {
		copy(captured, left)
		if k < len(c.list) {
			if !p.ruleMay(left, int(c.list[k])) {
				return refused("the claimed list: rule %d decides fewer than %d samples, or may predict no label", k+1, p.may.rows)
			}
			for i, w := range s.Captured[c.list[k]] {
				captured[i] &= w
			}
			remove(left, left, captured)
		}
		weights := make([]int64, s.Classes)
		for i := range framing.Members(captured) {
			for c, w := range s.WeightsAt(i) {
				weights[c] += w
			}
			errors += s.Weight(i)
		}
		most := slices.Max(weights)
		best := slices.Index(weights, most)
		if k < len(c.list) && p.may.labels != nil && p.may.labels[c.list[k]] != 3 {
			best = int(p.may.labels[c.list[k]]) - 1
			most = weights[label]
		}
		if int(label) != best {
			return refused("the claimed list: line %d predicts class %d, the samples that it captures weigh %d in that class and %d in "+
				"class %d",
				k+1, label, weights[label], most, best)
		}
		errors -= most
	}
	if errors != c.errors {
		return refused("the claimed list: it is said to get a weight of %d wrong, the samples say %d", c.errors, errors)
	}
	p.claimed = c.list
	p.objective = p.unit*errors + p.price*int64(len(c.list))
	return nil
}

// isSmaller reports whether the list prefix, behind, of the given objective, is
// smaller than the claimed one.
func (p *problem) isSmaller(objective int64, prefix []uint16, behind ...uint16) bool {
	n := len(prefix) + len(behind)
	switch {
	case objective != p.objective:
		return objective < p.objective
	case n != len(p.claimed):
		return n < len(p.claimed)
	}
	if c := slices.Compare(prefix, p.claimed[:len(prefix)]); c != 0 {
		return c < 0
	}
	return slices.Compare(behind, p.claimed[len(prefix):]) < 0
}

// Failure is the first step of a proof that does not hold.
type Failure struct {
	Prefix []string // names of the antecedents of the prefix that the step is about
	What   string   // what does not hold of it
}

func (f *Failure) Error() string {
	if len(f.Prefix) == 0 {
		return "the empty prefix: " + f.What
	}
	text := "prefix "
	for i, name := range f.Prefix {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", name)
	}
	return text + ": " + f.What
}
