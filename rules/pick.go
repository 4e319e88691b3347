package rules

import (
	"fmt"
	"slices"
	"strings"

	"parcorels/dataset"

	"github.com/bits-and-blooms/bitset"
)

// Conjunction returns the antecedent of conditions of the data as people read them, joined by
// " and ", whether it was mined or not. For ≤, ≥ and ≠ it takes <=, >= and !=.
func (s *Set) Conjunction(text string) (Antecedent, error) {
	named := literalsByName(s.Data)
	for _, a := range s.Antecedents {
		named[a.Name] = a.Literals // "18 < age ≤ 25" is one condition to people
	}
	literals, rest := matching(named, strings.TrimSpace(text))
	if rest != "" {
		return Antecedent{}, unknown(s.Data, rest)
	}
	slices.SortFunc(literals, Literal.compare)
	literals = slices.Compact(literals)
	if i := s.index(literals); i >= 0 {
		return s.Antecedents[i], nil
	}
	captured := bitset.New(uint(s.Data.N)).Complement()
	for _, l := range literals {
		bits := s.Data.Features[l.Feature].Bits
		if l.Negated {
			captured.InPlaceDifference(bits)
		} else {
			captured.InPlaceIntersection(bits)
		}
	}
	return Antecedent{Name: name(s.Data, literals), Literals: literals, Parts: []*bitset.BitSet{captured}}, nil
}

// literalsByName returns all literals of the data, also negations, by the names that people read.
func literalsByName(d *dataset.Dataset) map[string][]Literal {
	named := map[string][]Literal{}
	for i := range d.Features {
		named[d.Features[i].NegatedName()] = []Literal{{i, true}}
	}
	for i := range d.Features {
		named[d.Features[i].Name] = []Literal{{Feature: i}}
	}
	return named
}

var typed = strings.NewReplacer("<=", "≤", ">=", "≥", "!=", "≠")

// find looks a name up, also as it is typed.
func find(named map[string][]Literal, name string) ([]Literal, bool) {
	name = strings.TrimSpace(name)
	l, ok := named[name]
	if !ok {
		l, ok = named[typed.Replace(name)]
	}
	return l, ok
}

// matching splits a text into names with " and " between them. A name may hold " and " itself.
// The rest of the text where there is no such split is returned, too.
func matching(named map[string][]Literal, text string) (literals []Literal, rest string) {
	const and = " and "
	rest = text
	for end := len(text); end >= 0; end = strings.LastIndex(text[:end], and) {
		l, ok := find(named, text[:end])
		if !ok {
			continue
		}
		if end == len(text) {
			return slices.Clone(l), ""
		}
		more, left := matching(named, text[end+len(and):])
		if left == "" {
			return append(slices.Clone(l), more...), ""
		}
		if len(left) < len(rest) {
			rest = left
		}
	}
	return nil, rest
}

// unknown reports a condition that the data do not have, with some that there are of the columns that it names.
func unknown(d *dataset.Dataset, text string) error {
	const most = 12
	var near []string
	for _, f := range d.Features {
		if f.Column != "" && strings.Contains(text, f.Column) && len(near) < most {
			near = append(near, f.Name)
		}
	}
	if near == nil {
		return fmt.Errorf("there is no condition %q", text)
	}
	return fmt.Errorf("there is no condition %q, there are: %s", text, strings.Join(near, ", "))
}

// index returns the place of the antecedent of these literals, -1 if there is none.
func (s *Set) index(literals []Literal) int {
	return slices.IndexFunc(s.Antecedents, func(a Antecedent) bool { return slices.Equal(a.Literals, literals) })
}

// With returns the set with an antecedent more, unless it has it, and the index of that.
func (s *Set) With(a Antecedent) (*Set, int) {
	if i := s.index(a.Literals); i >= 0 {
		return s, i
	}
	more := *s
	more.Antecedents = append(slices.Clip(s.Antecedents), a)
	return &more, len(s.Antecedents)
}

// Without returns the set without the antecedents that have one of the literals of these names.
func (s *Set) Without(names []string) (*Set, error) {
	forbidden, err := forbidden(s.Data, names)
	if err != nil {
		return nil, err
	}
	less := *s
	less.Antecedents = nil
	for _, a := range s.Antecedents {
		if !slices.ContainsFunc(a.Literals, func(l Literal) bool { return forbidden[l] }) {
			less.Antecedents = append(less.Antecedents, a)
		}
	}
	less.Mined -= int64(len(s.Antecedents) - len(less.Antecedents))
	return &less, nil
}

// Known returns those of some names that are names of literals of d.
func Known(d *dataset.Dataset, names []string) []string {
	named := literalsByName(d)
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { _, ok := find(named, n); return !ok })
}

// forbidden returns the literals of names.
func forbidden(d *dataset.Dataset, names []string) (map[Literal]bool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	named, all := literalsByName(d), map[Literal]bool{}
	for _, n := range names {
		l, ok := find(named, n)
		if !ok {
			return nil, unknown(d, n)
		}
		all[l[0]] = true
	}
	return all, nil
}

// Subset returns the antecedents on some samples alone, which must not be none.
func (s *Set) Subset(rows *bitset.BitSet) *Set {
	part := *s
	part.Data = s.Data.Subset(rows)
	part.Antecedents = make([]Antecedent, len(s.Antecedents))
	extracted := map[*bitset.BitSet]*bitset.BitSet{}
	for i, a := range s.Antecedents {
		parts := make([]*bitset.BitSet, len(a.Parts))
		for k, set := range a.Parts {
			if extracted[set] == nil {
				extracted[set] = set.Extract(rows)
			}
			parts[k] = extracted[set]
		}
		a.Parts = parts
		part.Antecedents[i] = a
	}
	return &part
}
