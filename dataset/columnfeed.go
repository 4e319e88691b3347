package dataset

import (
	"bufio"
	"cmp"
	"fmt"

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
	r.numbers = newNumberParser(r.o.Missing, false)
	loop.Parallel(len(blocks), func(i int) {
		switch {
		case r.columns[i] != nil:
			errs[i] = r.feedColumn(r.columns[i], blocks[i])
		case i == r.weightAt:
			errs[i] = r.feedWeights(blocks[i])
		}
	})
	return cmp.Or(errs...)
}

// lineOf is the line of a row in the canonical text, if no text has a line end.
func lineOf(row int) int { return row + 2 }

// feedRows is how many cells are taken from a block at a time; blockRows is a multiple.
const feedRows = 1 << 12

func (r *reading) feedColumn(c *column, b *block) error {
	e := new(cellCodes)
	for first := 0; first < r.rows && !c.free; first += feedRows {
		r.feedCodes(e, b, c.state(), first)
		row, err := r.mergeColumn(c, e, func(row int) int { return lineOf(first + row) })
		if err != nil {
			return fmt.Errorf("%s:%d: column %s %w", r.name, lineOf(first+row), quote(c.name), err)
		}
	}
	return nil
}

// feedCodes sets e to the cells of a block from row first on, for a column of that state.
func (r *reading) feedCodes(e *cellCodes, b *block, state columnState, first int) {
	e.begin(state, min(feedRows, r.rows-first))
	if state == floatState {
		for row := first; row < min(first+feedRows, r.rows) && e.odd == ""; row++ {
			e.parseNumber(b.appendText(nil, row), r.numbers)
		}
		return
	}
	for i := range e.codes {
		k := cellKey{low: b.key(first + i)}
		s := e.find(&k, nil)
		if s.code == 0 {
			e.codes[i] = e.enter(s, k, clean(string(b.appendText(nil, first+i))), i)
			continue
		}
		e.codes[i] = s.code - 1
	}
}

func (r *reading) feedWeights(b *block) error {
	e := new(cellCodes)
	for first := 0; first < r.rows; first += feedRows {
		r.feedCodes(e, b, codedState, first)
		if row, err := r.mergeWeights(e); err != nil {
			return r.errorAt(e.texts[e.codes[row]], r.weightAt, lineOf(first+row), err)
		}
	}
	return nil
}
