// Package rules makes antecedents: the conditions that a model may put behind
// an "if". Begin with [Mine], or with [Given] for an .out file, which brings its own.
//
// A literal is a binary feature of a data set or the negation of one. An
// antecedent is a conjunction of literals, together with the set of samples
// that satisfy it, its captured set: a bitset with one bit a sample.
//
// # What is mined
//
// Mine takes a largest number of literals and a support limit m. It returns all
// conjunctions that capture at least m and at most 1 − m of the weight of the samples. It
// leaves out those with the captured set of a simpler one. Simpler means: fewer literals;
// then fewer negations; then earlier by the order of the features in the data set. That is
// a strict total order, and the antecedents are listed in it. So equal data and options
// give equal antecedents, whatever the number of processors.
//
// [Options.Budget] leaves out those beyond a largest number.
//
// A captured set and its complement are two antecedents: a rule list uses them
// differently.
//
// # Invariants
//
//   - Antecedents of a [Set] are in the order above and no two of them capture
//     the same samples. (Not so for [Given], which keeps what it is given.)
//   - The literals of an antecedent are in feature order.
//   - There are at most [MaxAntecedents] of them.
//   - Captured sets are shared with the data set where they are equal, and are
//     never changed.
package rules

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
	"parcorels/optionerr"
	"parcorels/ratio"
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

// Options says which antecedents Mine looks for. The zero value asks for
// conjunctions of up to two features without negations that capture between
// 1% and 99% of the weight.
type Options struct {
	Negations  bool        // literals may be negations of features
	MaxCard    int         // the most literals of a conjunction; 0 means 2
	Budget     int         // the most antecedents: those of most gain are kept; 0 means MaxAntecedents
	Forbid     []string    // names of literals that no antecedent may have
	MinSupport ratio.Ratio // 0 to 1/2: the least share of the weight to capture, 1 minus it the most; the zero value means 1/100
}

// withDefaults fills the zero fields in and checks the others.
func (o Options) withDefaults() (Options, error) {
	o.MaxCard, o.MinSupport, o.Budget = cmp.Or(o.MaxCard, 2), cmp.Or(o.MinSupport, ratio.New(1, 100)), cmp.Or(o.Budget, MaxAntecedents)
	if o.Budget < 0 || o.Budget > MaxAntecedents {
		return o, optionerr.Bad("Budget", o.Budget, "a number from 1 to %d", MaxAntecedents)
	}
	if o.MaxCard < 0 {
		return o, optionerr.Errorf("MaxCard", "option MaxCard is %d: a conjunction has at least 1 literal", o.MaxCard)
	}
	if r := o.MinSupport; !r.Valid() || r.Num < 0 || r.Num > r.Den/2 {
		return o, optionerr.Bad("MinSupport", r, "a number from 0 to 0.5")
	}
	return o, nil
}

// limits are the support limits in weight: a conjunction is kept when it
// captures at least least and at most most. Capturing nothing or everything
// is never allowed.
type limits struct{ least, most int64 }

// limitsOf returns the integers for which
// least ≤ w ≤ most ⇔ total·r ≤ w ≤ total·(1−r) and 0 < w < total.
func limitsOf(r ratio.Ratio, total int64) limits {
	low, rest := mulDiv(total, r.Num, r.Den)
	if rest {
		low++
	}
	high, _ := mulDiv(total, r.Den-r.Num, r.Den)
	return limits{max(low, 1), min(high, total-1)}
}

// mulDiv returns ⌊a·b/c⌋ for 0 ≤ b ≤ c and c > 0, and whether there is a remainder. The
// product has up to 128 bits.
func mulDiv(a, b, c int64) (quotient int64, rest bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, r := bits.Div64(hi, lo, uint64(c))
	return int64(q), r != 0
}

// Names in the reference format are lists in braces, `{sex_=_Male,age_≤_21}`, without spaces, because a space ends them. They
// are made from the names that people read. Where these have characters of the format's own, others stand for them.

// outNames returns the names of all antecedents, made different by a number where they are not.
func outNames(s *Set) []string {
	names := make([]string, len(s.Antecedents))
	taken := map[string]bool{}
	for i, a := range s.Antecedents {
		n := outName(s.Data, a.Literals)
		for k := 2; taken[n]; k++ {
			n = strings.TrimSuffix(outName(s.Data, a.Literals), "}") + "~" + strconv.Itoa(k) + "}"
		}
		taken[n] = true
		names[i] = n
	}
	return names
}

// outName returns the name of a conjunction. A single feature of a file in this format keeps the name that it was given.
func outName(d *dataset.Dataset, literals []Literal) string {
	parts := make([]string, len(literals))
	for i, l := range literals {
		name, given := l.name(d), d.Features[l.Feature].Column == ""
		switch {
		case given && len(literals) == 1 && !l.Negated:
			return noSpaces(name)
		case given:
			parts[i] = noSpaces(braces.Replace(name))
		default:
			parts[i] = plain(name)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// labelName returns the name of a class, `{target:value}`. A class that never
// occurs has no text of its own: it is what the other is not.
func labelName(d *dataset.Dataset, class int) string {
	value := d.Classes[class]
	if value == "" {
		value = "not " + d.Classes[1-class]
	}
	return "{" + plain(d.Target) + ":" + plain(value) + "}"
}

var ownCharacters = strings.NewReplacer(", ", ";", ",", ";", "{", "(", "}", ")")
var braces = strings.NewReplacer("{", "", "}", "")

// plain replaces the characters that mean something in a list in braces.
func plain(s string) string {
	return noSpaces(ownCharacters.Replace(s))
}

// noSpaces replaces white space and what does not print.
func noSpaces(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, s)
}
