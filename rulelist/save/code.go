package save

import (
	"encoding/binary"

	"parcorels/rulelist/problem"
	"parcorels/verify/framing"
)

// prefixCode writes and reads a sequence of prefixes, given as antecedent
// indices. Neighbours mostly share all but their last rules, so each is
// written as the number of rules to drop from the end of the one before, the
// number to append, and those (docs/checkpoint-format.md): three or four bytes.
type prefixCode struct {
	last []problem.Antecedent
}

// reset begins a new sequence.
func (c *prefixCode) reset() { c.last = c.last[:0] }

// append adds a prefix to the sequence b.
func (c *prefixCode) append(b []byte, prefix []problem.Antecedent) []byte {
	shared := 0
	for shared < min(len(c.last), len(prefix)) && c.last[shared] == prefix[shared] {
		shared++
	}
	b = binary.AppendUvarint(b, uint64(len(c.last)-shared))
	b = binary.AppendUvarint(b, uint64(len(prefix)-shared))
	for _, a := range prefix[shared:] {
		b = binary.AppendUvarint(b, uint64(a))
	}
	c.last = append(c.last[:shared], prefix[shared:]...)
	return b
}

// next reads a prefix of antecedents below m into c.last.
func (c *prefixCode) next(f *framing.Parser, m int) {
	c.last = c.last[:len(c.last)-f.Below("rules to drop", len(c.last)+1)]
	for range f.Below("rules to append", m-len(c.last)+1) {
		c.last = append(c.last, problem.Antecedent(f.Below("antecedent", m)))
	}
}
