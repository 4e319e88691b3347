package table

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
)

// HashText returns a hash as Table.Hash has it: the SHA-256 that sha256sum prints of the uncompressed text; "" of nil.
func HashText(h hash.Hash) string {
	if h == nil {
		return ""
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// HashOf returns the Hash that the table in a file has.
func HashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var from io.Reader
	if IsParquet(f) {
		from, err = openParquet(f, sizeOf(f))
	} else {
		from, err = Unpacked(bufio.NewReaderSize(f, peekSize))
	}
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, from); err != nil {
		return "", err
	}
	return HashText(h), nil
}

// ErrRewritten says that a file changed while it was read. The rows are then of no version of it.
var ErrRewritten = errors.New("the file changed while it was read: read it again once it is complete")

// Watch returns what reports ErrRewritten if size or time of a file differ from now. Streams do not change.
func Watch(f *os.File) (check func() error) {
	before, err := f.Stat()
	return func() error {
		if err != nil || !before.Mode().IsRegular() {
			return nil
		}
		after, err := f.Stat()
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
			return fmt.Errorf("%s: %w", f.Name(), ErrRewritten)
		}
		return nil
	}
}
