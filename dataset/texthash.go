package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// hashPrefix begins every Dataset.Hash: the SHA-256 follows that sha256sum prints of
// the uncompressed text.
const hashPrefix = "sha256:"

// newTextHash returns the hash of what is read with o; nil if nobody asks for it.
func newTextHash(o Options) hash.Hash {
	if o.NoHash {
		return nil
	}
	return sha256.New()
}

// hashOf returns the hash as Dataset.Hash has it; "" of nil.
func hashOf(h hash.Hash) string {
	if h == nil {
		return ""
	}
	return hashPrefix + hex.EncodeToString(h.Sum(nil))
}
