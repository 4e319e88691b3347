package verify

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

const (
	magic   = "PARCPROF"
	version = 3 // 1 and 2 are read as well: those programs named no symmetries, and those of 1 no expanded prefix twice

	blockHeader  = 'H'
	blockRecords = 'R'
	blockClaim   = 'Z'

	maxBlock  = 1 << 20 // bytes of a payload
	blockHead = 5       // type and length
	blockTail = 4       // checksum
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var (
	// ErrRefused reports that a proof does not prove what it claims, or not of
	// these data. What is wrong with it is in the error that wraps this one.
	ErrRefused = errors.New("the proof is refused")
	// ErrFormat reports a file that is no proof, or one of another version.
	ErrFormat = errors.New("not a proof file")
)

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrRefused, fmt.Errorf(format, args...))
}

// blockReader reads the blocks of a file one by one, checks the checksum of
// each, and hashes what the seal is about.
type blockReader struct {
	in   *bufio.Reader
	seal hash.Hash
	read int // blocks
	body bytes.Buffer
}

// newBlockReader reads magic and version.
func newBlockReader(r io.Reader) (*blockReader, error) {
	b := &blockReader{in: bufio.NewReaderSize(r, 1<<16), seal: sha256.New()}
	var head [len(magic) + 4]byte
	n, err := io.ReadFull(b.in, head[:])
	switch {
	case err != nil && !ended(err):
		return nil, err
	case n < len(magic) || string(head[:len(magic)]) != magic:
		return nil, fmt.Errorf("%w: it does not begin with %s", ErrFormat, magic)
	case err != nil:
		return nil, refused("the file ends within its first line of 12 bytes")
	}
	if v := binary.LittleEndian.Uint32(head[len(magic):]); v < 1 || v > version {
		return nil, fmt.Errorf("%w of a version that is known here: it has version %d, expected 1 to %d", ErrFormat, v, version)
	}
	b.seal.Write(head[:])
	return b, nil
}

func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// next returns the next block. Its payload is the caller's to keep. Memory
// grows with the bytes that come, not with the length that the block declares.
func (b *blockReader) next() (kind byte, payload []byte, err error) {
	var head [blockHead]byte
	if _, err := io.ReadFull(b.in, head[:]); err != nil {
		return 0, nil, b.broken(err, "the file ends before the block that should end it")
	}
	length := binary.LittleEndian.Uint32(head[1:])
	if length > maxBlock {
		return 0, nil, refused("block %d: it is said to have %d bytes, the most is %d", b.read, length, maxBlock)
	}
	b.body.Reset()
	if _, err := io.CopyN(&b.body, b.in, int64(length)+blockTail); err != nil {
		return 0, nil, b.broken(err, "the file ends within it")
	}
	body := b.body.Bytes()
	payload, tail := body[:length], body[length:]
	sum := crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, payload)
	if binary.LittleEndian.Uint32(tail) != sum {
		return 0, nil, refused("block %d: its checksum does not match its bytes", b.read)
	}
	b.read++
	b.seal.Write(head[:])
	if head[0] == blockClaim {
		b.seal.Write(payload[:max(0, len(payload)-sha256.Size)])
	} else {
		b.seal.Write(body)
	}
	return head[0], bytes.Clone(payload), nil
}

func (b *blockReader) broken(err error, what string) error {
	if ended(err) {
		return refused("block %d: %s", b.read, what)
	}
	return err
}

// end makes sure that nothing follows.
func (b *blockReader) end() error {
	switch _, err := b.in.ReadByte(); {
	case err == nil:
		return refused("bytes follow the block that ends the proof")
	case err != io.EOF:
		return err
	}
	return nil
}
