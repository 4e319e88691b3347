package parallel

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

// BlockReader reads a file of blocks. It takes no more memory than one block,
// whatever the file says, and believes no size before the bytes are there. What
// is wrong with a file is told in errors that wrap the one given to
// NewBlockReader.
type BlockReader struct {
	from    io.Reader
	cause   error
	last    byte // type of the last block
	seal    hash.Hash
	at      int // blocks read
	payload []byte
	head    [blockHead]byte
}

// NewBlockReader returns a reader of a file whose last block has the type last.
func NewBlockReader(from io.Reader, last byte, cause error) *BlockReader {
	return &BlockReader{from: from, last: last, cause: cause, seal: sha256.New()}
}

// Begin reads the magic text, and returns the version, which is 1 to newest.
// What names the kind of file.
func (r *BlockReader) Begin(what, magic string, newest uint32) (uint32, error) {
	b := make([]byte, len(magic)+4)
	if n, err := io.ReadFull(r.from, b); err != nil || string(b[:len(magic)]) != magic {
		if err != nil && !isEnd(err) {
			return 0, err
		}
		if n > 0 && bytes.HasPrefix([]byte(magic), b[:min(n, len(magic))]) {
			return 0, r.cutOff()
		}
		return 0, fmt.Errorf("%w: not a %s file", r.cause, what)
	}
	version := binary.LittleEndian.Uint32(b[len(magic):])
	if version < 1 || version > newest {
		return 0, fmt.Errorf("%w: its format has version %d, this program reads versions 1 to %d", r.cause, version, newest)
	}
	r.seal.Write(b)
	return version, nil
}

// Damaged returns an error that says what is wrong with the file.
func (r *BlockReader) Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: damaged, "+format, append([]any{r.cause}, args...)...)
}

// cutOff returns the error of a file that ends before its last block.
func (r *BlockReader) cutOff() error {
	return fmt.Errorf("%w: it ends too early, as if it had been cut off", r.cause)
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// At returns the number of blocks read.
func (r *BlockReader) At() int { return r.at }

// Next reads a block. The payload is overwritten by the next call.
func (r *BlockReader) Next() (kind byte, payload []byte, err error) {
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

func (r *BlockReader) fill(b []byte) error {
	if _, err := io.ReadFull(r.from, b); isEnd(err) {
		return r.cutOff()
	} else if err != nil {
		return err
	}
	return nil
}

// End checks the seal that the last block ends in, which Next has returned, and
// that nothing is behind the block. Its payload has n bytes before the seal.
func (r *BlockReader) End(n int) error {
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
