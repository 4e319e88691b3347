package parallel

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"

	"parcorels/ratio"
)

// A file of blocks: a magic text and a version, then blocks of a type, a
// length, a payload and a checksum; the last of them ends in a SHA-256 of all
// that is before it. Proofs and checkpoints are such files.

const maxBlock = 1 << 20 // bytes of a block's payload, by the formats

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blockWriter writes such a file. After the first error it writes no more.
type blockWriter struct {
	to    io.Writer
	seal  hash.Hash
	bytes int64
	frame []byte
	err   error
}

func newBlockWriter(to io.Writer) *blockWriter { return &blockWriter{to: to, seal: sha256.New()} }

// write adds bytes to the file and to the seal.
func (w *blockWriter) write(b []byte) {
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

// begin writes the magic text and the version.
func (w *blockWriter) begin(magic string, version uint32) {
	w.write(binary.LittleEndian.AppendUint32([]byte(magic), version))
}

// block frames a payload and writes it.
func (w *blockWriter) block(kind byte, payload []byte) { w.write(w.framed(kind, payload)) }

// framed returns type, length, payload and checksum, in a buffer that the next
// call overwrites.
func (w *blockWriter) framed(kind byte, payload []byte) []byte {
	b := append(w.frame[:0], kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, payload...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	w.frame = b
	return b
}

// sealed writes the last block: the payload and the seal, which covers the
// file up to itself.
func (w *blockWriter) sealed(kind byte, payload []byte) {
	b := append(payload, make([]byte, sha256.Size)...)
	w.seal.Write(w.framed(kind, b)[:blockHead+len(payload)])
	w.block(kind, w.seal.Sum(b[:len(payload)]))
}

// blockHead is the number of bytes before a payload.
const blockHead = 1 + 4

// appendProblem appends what a file says about the problem that it is about.
func appendProblem(b []byte, digest [32]byte, p *problem, lambda ratio.Ratio) []byte {
	b = append(b, digest[:]...)
	b = binary.AppendUvarint(b, uint64(lambda.Num))
	b = binary.AppendUvarint(b, uint64(lambda.Den))
	b = binary.AppendUvarint(b, uint64(p.in.Antecedents))
	return binary.AppendUvarint(b, uint64(p.in.Total))
}
