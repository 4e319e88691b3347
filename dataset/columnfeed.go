package dataset

import (
	"bufio"
	"cmp"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// ahead is how many pieces of a column may wait for the goroutine that fills it.
const ahead = 32

// readBlocks reads all columns, also those that are ignored: they count in the hash. Each
// is filled piece by piece as these come, beside those that follow, as columns do not know
// one another. The blocks are returned if they are to be hashed; pieces are let go of otherwise.
func (r *reading) readBlocks(in *bufio.Reader, h *columnsHeader) ([]*block, error) {
	blocks, errs := make([]*block, len(h.Columns)), make([]error, len(h.Columns))
	r.numbers = newNumberParser(r.o.Missing, false)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	var cut error
	var bytes int64 // of the blocks that stay
	for i, c := range h.Columns {
		b, err := newBlock(in, c, r.rows)
		if err != nil {
			cut = fmt.Errorf("%s: column %s: %w", r.name, quote(c.Name), err)
			break
		}
		b.kept = !r.o.NoHash
		if r.columns[i] != nil {
			r.columns[i].codes.Expect(r.rows)
		}
		pieces := make(chan int, ahead)
		g.Go(func() error {
			errs[i] = r.feedBlock(i, b, pieces)
			for range pieces { // what comes behind an error
			}
			return nil
		})
		err = b.read(in, func(piece int) { pieces <- piece })
		close(pieces)
		if err != nil {
			cut = fmt.Errorf("%s: column %s: %w", r.name, quote(c.Name), err)
			break
		}
		if b.kept {
			blocks[i] = b
			bytes += b.bytes()
		}
		// Codes or packed numbers of the same cells take no more again.
		if r.o.Memory > 0 && max(bytes, b.bytes()) > r.o.Memory/2 {
			cut = fmt.Errorf("%s: %w", r.name, tooLarge(r.o.Memory))
			break
		}
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

// feedBlock fills column i with the pieces of a block.
func (r *reading) feedBlock(i int, b *block, pieces <-chan int) error {
	e, name := new(cellCodes), quote(r.header[i])
	for at := range pieces {
		first := at * blockRows
		last := min(first+blockRows, r.rows)
		for ; first < last; first += feedRows {
			c := r.columns[i]
			if c != nil && b.addKnown(c, first, min(first+feedRows, last)) {
				continue
			}
			err := b.check(first, min(first+feedRows, last))
			if err != nil {
				return fmt.Errorf("%s: column %s: %w", r.name, name, err)
			}
			switch {
			case c != nil:
				err = r.feedColumn(c, b, e, first)
			case i == r.weightAt:
				err = r.feedWeights(b, e, first)
			}
			if err != nil {
				return err
			}
		}
		b.done(at)
	}
	return nil
}

// lineOf is the line of a row in the canonical text, if no text has a line end.
func lineOf(row int) int { return row + 2 }

// feedRows is how many cells are taken from a block at a time; blockRows is a multiple.
const feedRows = 1 << 12

// feedColumn adds some cells of a block, from row first on.
func (r *reading) feedColumn(c *column, b *block, e *cellCodes, first int) error {
	if c.free {
		return nil
	}
	r.feedCodes(e, b, c.state(), first)
	row, err := r.mergeColumn(c, e, func(row int) int { return lineOf(first + row) })
	if err != nil {
		return fmt.Errorf("%s:%d: column %s %w", r.name, lineOf(first+row), quote(c.name), err)
	}
	if c.state() == codedState {
		b.learn(e, first)
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
		if b.isText && b.readNumbers(r.numbers) {
			e.floats = b.appendCoded(e.floats, first, min(feedRows, r.rows-first))
			return
		}
		for row := first; row < min(first+feedRows, r.rows) && e.odd == ""; row++ {
			e.parseNumber([]byte(clean(string(b.appendText(nil, row)))), r.numbers)
		}
		return
	}
	if len(e.texts) == 0 {
		clear(b.known[:])
	}
	for i, key := range b.keys(first, len(e.codes)) {
		known := &b.known[key%uint64(len(b.known))]
		if known.key == key && known.code > 0 {
			e.codes[i] = known.code - 1
			continue
		}
		k := cellKey{low: key}
		s := e.find(&k, nil)
		if s.code == 0 {
			e.enter(s, k, clean(string(b.appendText(nil, first+i))), i)
			s = e.find(&k, nil)
		}
		e.codes[i] = s.code - 1
		*known = knownKey{key, s.code}
	}
}

// feedWeights adds some weights of a block, from row first on.
func (r *reading) feedWeights(b *block, e *cellCodes, first int) error {
	r.feedCodes(e, b, codedState, first)
	if row, err := r.mergeWeights(e); err != nil {
		return r.errorAt(e.texts[e.codes[row]], r.weightAt, lineOf(first+row), err)
	}
	return nil
}
