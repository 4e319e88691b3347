package rules

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/bits-and-blooms/bitset"
)

// WriteOut writes the antecedents in the format of the reference
// implementation: a line each, `{name} 0 1 …` with one cell a sample. Names
// hold no spaces and differ from one another: see set.go. The text can
// be read back by package dataset. It returns the first error of out.
func (s *Set) WriteOut(out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<16)
	for i, n := range outNames(s) {
		if err := writeRow(w, n, s.Antecedents[i].Captured()); err != nil {
			return fmt.Errorf("writing antecedent %d of %d: %w", i+1, len(s.Antecedents), err)
		}
	}
	return w.Flush()
}

// WriteLabel writes the labels in the format that goes with WriteOut: a line
// for class 0 and one for class 1. The format has no place for weights, nor
// for more classes: these are an error, as is the first error of label.
func (s *Set) WriteLabel(label io.Writer) error {
	if n := s.Data.ClassCount(); n != 2 {
		return fmt.Errorf("a label file has two classes, the data have %d", n)
	}
	w := bufio.NewWriterSize(label, 1<<16)
	for class, set := range ClassSets(s.Data) {
		if err := writeRow(w, labelName(s.Data, class), set); err != nil {
			return fmt.Errorf("writing the labels: %w", err)
		}
	}
	return w.Flush()
}

// writeRow writes a name and the bits of set, 64 cells at a time. It returns the first error, which w keeps.
func writeRow(w *bufio.Writer, name string, set *bitset.BitSet) error {
	_, _ = w.WriteString(name)
	left := int(set.Len())
	for _, x := range set.Words() {
		var cells [128]byte
		for i := range 64 {
			cells[2*i], cells[2*i+1] = ' ', '0'+byte(x>>i&1)
		}
		n := min(left, 64)
		_, _ = w.Write(cells[:2*n])
		left -= n
	}
	return w.WriteByte('\n')
}

// digestText opens what Digest hashes, so that no other use of SHA-256 gives
// the same digest by accident. Data of more than two classes have another one.
const digestText = "parcorels instance 1\n"
const digestTextMulti = "parcorels instance of many classes 1\n"

// Digest returns a SHA-256 of all that a search for rule lists sees of the
// set: the numbers of antecedents and of samples, the labels, what each
// antecedent captures, and the weights if samples have any. Names do not count.
// docs/proof-format.md says which bytes are hashed.
func (s *Set) Digest() [32]byte {
	h := sha256.New()
	w := bufio.NewWriterSize(h, 1<<15) // a hash never fails to be written to
	text := digestText
	if s.Data.ClassCount() > 2 {
		text = digestTextMulti
	}
	_, _ = io.WriteString(w, text)
	writeUint64(w, uint64(len(s.Antecedents)))
	writeUint64(w, uint64(s.Data.N))
	s.writeClasses(w)
	for _, a := range s.Antecedents {
		writeSamples(w, a.Captured(), s.Data.N)
	}
	s.writeNumbers(w)
	for _, list := range append([][]int64{s.Data.Weights}, s.Data.Gains...) {
		for _, weight := range list {
			writeUint64(w, uint64(weight))
		}
	}
	_ = w.Flush()
	return [32]byte(h.Sum(nil))
}

// writeClasses writes the labels: the samples of class 1 of two classes, or the
// number of classes and then the class of each sample, two bytes each.
func (s *Set) writeClasses(w *bufio.Writer) {
	if s.Data.ClassCount() == 2 {
		writeSamples(w, s.Data.InClass(1), s.Data.N)
		return
	}
	writeUint64(w, uint64(s.Data.ClassCount()))
	for _, c := range s.Data.ClassOf {
		_, _ = w.Write(binary.LittleEndian.AppendUint16(w.AvailableBuffer(), c))
	}
}

// writeSamples writes the first n bits of b, eight a byte. Words of 64 samples
// in little-endian order are just that; the last is cut short.
func writeSamples(w *bufio.Writer, b *bitset.BitSet, n int) {
	words := b.Words()
	for _, x := range words[:n/64] {
		writeUint64(w, x)
	}
	if rest := n % 64; rest > 0 {
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], words[n/64]&(1<<rest-1))
		_, _ = w.Write(last[:(rest+7)/8])
	}
}

func writeUint64(w *bufio.Writer, x uint64) {
	_, _ = w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), x))
}

// writeNumbers writes the columns of numbers that are not cut: how many there are, and of each the
// number of levels, whether some are missing (1 or 0), and the rank of each sample. Where all
// numbers are cut it writes nothing.
func (s *Set) writeNumbers(w *bufio.Writer) {
	if len(s.Data.Numbers) == 0 {
		return
	}
	writeUint64(w, uint64(len(s.Data.Numbers)))
	for i := range s.Data.Numbers {
		n := &s.Data.Numbers[i]
		missing := uint64(0)
		if n.Missing {
			missing = 1
		}
		writeUint64(w, uint64(len(n.Levels)))
		writeUint64(w, missing)
		for _, r := range n.Ranks {
			_, _ = w.Write(binary.LittleEndian.AppendUint32(w.AvailableBuffer(), uint32(r)))
		}
	}
}
