package dataset

import (
	"bufio"
	"fmt"

	store "parcorels/dataset/internal/column"

	"parcorels/internal/loop"
)

// readBlocks reads all columns, also those that are ignored: they count in the
// hash.
func (r *reading) readBlocks(in *bufio.Reader, h *columnsHeader) ([]*block, error) {
	blocks := make([]*block, len(h.Columns))
	var bytes int64
	for i, c := range h.Columns {
		b, err := readBlock(in, c, r.rows)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", quote(c.Name), err)
		}
		blocks[i] = b
		// Codes or packed numbers of the same cells take no more again.
		if bytes += b.bytes(); r.o.Memory > 0 && bytes > r.o.Memory/2 {
			return nil, tooLarge(r.o.Memory)
		}
	}
	return blocks, nil
}

// feed fills columns and weights from blocks. Columns do not know one another,
// so that all processors share them.
func (r *reading) feed(blocks []*block) error {
	errs := make([]error, len(blocks))
	loop.Parallel(len(blocks), func(i int) {
		switch {
		case r.columns[i] != nil:
			errs[i] = r.feedColumn(r.columns[i], blocks[i])
		case i == r.weightAt:
			errs[i] = r.feedWeights(blocks[i])
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// lineOf is the line of a row in the canonical text, if no text has a line end.
func lineOf(row int) int { return row + 2 }

func (r *reading) feedColumn(c *column, b *block) error {
	row, err := r.feedCodes(c, b)
	memo := newMemo(b)
	for ; err == nil && row < r.rows && !c.free; row++ {
		if c.floats != nil && !b.isText && !b.isTruth {
			c.floats.Add(b.number(row))
			continue
		}
		err = c.add(memo.text(row), lineOf(row))
	}
	if err != nil {
		return fmt.Errorf("%s:%d: column %s %w", r.name, lineOf(row-1), quote(c.name), err)
	}
	return nil
}

// feedCodes adds cells as long as they are codes of texts, of a block that has a
// table for all values that may occur: only the first of each value is added as
// text. It returns the rows that it has added.
func (r *reading) feedCodes(c *column, b *block) (rows int, err error) {
	low, size := b.span(r.rows)
	if size == 0 {
		return 0, nil
	}
	codeOf := make([]uint32, size) // code + 1 of the value low + i
	values, codes := make([]int64, feedRows), make([]uint32, 0, feedRows)
	for rows < r.rows {
		values = b.integers(values[:min(feedRows, r.rows-rows)], rows)
		codes = codes[:0]
		for i, v := range values {
			code := codeOf[v-low]
			if code == 0 {
				if code, err = c.newCode(b, rows+i, codes); code == 0 {
					return rows + i + 1, err
				}
				codeOf[v-low] = code
				codes = codes[:0]
				continue
			}
			codes = append(codes, code-1)
		}
		c.codes.Append(codes)
		rows += len(values)
	}
	return rows, nil
}

// newCode adds codes and then the cell of row, whose text may be new, and returns
// its code + 1; 0 if the column has no codes any more.
func (c *column) newCode(b *block, row int, codes []uint32) (uint32, error) {
	c.codes.Append(codes)
	text := ""
	if !b.isText || b.integer(row) >= 0 {
		text = string(b.appendText(nil, row))
	}
	if err := c.add(text, lineOf(row)); err != nil || c.state() != codedState {
		return 0, err
	}
	return c.codes.At(c.codes.Len()-1) + 1, nil
}

func (r *reading) feedWeights(b *block) error {
	memo := newMemo(b)
	for row := range r.rows {
		text := clean(memo.text(row))
		w, err := r.weight(text)
		if err != nil {
			return r.errorAt(text, r.weightAt, lineOf(row), err)
		}
		r.weights.append(w)
	}
	return nil
}

// memo remembers the texts of cells, as most numbers of a column come again.
type memo struct {
	block  *block
	buffer []byte
	slots  []struct {
		key   uint64
		text  string
		known bool
	}
}

// memoSlots is how many numbers are remembered; a power of two.
const memoSlots = 1 << 10

func newMemo(b *block) *memo {
	m := &memo{block: b}
	if !b.isText {
		m.slots = make([]struct {
			key   uint64
			text  string
			known bool
		}, memoSlots)
	}
	return m
}

// text returns the text of a cell.
func (m *memo) text(row int) string {
	b := m.block
	if b.isText {
		if code := b.integer(row); code >= 0 {
			return b.texts[code]
		}
		return ""
	}
	var key uint64
	if b.isFloat {
		key = store.FloatKey(b.float(row))
	} else {
		key = uint64(b.integer(row))
	}
	slot := &m.slots[(key*0x9e3779b97f4a7c15)>>54] // the ten highest bits of a Fibonacci hash
	if !slot.known || slot.key != key {
		m.buffer = b.appendText(m.buffer[:0], row)
		slot.key, slot.text, slot.known = key, string(m.buffer), true
	}
	return slot.text
}
