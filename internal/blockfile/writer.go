package blockfile

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"
)

// MaxBlock is the largest payload of a block, in bytes.
const MaxBlock = 1 << 20

// blockHead is the number of bytes before a payload.
const blockHead = 1 + 4

// castagnoli returns the table of the checksums, which is made when it is first asked for.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// Writer writes a file of blocks. After the first error it writes no more.
type Writer struct {
	to    io.Writer
	seal  hash.Hash
	bytes int64
	frame []byte
	err   error
}

// NewWriter returns a writer that has written nothing.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to, seal: sha256.New()} }

// Resume reads the first n bytes of a file that is to be appended to, as if it
// had written them. It returns how many there are, if fewer.
func (w *Writer) Resume(from io.Reader, n int64) (int64, error) {
	n, err := io.CopyN(w.seal, from, n)
	w.bytes += n
	return n, err
}

// Bytes returns how much was written.
func (w *Writer) Bytes() int64 { return w.bytes }

// Err returns the first error, which is the writer's or given to Fail.
func (w *Writer) Err() error { return w.err }

// Fail makes err the first error, if there is none.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Sum appends the SHA-256 of what was written to b.
func (w *Writer) Sum(b []byte) []byte { return w.seal.Sum(b) }

// write adds bytes to the file and to the seal.
func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.to.Write(b)
	w.bytes += int64(n)
	if err != nil {
		w.err = err
		return
	}
	w.seal.Write(b)
}

// Begin writes the magic text and the version.
func (w *Writer) Begin(magic string, version uint32) {
	w.write(binary.LittleEndian.AppendUint32([]byte(magic), version))
}

// Block frames a payload and writes it.
func (w *Writer) Block(kind byte, payload []byte) { w.write(w.framed(kind, payload)) }

// framed returns type, length, payload and checksum, in a buffer that the next
// call overwrites.
func (w *Writer) framed(kind byte, payload []byte) []byte {
	b := append(w.frame[:0], kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
	w.frame = b
	return b
}

// Sealed writes the last block: the payload and the seal, which covers the
// file up to itself.
func (w *Writer) Sealed(kind byte, payload []byte) {
	b := append(payload, make([]byte, sha256.Size)...)
	w.seal.Write(w.framed(kind, b)[:blockHead+len(payload)])
	w.Block(kind, w.seal.Sum(b[:len(payload)]))
}
