package save

import (
	"encoding/binary"
	"errors"

	"parcorels/rulelist/problem"
)

// prefixCode writes and reads a sequence of prefixes, given as antecedent
// indices. Neighbours mostly share all but their last rules, so each is
// written as the number of rules to drop from the end of the one before, the
// number to append, and those (docs/checkpoint-format.md): three or four bytes.
type prefixCode struct {
	last []problem.Antecedent
}

// errPrefix reports bytes that are no prefix.
var errPrefix = errors.New("not a sequence of prefixes")

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

// next reads a prefix of antecedents below m into c.last, and returns what is
// behind it.
func (c *prefixCode) next(b []byte, m int) ([]byte, error) {
	drop, b, ok := uvarint(b, uint64(len(c.last)))
	if !ok {
		return nil, errPrefix
	}
	c.last = c.last[:len(c.last)-int(drop)]
	more, b, ok := uvarint(b, uint64(m-len(c.last)))
	if !ok {
		return nil, errPrefix
	}
	for range more {
		var a uint64
		if a, b, ok = uvarint(b, uint64(m-1)); !ok {
			return nil, errPrefix
		}
		c.last = append(c.last, problem.Antecedent(a))
	}
	return b, nil
}

// mustNext is next for what append wrote.
func (c *prefixCode) mustNext(b []byte, m int) []byte {
	rest, err := c.next(b, m)
	if err != nil {
		panic("parallel: " + err.Error())
	}
	return rest
}

// uvarint reads a number from 0 to most in its shortest form.
func uvarint(b []byte, most uint64) (uint64, []byte, bool) {
	x, n := binary.Uvarint(b)
	if n <= 0 || x > most || n > 1 && b[n-1] == 0 {
		return 0, nil, false
	}
	return x, b[n:], true
}
