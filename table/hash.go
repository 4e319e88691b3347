package table

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
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
