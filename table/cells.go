package table

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bits-and-blooms/bitset"
)

// Cells are the cells of a column in the types in which columns come from other programs: exactly one of Ints, Floats,
// Bools and Codes is set.
type Cells struct {
	Ints    []int64
	Floats  []float64
	Bools   []bool
	Codes   []int32        // places in Texts
	Texts   []string       // different texts, in no order
	Missing *bitset.BitSet // rows without a value, whose cells may be anything; nil: none
}

// setMissing marks a row without a value.
func (c *Cells) setMissing(row int) {
	if c.Missing == nil {
		c.Missing = new(bitset.BitSet)
	}
	c.Missing.Set(uint(row))
}

// checkText reports a text that no table can hold.
func checkText(text string) error {
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		return fmt.Errorf("text %.60q has a NUL byte or is not UTF-8", text)
	}
	return nil
}
