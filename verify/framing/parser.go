package framing

import (
	"errors"
	"fmt"
)

// What a payload can break of the format.
var (
	ErrShort  = errors.New("it ends early")
	ErrVarint = errors.New("a number is not in its shortest form, or exceeds 64 bits")
	ErrBehind = errors.New("bytes follow its end")
)

// Parser reads a payload from its front. It remembers the first error, after
// which all it reads is zero.
type Parser struct {
	Bytes []byte
	At    int
	Err   error
}

// Fail makes err the first error, if there is none.
func (p *Parser) Fail(err error) {
	if p.Err == nil {
		p.Err = err
		p.At = len(p.Bytes)
	}
}

// More reports whether bytes are left.
func (p *Parser) More() bool { return p.At < len(p.Bytes) }

// Take returns the next n bytes, nil if there are fewer.
func (p *Parser) Take(n uint64) []byte {
	if n > uint64(len(p.Bytes)-p.At) {
		p.Fail(ErrShort)
		return nil
	}
	b := p.Bytes[p.At : p.At+int(n)]
	p.At += int(n)
	return b
}

// Byte returns the next byte.
func (p *Parser) Byte() byte {
	if b := p.Take(1); b != nil {
		return b[0]
	}
	return 0
}

// Varint reads an unsigned LEB128 number in its shortest form.
func (p *Parser) Varint() (x uint64) {
	for shift := 0; ; shift += 7 {
		b := p.Byte()
		switch {
		case shift == 63 && b > 1, shift > 0 && b == 0 && p.Err == nil:
			p.Fail(ErrVarint)
			return 0
		}
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return x
		}
	}
}

// Below reads a number less than limit.
func (p *Parser) Below(what string, limit int) int { return int(p.Below64(what, int64(limit))) }

// Below64 reads a number less than limit that may not fit an int.
func (p *Parser) Below64(what string, limit int64) int64 {
	x := p.Varint()
	if x >= uint64(limit) && p.Err == nil {
		p.Fail(fmt.Errorf("%s %d, expected less than %d", what, x, limit))
	}
	if p.Err != nil {
		return 0
	}
	return int64(x)
}
