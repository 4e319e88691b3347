package verify

import (
	"errors"
	"fmt"
)

// What a payload can break of the format.
var (
	errShort   = errors.New("it ends early")
	errVarint  = errors.New("a number is not in its shortest form, or exceeds 64 bits")
	errBehind  = errors.New("bytes follow its end")
	errRepeats = errors.New("a prefix has an antecedent twice")
)

// parser reads a payload from its front. It remembers the first error, after
// which all it reads is zero.
type parser struct {
	bytes []byte
	at    int
	err   error
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
		p.at = len(p.bytes)
	}
}

func (p *parser) more() bool { return p.at < len(p.bytes) }

// take returns the next n bytes, nil if there are fewer.
func (p *parser) take(n uint64) []byte {
	if n > uint64(len(p.bytes)-p.at) {
		p.fail(errShort)
		return nil
	}
	b := p.bytes[p.at : p.at+int(n)]
	p.at += int(n)
	return b
}

func (p *parser) byte() byte {
	if b := p.take(1); b != nil {
		return b[0]
	}
	return 0
}

// varint reads an unsigned LEB128 number in its shortest form.
func (p *parser) varint() (x uint64) {
	for shift := 0; ; shift += 7 {
		b := p.byte()
		switch {
		case shift == 63 && b > 1, shift > 0 && b == 0 && p.err == nil:
			p.fail(errVarint)
			return 0
		}
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return x
		}
	}
}

// below reads a number less than limit.
func (p *parser) below(what string, limit int) int {
	x := p.varint()
	if x >= uint64(limit) && p.err == nil {
		p.fail(fmt.Errorf("%s %d, expected less than %d", what, x, limit))
	}
	if p.err != nil {
		return 0
	}
	return int(x)
}

// limits bound what a prefix can be.
type limits struct {
	antecedents int // there are
	longest     int // prefix whose cost is sure to fit 63 bits
}

// prefix reads ints that are different antecedents, and appends them to buffer.
func (p *parser) prefix(buffer []uint16, l limits, seen *stamps) []uint16 {
	seen.clear()
	for n := p.below("prefix of length", l.longest+1); n > 0 && p.err == nil; n-- {
		a := p.below("antecedent", l.antecedents)
		if p.err == nil && !seen.add(a) {
			p.fail(errRepeats)
		}
		buffer = append(buffer, uint16(a))
	}
	return buffer
}

// stamps is a set of antecedents that is emptied at once.
type stamps struct {
	of  []uint32
	now uint32
}

func newStamps(antecedents int) *stamps { return &stamps{of: make([]uint32, antecedents), now: 1} }

func (s *stamps) clear() {
	if s.now++; s.now == 0 {
		clear(s.of)
		s.now = 1
	}
}

func (s *stamps) has(a int) bool { return s.of[a] == s.now }

// add reports whether a is new.
func (s *stamps) add(a int) bool {
	isNew := s.of[a] != s.now
	s.of[a] = s.now
	return isNew
}
