// Package framing reads the files that proofs are in, whatever they prove: blocks
// with checksums under a seal, and the numbers in them. Begin with [Open],
// then [Parser]. docs/proof-format.md has the layout byte by byte. Checkpoints have it, too: [File] says what a file is.
//
// A file is data from elsewhere. Reading it never panics, and takes memory in
// proportion to the bytes that are there, not to what they say.
package framing

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// The types of blocks: what the proof is about, records, and what is claimed.
const Header = 'H'
const Records = 'R'
const Claim = 'Z'

// MagicLength is the length of the text that a proof begins with.
const MagicLength = 8

const maxBlock = 1 << 20 // bytes of a payload
const blockHead = 5      // type and length
const blockTail = 4      // checksum

// castagnoli returns the table of the checksums, which is made when it is first asked for.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// ErrRefused reports that a proof does not prove what it claims, or not of
// these data. The error that wraps this one says why.
var ErrRefused = errors.New("the proof is refused")

// ErrFormat reports a file that is no proof, or one of another version.
var ErrFormat = errors.New("not a proof file")

// Refused returns an error that wraps ErrRefused.
func Refused(format string, args ...any) error { return refused(ErrRefused, format, args...) }

func refused(by error, format string, args ...any) error {
	return fmt.Errorf("%w: %w", by, fmt.Errorf(format, args...))
}

// File is a kind of files of blocks, with the errors about them.
type File struct {
	Magic           string // of eight bytes
	Version         uint32
	Format, Refused error // it is none or of another version; it is damaged
}

// Reader reads the blocks of a file one by one, checks the checksum of each, and
// hashes what the seal is about.
type Reader struct {
	file File
	in   *bufio.Reader
	seal hash.Hash
	read int // blocks
	body bytes.Buffer
}

// Blocks reads blocks alone, without what a file begins with.
func (f File) Blocks(r io.Reader) *Reader {
	return &Reader{file: f, in: bufio.NewReaderSize(r, 1<<16), seal: sha256.New()}
}

// Open reads the magic text and the version.
func (f File) Open(r io.Reader) (*Reader, error) {
	b := f.Blocks(r)
	var head [MagicLength + 4]byte
	n, err := io.ReadFull(b.in, head[:])
	switch {
	case err != nil && !ended(err):
		return nil, err
	case n < MagicLength || string(head[:MagicLength]) != f.Magic:
		return nil, fmt.Errorf("%w: it does not begin with %s", f.Format, f.Magic)
	case err != nil:
		return nil, b.Refused("the file ends within its first line of 12 bytes")
	}
	if v := binary.LittleEndian.Uint32(head[MagicLength:]); v != f.Version {
		return nil, fmt.Errorf("%w of version %d, which this program reads: it has version %d, make it anew", f.Format, f.Version, v)
	}
	b.seal.Write(head[:])
	return b, nil
}

// Refused returns an error about a damaged file.
func (b *Reader) Refused(format string, args ...any) error {
	return refused(b.file.Refused, format, args...)
}

// Last returns the number of the block that was read last, from 0.
func (b *Reader) Last() int { return b.read - 1 }

// Sum returns the SHA-256 of what was read, without the seal itself.
func (b *Reader) Sum() []byte { return b.seal.Sum(nil) }

func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// Next returns the next block. Its payload is the caller's to keep. Memory
// grows with the bytes that come, not with the length that the block declares.
func (b *Reader) Next() (kind byte, payload []byte, err error) {
	var head [blockHead]byte
	if _, err := io.ReadFull(b.in, head[:]); err != nil {
		return 0, nil, b.broken(err, "the file ends before the block that should end it")
	}
	length := binary.LittleEndian.Uint32(head[1:])
	if length > maxBlock {
		return 0, nil, b.Refused("block %d: it is said to have %d bytes, the most is %d", b.read, length, maxBlock)
	}
	b.body.Reset()
	if _, err := io.CopyN(&b.body, b.in, int64(length)+blockTail); err != nil {
		return 0, nil, b.broken(err, "the file ends within it")
	}
	body := b.body.Bytes()
	payload, tail := body[:length], body[length:]
	sum := crc32.Update(crc32.Checksum(head[:], castagnoli()), castagnoli(), payload)
	if binary.LittleEndian.Uint32(tail) != sum {
		return 0, nil, b.Refused("block %d: its checksum does not match its bytes", b.read)
	}
	b.read++
	b.seal.Write(head[:])
	if head[0] == Claim {
		b.seal.Write(payload[:max(0, len(payload)-sha256.Size)])
	} else {
		b.seal.Write(body)
	}
	return head[0], bytes.Clone(payload), nil
}

func (b *Reader) broken(err error, what string) error {
	if ended(err) {
		return b.Refused("block %d: %s", b.read, what)
	}
	return err
}

// End makes sure that nothing follows.
func (b *Reader) End() error {
	switch _, err := b.in.ReadByte(); {
	case err == nil:
		return b.Refused("bytes follow the block that ends the file")
	case err != io.EOF:
		return err
	}
	return nil
}

// errSeal reports a file of which something was changed.
var errSeal = errors.New("its seal is not the SHA-256 of what is before it")

// Content reads what is behind the header: records one by one, and the claim but for its end, which is the numbers of
// blocks and records, and the seal. What record and claim find wrong they tell the parser. It
// returns the number of records.
func (r *Reader) Content(goOn func() error, record, claim func(*Parser)) (records uint64, err error) {
	told, err := r.Blocks(goOn, func(p *Parser) {
		for ; p.More(); records++ {
			record(p)
		}
		if p.Err != nil {
			p.Err = fmt.Errorf("record %d: %w", records, p.Err)
		}
	}, claim)
	if err == nil && told != records {
		err = Refused("block %d, the claim: it tells of %d records, there are %d", r.Last(), told, records)
	}
	return records, err
}

// Blocks is Content with whole blocks of records. It returns how many records the claim tells of.
func (r *Reader) Blocks(goOn func() error, block, claim func(*Parser)) (told uint64, err error) {
	for blocks := uint64(0); ; blocks++ {
		if err := goOn(); err != nil {
			return 0, err
		}
		kind, payload, err := r.Next()
		if err != nil {
			return 0, err
		}
		p := &Parser{Bytes: payload}
		switch kind {
		case Records:
			if block(p); p.Err != nil {
				return 0, Refused("block %d, %w", r.Last(), p.Err)
			}
		case Claim:
			claim(p)
			if told = r.end(p, blocks); p.Err != nil {
				return 0, Refused("block %d, the claim: %w", r.Last(), p.Err)
			}
			return told, r.End()
		default:
			return 0, Refused("block %d: it is of type %q, expected %q or %q", r.Last(), kind, Records, Claim)
		}
	}
}

// end reads the end of a claim, which must be that of a file of so many blocks. It returns how many records
// the claim tells of.
func (r *Reader) end(p *Parser, blocks uint64) (records uint64) {
	told, records, seal := p.Varint(), p.Varint(), p.Take(sha256.Size)
	if p.More() {
		p.Fail(ErrBehind)
	}
	switch {
	case p.Err != nil:
	case !bytes.Equal(seal, r.Sum()):
		p.Fail(errSeal)
	case told != blocks:
		p.Fail(fmt.Errorf("it tells of %d blocks, there are %d", told, blocks))
	}
	return records
}

// What a payload can break of the format.
var ErrShort = errors.New("it ends early")
var ErrVarint = errors.New("a number is not in its shortest form, or exceeds 64 bits")
var ErrBehind = errors.New("bytes follow its end")

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
