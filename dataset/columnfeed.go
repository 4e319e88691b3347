package dataset

import (
	"bufio"
	"cmp"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// readBlocks reads all columns, also those that are ignored: they count in the hash. Each
// fills its column as soon as it is there, beside those that follow, as columns do not know
// one another. The blocks are returned if they are to be hashed; they are let go of otherwise.
func (r *reading) readBlocks(in *bufio.Reader, h *columnsHeader) ([]*block, error) {
	blocks, errs := make([]*block, len(h.Columns)), make([]error, len(h.Columns))
	r.numbers = newNumberParser(r.o.Missing, false)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	var cut error
	var bytes int64 // of the blocks that stay
	for i, c := range h.Columns {
		b, err := readBlock(in, c, r.rows)
		if err != nil {
			cut = fmt.Errorf("%s: column %s: %w", r.name, quote(c.Name), err)
			break
		}
		if !r.o.NoHash {
			blocks[i] = b
			bytes += b.bytes()
		}
		// Codes or packed numbers of the same cells take no more again.
		if r.o.Memory > 0 && max(bytes, b.bytes()) > r.o.Memory/2 {
			cut = fmt.Errorf("%s: %w", r.name, tooLarge(r.o.Memory))
			break
		}
		g.Go(func() error {
			switch {
			case r.columns[i] != nil:
				errs[i] = r.feedColumn(r.columns[i], b)
			case i == r.weightAt:
				errs[i] = r.feedWeights(b)
			}
			return nil
		})
	}
	_ = g.Wait() // errs are in the order of the columns
	if err := cmp.Or(cut, cmp.Or(errs...)); err != nil {
		return nil, err
	}
	if err := r.checkMemory(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return blocks, nil
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
		if b.isNumber() && !r.numbers.first {
			e.floats = b.appendNumbers(e.floats, first, min(feedRows, r.rows-first))
			return
		}
		for row := first; row < min(first+feedRows, r.rows) && e.odd == ""; row++ {
			e.parseNumber(b.appendText(nil, row), r.numbers)
		}
		return
	}
	for i, key := range b.keys(first, len(e.codes)) {
		k := cellKey{low: key}
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
