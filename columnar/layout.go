package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"
	"golang.org/x/sync/errgroup"
)

// layout is how a column is written. It must be known before the first cell is: the stream
// begins with the types of all columns, and the texts of a dictionary stand before its codes.
type layout struct {
	kind  string // of docs/column-protocol.md
	span  span   // of integers
	scale int    // numbers are integers divided by 10^scale
	texts *texts // of texts; their kind is text8, text16 or text

	// codesOf are the codes of the values of each row group's dictionary, of numbers and times that are
	// written as codes of texts; nil: others.
	codesOf [][]int32
}

// plainTexts is how texts without dictionaries are written: there may be as many as rows.
func plainTexts() *layout {
	return &layout{kind: "string", span: span{math.MinInt64, math.MaxInt64}}
}

// plan decides how each column is written.
func (t *table) plan(ctx context.Context) ([]*layout, error) {
	layouts := make([]*layout, len(t.columns))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range t.columns {
		g.Go(func() (err error) {
			if ctx.Err() != nil {
				return nil // another column has failed
			}
			if layouts[i], err = c.plan(); err != nil {
				return fmt.Errorf("column %q: %w", c.name, err)
			}
			if c.direct != nil && !c.direct.writes(layouts[i]) {
				c.direct = nil
			}
			return nil
		})
	}
	return layouts, g.Wait()
}

// plan decides how a column is written: as numbers if it has any, and missing ones as NaN.
// Integers that are too large to be floats are texts where one is missing.
func (c *column) plan() (*layout, error) {
	f, isDictionary := formats[storage(c.kind).ID()], c.kind.ID() == arrow.DICTIONARY
	if c.nulls < 0 && (f.truth || f.integer) {
		c.nulls = 0
		if err := c.each(func(a arrow.Array) error { c.nulls += int64(a.NullN()); return nil }); err != nil {
			return nil, err
		}
	}
	switch {
	case f.truth && c.nulls == 0:
		return &layout{kind: "bool"}, nil
	case c.direct != nil && c.direct.isTime():
		return c.direct.planNumbers()
	case isDictionary || !f.float:
		return c.planTexts()
	case !f.integer || c.nulls > 0 && c.direct != nil:
		if l, err := c.direct.planNumbers(); l != nil || err != nil {
			return l, err
		}
	}
	if !f.integer {
		if l := c.planDecimals(); l != nil {
			return l, nil
		}
		return &layout{kind: "float64"}, nil
	}
	if c.span == nil {
		c.span = f.span
	}
	if c.span == nil {
		if err := c.measure(); err != nil {
			return nil, err
		}
	}
	limit := int64(math.MaxInt64)
	if c.nulls > 0 {
		limit = 1 << 53
	}
	switch exact := c.span.most <= limit && c.span.least >= -limit; {
	case exact && c.nulls == 0:
		return &layout{kind: c.span.kind(), span: *c.span}, nil
	case exact:
		return &layout{kind: "float64", span: *c.span}, nil
	}
	return c.planTexts()
}

// measure finds the span of a column of integers. Those beyond an int64 count as the least of these.
func (c *column) measure() error {
	c.span = &span{math.MaxInt64, math.MinInt64}
	return c.each(func(a arrow.Array) error {
		a = plain(a)
		whole, err := integers(a)
		for i := 0; err == nil && i < a.Len(); i++ {
			v := whole(i)
			if u, ok := a.(*array.Uint64); ok && u.Value(i) > math.MaxInt64 {
				v = math.MinInt64
			}
			if !a.IsNull(i) {
				c.span.least, c.span.most = min(c.span.least, v), max(c.span.most, v)
			}
		}
		return err
	})
}

// kind is the narrowest kind that holds all integers of a span.
func (s *span) kind() string {
	switch {
	case s.least >= math.MinInt8 && s.most <= math.MaxInt8:
		return "int8"
	case s.least >= math.MinInt16 && s.most <= math.MaxInt16:
		return "int16"
	case s.least >= math.MinInt32 && s.most <= math.MaxInt32:
		return "int32"
	}
	return "int64"
}

// planTexts plans a column of texts: of a dictionary it collects all values, also those that no
// cell has.
func (c *column) planTexts() (*layout, error) {
	switch {
	case c.direct != nil && c.direct.physical == parquet.Types.ByteArray:
		return c.direct.planTexts()
	case storage(c.kind).ID() != arrow.DICTIONARY:
		return plainTexts(), nil
	}
	l := &layout{texts: newTexts()}
	err := c.each(func(a arrow.Array) error {
		texts, err := dictionary(plain(a).(*array.Dictionary))
		for _, t := range texts {
			if t != missingText {
				l.texts.enter([]byte(t))
			}
		}
		return err
	})
	l.kind = l.texts.kind()
	return l, err
}

// writeHeader writes the line that describes the columns.
func writeHeader(to io.Writer, t *table, layouts []*layout) error {
	type columnHeader struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Scale int    `json:"scale,omitempty"`
		Texts int    `json:"texts,omitempty"`
		Bytes int    `json:"bytes,omitempty"`
	}
	columns := make([]columnHeader, len(layouts))
	for i, l := range layouts {
		columns[i] = columnHeader{Name: t.columns[i].name, Type: l.kind, Scale: l.scale}
		if l.texts != nil {
			columns[i].Texts, columns[i].Bytes = l.texts.count(), len(l.texts.all)
		}
	}
	line, err := json.Marshal(struct {
		Format  string         `json:"format"`
		Version int            `json:"version"`
		Rows    int64          `json:"rows"`
		First   []int          `json:"first,omitempty"`
		Columns []columnHeader `json:"columns"`
	}{"parcorels columns", 1, t.rows, t.first, columns})
	if err != nil {
		return err
	}
	_, err = to.Write(append(line, '\n'))
	return err
}

// ahead is how many pieces of a part of a column wait to be written: parts are decoded side by side,
// and written one behind the other.
const ahead = 4

// piece is cells that are to be written.
type piece struct {
	cells []byte
	again *pool // takes their memory; nil: it is another's
}

// again is what takes the memory of cells that are written.
func (c *column) again() *pool {
	if c.direct != nil {
		return c.direct.pool
	}
	return nil
}

// write writes the cells of all columns.
func (t *table) write(ctx context.Context, layouts []*layout, to io.Writer) error {
	g, ctx := errgroup.WithContext(ctx)
	begun := make(chan chan piece, runtime.GOMAXPROCS(0))
	begin := func(encode func(yield func([]byte) error) error, again *pool) bool {
		pieces := make(chan piece, ahead)
		select {
		case begun <- pieces:
		case <-ctx.Done():
			return false // the reason is another's
		}
		g.Go(func() error {
			defer close(pieces)
			return encode(func(cells []byte) error {
				select {
				case pieces <- piece{cells, again}:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
		})
		return true
	}
	g.Go(func() error {
		defer close(begun)
		for _, i := range t.order() {
			c := t.columns[i]
			var head []byte
			if layouts[i].texts != nil {
				head = layouts[i].texts.head()
			}
			if !begin(func(yield func([]byte) error) error { return yield(head) }, nil) {
				return nil
			}
			for part := range c.parts() {
				if !begin(func(yield func([]byte) error) error {
					if err := c.encode(layouts[i], part, yield); err != nil {
						return fmt.Errorf("column %q: %w", c.name, err)
					}
					return nil
				}, c.again()) {
					return nil
				}
			}
		}
		return nil
	})
	g.Go(func() error {
		for pieces := range begun {
			for piece := range pieces {
				if _, err := to.Write(piece.cells); err != nil {
					return err
				}
				if piece.again != nil {
					piece.again.Free(piece.cells)
				}
			}
			if ctx.Err() != nil {
				return nil // what follows must not look like the next column
			}
		}
		return nil
	})
	return g.Wait()
}
