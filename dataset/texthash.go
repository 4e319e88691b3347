package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"math"
)

// SHA-256 of a text takes longer than to parse an .out file, and cannot be shared by
// workers. So the text is hashed in blocks, each by itself, and the list of their
// hashes is hashed then (Merkle, A Certified Digital Signature, CRYPTO 1989, of a
// tree of one level). Two texts of the same hash would be a collision of SHA-256: of
// the lists, or of two blocks. A line of the list is what sha256sum prints of a
// block, so that anybody can check a hash:
//
//	split -b 65536 --filter=sha256sum FILE | sha256sum
//
// A text of one block has the hash of that as its hash, as all texts had once.

// hashBlock is how long a block is.
const hashBlock = 1 << 16

// The hash of one block, or of a whole text, begins with wholePrefix, and that of a
// list with listPrefix.
const (
	wholePrefix = "sha256:"
	listPrefix  = "sha256-64k:"
)

// textHash is the hash of a text on its way in.
type textHash struct {
	size  int       // of a block
	block hash.Hash // of the open block
	open  int       // its bytes so far
	list  hash.Hash // of the blocks before
	some  bool      // there are such
}

// newTextHash returns the hash of what is read with o; nil if nobody asks for it.
func newTextHash(o Options) *textHash {
	switch {
	case o.NoHash:
		return nil
	case o.WholeHash:
		return textHashOf(math.MaxInt)
	}
	return textHashOf(hashBlock)
}

func textHashOf(size int) *textHash {
	return &textHash{size: size, block: sha256.New(), list: sha256.New()}
}

// Write adds text. It never fails.
func (d *textHash) Write(text []byte) (int, error) {
	n := len(text)
	for len(text) > 0 {
		d.close()
		some := text[:min(len(text), d.size-d.open)]
		d.block.Write(some)
		d.open += len(some)
		text = text[len(some):]
	}
	return n, nil
}

// left returns how many bytes the open block lacks.
func (d *textHash) left() int { return (d.size - d.open) % d.size }

// close lists the open block if it is full.
func (d *textHash) close() {
	if d.open == d.size {
		d.add([sha256.Size]byte(d.block.Sum(nil)))
		d.block.Reset()
		d.open = 0
	}
}

// add lists a block.
func (d *textHash) add(sum [sha256.Size]byte) {
	var line [2*sha256.Size + len("  -\n")]byte
	d.list.Write(append(hex.AppendEncode(line[:0], sum[:]), "  -\n"...))
	d.some = true
}

// addBlocks adds whole blocks, given their hashes, behind a block that is full.
func (d *textHash) addBlocks(sums [][sha256.Size]byte) {
	d.close()
	for _, sum := range sums {
		d.add(sum)
	}
}

// end returns the hash as Dataset.Hash has it; "" of nil. Nothing comes behind it.
func (d *textHash) end() string {
	switch {
	case d == nil:
		return ""
	case !d.some:
		return wholePrefix + hex.EncodeToString(d.block.Sum(nil))
	}
	if d.open > 0 {
		d.add([sha256.Size]byte(d.block.Sum(nil)))
	}
	return listPrefix + hex.EncodeToString(d.list.Sum(nil))
}
