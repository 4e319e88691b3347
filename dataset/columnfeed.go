package dataset

import (
	"bufio"
	"cmp"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// readBlocks reads all columns, also those that are ignored: they count in the hash. Each
// is filled piece by piece as these come, beside those that follow, as columns do not know
// one another. The blocks are returned if they are to be hashed; pieces are let go of otherwise.
func (r *reading) readBlocks(in *bufio.Reader, h *columnsHeader, d *Dataset) ([]*block, error) {
	blocks, errs := make([]*block, len(h.Columns)), make([]error, len(h.Columns))
	r.numbers = newNumberParser(r.o.Missing, false)
	var filling errgroup.Group
	filling.SetLimit(runtime.GOMAXPROCS(0))
	var cut error
	var bytes int64 // of the blocks that stay
	labels := 1     // columns of labels and weights to come
	if r.weights != nil {
		labels++
	}
	var g *guessing // nil: labels and weights are not known
	for _, i := range h.order {
		c := h.Columns[i]
		b, err := newBlock(in, c, r.rows)
		if err != nil {
			cut = fmt.Errorf("%s: column %s: %w", r.name, quote(c.Name), err)
			break
		}
		b.kept = !r.o.NoHash
		if r.columns[i] != nil {
			r.columns[i].codes.Expect(r.rows)
		}
		pieces, filled, asks := make(chan int, b.ahead()), make(chan struct{}), g
		filling.Go(func() error {
			defer close(filled)
			if errs[i] = r.feedBlock(i, b, pieces); errs[i] == nil {
				asks.askAhead(r.columns[i])
			}
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
		if i == r.targetAt || i == r.weightAt {
			<-filled
			if errs[i] == nil {
				labels--
			}
			if labels == 0 {
				g = r.labelAhead(d)
			}
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
	_ = filling.Wait() // errs are in the order of the columns
	if err := cmp.Or(cut, cmp.Or(errs...)); err != nil {
		return nil, err
	}
	if err := r.checkMemory(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return blocks, nil
}

// feedRows is how many cells are taken from a block at a time; blockRows is a multiple.
const feedRows = 1 << 12

// feedBlock fills column i with the pieces of a block.
func (r *reading) feedBlock(i int, b *block, pieces <-chan int) error {
	c := r.columns[i]
	for at := range pieces {
		last := min((at+1)*blockRows, r.rows)
		for first := at * blockRows; first < last; first += feedRows {
			n := min(feedRows, last-first)
			if b.isPlain {
				if err := r.feedPlain(i, b, first, n); err != nil {
					return err
				}
				continue
			}
			added := 0
			var err error
			if c != nil && c.state() == codedState {
				added, err = b.addCodes(c, first, n)
			}
			if err := cmp.Or(err, b.check(first+added, first+n)); err != nil {
				return fmt.Errorf("%s: column %s: %w", r.name, quote(r.header[i]), err)
			}
			if i == r.weightAt {
				if err := r.feedWeights(b, first, n); err != nil {
					return err
				}
			}
			if added < n && c != nil && c.state() == floatState {
				r.feedNumbers(c, b, first+added, n-added)
			}
		}
		b.done(at)
	}
	return nil
}

// lineOf is the line of a row in the canonical text, if no text has a line end.
func lineOf(row int) int { return row + 2 }

// feedNumbers adds so many cells of a block to a column of numbers, from row first on.
func (r *reading) feedNumbers(c *column, b *block, first, n int) {
	switch {
	case b.isNumber() && !r.numbers.first:
		b.addNumbers(c, first, n)
		return
	case b.isText && b.readNumbers(r.numbers):
		b.addCodedNumbers(c, first, n)
		return
	}
	for row := first; row < first+n; row++ {
		text := b.text(row)
		v, ok := r.numbers.parse([]byte(text))
		if !ok {
			c.notNumber(text, lineOf(row))
			return
		}
		c.floats.Add(v)
	}
}

// feedPlain adds so many cells of a block of texts to column i, from row first on, as those of a
// chunk of CSV.
func (r *reading) feedPlain(i int, b *block, first, n int) error {
	c, at, e := r.columns[i], first/blockRows, &b.plain
	f := &fields{text: b.pieces[at], cells: b.spans[at][first%blockRows:][:n], width: 1}
	line := func(row int) int { return lineOf(first + row) }
	switch {
	case i == r.weightAt:
		e.begin(codedState, n)
		e.encode(f, 0)
		if row, err := r.mergeWeights(e); err != nil {
			return r.errorAt(b.text(first+row), i, line(row), err)
		}
	case c != nil:
		switch e.begin(c.state(), n); e.state {
		case floatState:
			e.parse(f, 0, n, r.numbers)
		case codedState:
			e.encode(f, 0)
		}
		if row, err := r.mergeColumn(c, e, line); err != nil {
			return r.errorAt(b.text(first+row), i, line(row), err)
		}
	}
	return nil
}

// feedWeights adds so many weights of a block, from row first on.
func (r *reading) feedWeights(b *block, first, n int) error {
	of := map[int64]decimal{}
	for i, key := range b.keys(first, n) {
		w, known := of[key]
		if !known {
			text := b.text(first + i)
			var err error
			if w, err = r.weight(text); err != nil {
				return r.errorAt(text, r.weightAt, lineOf(first+i), err)
			}
			of[key] = w
		}
		r.weights.append(w)
	}
	return nil
}
