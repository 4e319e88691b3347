package table

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
)

// hashPrefix begins every Table.Hash: the SHA-256 follows that sha256sum prints of
// the uncompressed text.
const hashPrefix = "sha256:"

// textHash hashes a text on a goroutine of its own, beside those that parse it:
// SHA-256 takes longer than to parse an .out file.
type textHash struct {
	sum  hash.Hash
	full chan []byte   // copies of the text, in its order; nil: closed
	free chan []byte   // buffers for more
	done chan struct{} // closed once all is hashed
}

// newTextHash returns the hash of a text; nil if nobody asks for it. Its end must be called, whatever happens.
func newTextHash(noHash bool) *textHash {
	if noHash {
		return nil
	}
	const buffers = 4
	h := &textHash{sha256.New(), make(chan []byte, buffers), make(chan []byte, buffers), make(chan struct{})}
	for range buffers {
		h.free <- nil
	}
	go h.run(h.full)
	return h
}

func (h *textHash) run(full <-chan []byte) {
	defer close(h.done)
	for text := range full {
		h.sum.Write(text)
		h.free <- text
	}
}

// write adds text, which may change once write returns.
func (h *textHash) write(text []byte) {
	h.full <- append((<-h.free)[:0], text...)
}

// end returns the hash as Table.Hash has it; "" of nil. It may be called again,
// but no text comes behind it.
func (h *textHash) end() string {
	if h == nil {
		return ""
	}
	if h.full != nil {
		close(h.full)
		h.full = nil
		<-h.done
	}
	return hashPrefix + hex.EncodeToString(h.sum.Sum(nil))
}

// HashOf returns the Hash that the table in a file has.
func HashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return hashOf(f)
}

func hashOf(in io.Reader) (string, error) {
	from, err := Unpacked(bufio.NewReaderSize(in, peekSize))
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, from); err != nil {
		return "", err
	}
	return hashPrefix + hex.EncodeToString(h.Sum(nil)), nil
}
