package rules

import (
	"bufio"
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
