package download

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Check compares the bytes with what was published.
func (s Source) Check(body []byte) error {
	if n := int64(len(body)); n > s.Size {
		return fmt.Errorf("more than %d bytes came, expected just so many: this is not the published file", s.Size)
	} else if n < s.Size {
		return fmt.Errorf("%d bytes came, expected %d: this is not the whole published file", n, s.Size)
	}
	sum := sha256.Sum256(body)
	if got := hex.EncodeToString(sum[:]); got != s.SHA256 {
		return fmt.Errorf("bytes with SHA-256 %s came, expected %s: this is not the published file", got, s.SHA256)
	}
	return nil
}
