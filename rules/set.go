package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parcorels/dataset"

	"github.com/bits-and-blooms/bitset"
)

// MaxAntecedents is the largest number of antecedents of a set.
const MaxAntecedents = 1 << 16

// Literal is a feature of a data set, by its index there, or its negation.
type Literal struct {
	Feature int
	Negated bool
}

// Antecedent is a conjunction of literals.
type Antecedent struct {
	Name     string    // the names of the literals, joined by " and "
	Literals []Literal // in feature order
	// Parts are sets of samples, of one bit a sample, the intersection of which satisfies all
	// literals. Antecedents share those of their literals, so that thousands of conjunctions
	// take no more memory than the features.
	Parts []*bitset.BitSet
}

// Captured returns the samples that satisfy the antecedent. It is made at each call where
// there is more than one part. The caller does not change it.
func (a *Antecedent) Captured() *bitset.BitSet {
	if len(a.Parts) == 1 {
		return a.Parts[0]
	}
	set := a.Parts[0].Intersection(a.Parts[1])
	for _, part := range a.Parts[2:] {
		set.InPlaceIntersection(part)
	}
	return set
}

// Set is the antecedents made from a data set.
type Set struct {
	Data        *dataset.Dataset
	Antecedents []Antecedent
	// Mined is how many antecedents there were before Options.Budget: those that are kept, where all are. Some of those that
	// were given up may capture the same samples as others; their conjunctions with further literals were not looked at and
	// do not count.
	Mined int64
}

// Captured returns what each antecedent captures: as much memory as a bit for each of them
// and each sample.
func (s *Set) Captured() []*bitset.BitSet {
	sets := make([]*bitset.BitSet, len(s.Antecedents))
	for i := range sets {
		sets[i] = s.Antecedents[i].Captured()
	}
	return sets
}

// PointOf returns the point of each sample: samples that satisfy the same antecedents are one. Points come
// in the order of their first samples.
func (s *Set) PointOf() []int {
	known := map[string]int{}
	of := make([]int, s.Data.N)
	row := make([]byte, (len(s.Antecedents)+7)/8)
	captured := s.Captured()
	for i := range of {
		clear(row)
		for k := range captured {
			if captured[k].Test(uint(i)) {
				row[k/8] |= 1 << (k % 8)
			}
		}
		p, ok := known[string(row)]
		if !ok {
			p = len(known)
			known[string(row)] = p
		}
		of[i] = p
	}
	return of
}

// Pruned reports whether antecedents were given up, for the budget.
func (s *Set) Pruned() bool { return s.Mined > int64(len(s.Antecedents)) }

// Given returns the features of d as antecedents, one each, in their order,
// and drops nothing: what a file of ready-made antecedents asks for. It
// returns an error when there are more than MaxAntecedents.
func Given(d *dataset.Dataset) (*Set, error) {
	if n := len(d.Features); n > MaxAntecedents {
		return nil, fmt.Errorf("%q has %d antecedents, the limit is %d", d.Source, n, MaxAntecedents)
	}
	s := &Set{Data: d, Antecedents: make([]Antecedent, len(d.Features)), Mined: int64(len(d.Features))}
	literals := make([]Literal, len(d.Features))
	for i := range d.Features {
		f := &d.Features[i]
		literals[i].Feature = i
		s.Antecedents[i] = Antecedent{Name: f.Name, Literals: literals[i : i+1 : i+1], Parts: []*bitset.BitSet{f.Bits}}
	}
	return s, nil
}

// name returns the text that people read for a conjunction.
func name(d *dataset.Dataset, literals []Literal) string {
	var parts []string
	for _, c := range Conditions(d, literals) {
		parts = append(parts, c.Name)
	}
	return strings.Join(parts, " and ")
}

func (l Literal) name(d *dataset.Dataset) string {
	if l.Negated {
		return d.Features[l.Feature].NegatedName()
	}
	return d.Features[l.Feature].Name
}

// compare is the order of simplicity of the package comment.
func compare(a, b []Literal) int {
	return cmp.Or(
		cmp.Compare(len(a), len(b)),
		cmp.Compare(negations(a), negations(b)),
		slices.CompareFunc(a, b, Literal.compare),
	)
}

func negations(literals []Literal) (n int) {
	for _, l := range literals {
		n += l.negations()
	}
	return n
}

func (l Literal) negations() int {
	if l.Negated {
		return 1
	}
	return 0
}

// compare orders literals by feature, a feature before its negation.
func (l Literal) compare(m Literal) int {
	return cmp.Or(cmp.Compare(l.Feature, m.Feature), l.negations()-m.negations())
}

// ClassSets returns the samples of each class.
func ClassSets(d *dataset.Dataset) []*bitset.BitSet {
	sets := make([]*bitset.BitSet, d.ClassCount())
	for c := range sets {
		sets[c] = d.InClass(c)
	}
	return sets
}
