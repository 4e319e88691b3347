package blockfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// Reader reads a file of blocks. It takes no more memory than one block,
// whatever the file says, and believes no size before the bytes are there. Faults
// of a file are told in errors that wrap the one given to
// NewReader.
type Reader struct {
	from    io.Reader
	cause   error
	last    byte // type of the last block
	seal    hash.Hash
	at      int // blocks read
	payload []byte
	head    [blockHead]byte
}

// NewReader returns a reader of a file whose last block has the type last.
func NewReader(from io.Reader, last byte, cause error) *Reader {
	return &Reader{from: from, last: last, cause: cause, seal: sha256.New()}
}

// Begin reads the magic text and the version, and refuses any other version.
// What names the kind of file.
func (r *Reader) Begin(what, magic string, version uint32) error {
	b := make([]byte, len(magic)+4)
	if n, err := io.ReadFull(r.from, b); err != nil || string(b[:len(magic)]) != magic {
		if err != nil && !isEnd(err) {
			return err
		}
		if n > 0 && bytes.HasPrefix([]byte(magic), b[:min(n, len(magic))]) {
			return r.cutOff()
		}
		return fmt.Errorf("%w: not a %s file", r.cause, what)
	}
	if v := binary.LittleEndian.Uint32(b[len(magic):]); v != version {
		return fmt.Errorf("%w: its format has version %d, this program reads version %d", r.cause, v, version)
	}
	r.seal.Write(b)
	return nil
}

// Damaged returns an error that says what is wrong with the file.
func (r *Reader) Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: damaged, "+format, append([]any{r.cause}, args...)...)
}

// cutOff returns the error of a file that ends before its last block.
func (r *Reader) cutOff() error {
	return fmt.Errorf("%w: it ends too early, as if it had been cut off", r.cause)
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// At returns the number of blocks read.
func (r *Reader) At() int { return r.at }

// Next reads a block. The payload is overwritten by the next call.
func (r *Reader) Next() (kind byte, payload []byte, err error) {
	if err := r.fill(r.head[:]); err != nil {
		return 0, nil, err
	}
	r.at++
	n := binary.LittleEndian.Uint32(r.head[1:])
	if n > MaxBlock {
		return 0, nil, r.Damaged("block %d claims %d bytes", r.at, n)
	}
	if cap(r.payload) < int(n)+4 {
		r.payload = make([]byte, n+4)
	}
	b := r.payload[:n+4]
	if err := r.fill(b); err != nil {
		return 0, nil, err
	}
	r.payload = b[:n]
	sum := crc32.Update(crc32.Checksum(r.head[:], castagnoli()), castagnoli(), r.payload)
	if sum != binary.LittleEndian.Uint32(b[n:]) {
		return 0, nil, r.Damaged("the checksum of block %d is wrong", r.at)
	}
	if r.head[0] != r.last {
		r.seal.Write(r.head[:])
		r.seal.Write(b)
	}
	return r.head[0], r.payload, nil
}

func (r *Reader) fill(b []byte) error {
	if _, err := io.ReadFull(r.from, b); isEnd(err) {
		return r.cutOff()
	} else if err != nil {
		return err
	}
	return nil
}

// End checks the seal that the last block ends in, which Next has returned, and
// that nothing is behind the block. Its payload has n bytes before the seal.
func (r *Reader) End(n int) error {
	if len(r.payload) != n+sha256.Size {
		return r.Damaged("the last block does not fit the others")
	}
	r.seal.Write(r.head[:])
	r.seal.Write(r.payload[:n])
	if !bytes.Equal(r.payload[n:], r.seal.Sum(nil)) {
		return r.Damaged("the seal is wrong")
	}
	if _, err := io.ReadFull(r.from, r.head[:1]); err == nil {
		return r.Damaged("something follows the last block")
	} else if !isEnd(err) {
		return err
	}
	return nil
}
