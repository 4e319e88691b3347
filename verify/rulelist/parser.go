package rulelist

import (
	"errors"

	"parcorels/verify/framing"
)

var errRepeats = errors.New("a prefix has an antecedent twice")

// parser reads payloads of proofs of rule lists.
type parser struct{ framing.Parser }

// limits bound what a prefix can be.
type limits struct {
	antecedents int  // there are
	classes     int  // likewise
	limited     bool // whether lists have a limit of rules
	longest     int  // prefix whose cost is sure to fit 63 bits
}

// prefix reads ints that are different antecedents, and appends them to buffer.
func (p *parser) prefix(buffer []uint16, l limits, seen *epochSet) []uint16 {
	seen.clear()
	for n := p.Below("prefix of length", l.longest+1); n > 0 && p.Err == nil; n-- {
		a := p.Below("antecedent", l.antecedents)
		if p.Err == nil && !seen.add(a) {
			p.Fail(errRepeats)
		}
		buffer = append(buffer, uint16(a))
	}
	return buffer
}

// epochSet is a set of antecedents that is emptied at once.
type epochSet struct {
	of  []uint32
	now uint32
}

func newEpochSet(antecedents int) *epochSet {
	return &epochSet{of: make([]uint32, antecedents), now: 1}
}

func (s *epochSet) clear() {
	if s.now++; s.now == 0 {
		clear(s.of)
		s.now = 1
	}
}

func (s *epochSet) has(a int) bool { return s.of[a] == s.now }

// add reports whether a is new.
func (s *epochSet) add(a int) bool {
	isNew := s.of[a] != s.now
	s.of[a] = s.now
	return isNew
}
