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

// textHash is the hash of a text, which the goroutine that reads it makes.
type textHash struct{ sum hash.Hash }

// newTextHash returns the hash of a text; nil if nobody asks for it.
func newTextHash(noHash bool) *textHash {
	if noHash {
		return nil
	}
	return &textHash{sha256.New()}
}

// write adds text.
func (h *textHash) write(text []byte) { h.sum.Write(text) }

// end returns the hash as Table.Hash has it; "" of nil.
func (h *textHash) end() string {
	if h == nil {
		return ""
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
