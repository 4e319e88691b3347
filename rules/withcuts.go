package rules

import (
	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
)

// WithCuts returns the set with an antecedent for each cut, in their order, behind its own. That of
// a cut that asks where a number is missing holds where it is not.
func (s *Set) WithCuts(cuts []dataset.Cut) *Set {
	if len(cuts) == 0 {
		return s
	}
	with := *s
	with.Data = s.Data.WithCuts(cuts)
	with.Antecedents = append([]Antecedent(nil), s.Antecedents...)
	with.Mined += int64(len(cuts))
	for i, cut := range cuts {
		l := Literal{Feature: len(s.Data.Features) + i, Negated: cut.Missing}
		bits := with.Data.Features[l.Feature].Bits
		if l.Negated {
			bits = bits.Complement()
		}
		with.Antecedents = append(with.Antecedents, Antecedent{l.name(with.Data), []Literal{l}, []*bitset.BitSet{bits}})
	}
	return &with
}
