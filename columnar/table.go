package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// table is a table of columns.
type table struct {
	io.Closer
	rows    int64
	columns []*column
	first   []int // columns whose cells are written before all others
}

// column is a column of a table.
type column struct {
	name  string
	kind  arrow.DataType
	nulls int64 // missing cells; −1: nobody knows
	span  *span // of integers, by what the file says; nil: nobody knows

	direct *direct // reads the pages of the column; nil: each is needed

	// each calls a function with the pieces of the column, from above. It may be called more
	// than once.
	each func(func(arrow.Array) error) error
}

// batchRows is how many cells are decoded at a time, so that memory does not grow with the table.
const batchRows = 1 << 16

// open opens a file by its first bytes.
func open(ctx context.Context, path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 6)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, errors.Join(errors.New("this is no file of Parquet or Arrow"), f.Close())
	}
	var t *table
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		t, err = openParquet(ctx, f)
	case string(head) == "ARROW1":
		t, err = openArrow(f)
	default:
		err = errors.New("this is no file of Parquet or Arrow")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// openParquet opens a file of Parquet, whose columns are read one by one.
func openParquet(ctx context.Context, f *os.File) (t *table, err error) {
	defer recovered(&err)
	r, err := file.NewParquetReader(f)
	if err != nil {
		return nil, fmt.Errorf("this file of Parquet is damaged: %w", err)
	}
	props := pqarrow.ArrowReadProperties{BatchSize: batchRows}
	for i := range r.MetaData().Schema.NumColumns() {
		props.SetReadDict(i, allCoded(r, i)) // of texts; a dictionary that grows would be read again with each piece
	}
	from, err := pqarrow.NewFileReader(r, props, nil)
	if err != nil {
		return nil, fmt.Errorf("this file of Parquet cannot be read: %w", err)
	}
	schema, err := from.Schema()
	if err != nil {
		return nil, fmt.Errorf("this file of Parquet cannot be read: %w", err)
	}
	if err := checkFlat(schema); err != nil {
		return nil, err
	}
	memory := new(pool)
	direct, err := file.NewParquetReader(f, file.WithMetadata(r.MetaData()), file.WithReadProps(readProperties(memory)))
	if err != nil {
		return nil, fmt.Errorf("this file of Parquet is damaged: %w", err)
	}
	t = &table{Closer: r, rows: r.NumRows()}
	for i, field := range schema.Fields() {
		if isIndex(field.Name) {
			continue
		}
		c := &column{name: field.Name, kind: field.Type, nulls: nullsOf(r, i), span: spanOf(r, i, field.Type), direct: newDirect(direct, memory, i, field.Type)}
		c.each = func(yield func(arrow.Array) error) (err error) {
			defer recovered(&err)
			pieces, err := from.GetColumn(ctx, i)
			if err != nil {
				return err
			}
			for left := t.rows; left > 0; {
				chunks, err := pieces.NextBatch(min(left, batchRows))
				if err != nil {
					return err
				}
				if chunks == nil || chunks.Len() == 0 {
					return fmt.Errorf("it ends %d rows too early", left)
				}
				left -= int64(chunks.Len())
				for _, a := range chunks.Chunks() {
					if err := yield(a); err != nil {
						return err
					}
				}
			}
			return nil
		}
		t.columns = append(t.columns, c)
	}
	return t, nil
}

// readProperties are how pages are read: piece by piece of the file, into memory that is used again. The buffer is for
// heads of pages; each column of a row group has a new one. Pages are longer, and are not copied through it.
func readProperties(p *pool) *parquet.ReaderProperties {
	properties := parquet.NewReaderProperties(p)
	properties.BufferedStreamEnabled = true
	properties.BufferSize = 1 << 12
	return properties
}

// nullsOf returns how many cells of a column are missing by the statistics of the file.
func nullsOf(r *file.Reader, i int) (nulls int64) {
	if r.MetaData().Schema.Column(i).MaxDefinitionLevel() == 0 {
		return 0
	}
	for g := range r.NumRowGroups() {
		chunk, err := r.MetaData().RowGroup(g).ColumnChunk(i)
		if err != nil {
			return -1
		}
		s, err := chunk.Statistics()
		if err != nil || s == nil || !s.HasNullCount() {
			return -1
		}
		nulls += s.NullCount()
	}
	return nulls
}

// openArrow opens a file of Arrow. Its batches hold all columns, so that all of them are
// in memory.
func openArrow(f *os.File) (t *table, err error) {
	defer recovered(&err)
	r, err := ipc.NewFileReader(f)
	if err != nil {
		return nil, fmt.Errorf("this file of Arrow is damaged: %w", err)
	}
	if err := checkFlat(r.Schema()); err != nil {
		return nil, err
	}
	t = &table{Closer: f}
	columns := make([][]arrow.Array, r.Schema().NumFields())
	for i := range r.NumRecords() {
		batch, err := r.RecordBatchAt(i)
		if err != nil {
			return nil, fmt.Errorf("batch %d of this file of Arrow is damaged: %w", i+1, err)
		}
		t.rows += batch.NumRows()
		for c := range columns {
			columns[c] = append(columns[c], batch.Column(c))
		}
	}
	for i, field := range r.Schema().Fields() {
		if isIndex(field.Name) {
			continue
		}
		c := &column{name: field.Name, kind: field.Type}
		for _, a := range columns[i] {
			c.nulls += int64(a.NullN())
		}
		c.each = func(yield func(arrow.Array) error) (err error) {
			defer recovered(&err)
			for _, whole := range columns[i] {
				for first := 0; first < whole.Len(); first += batchRows {
					piece := array.NewSlice(whole, int64(first), int64(min(first+batchRows, whole.Len())))
					if err := yield(piece); err != nil {
						return err
					}
				}
			}
			return nil
		}
		t.columns = append(t.columns, c)
	}
	return t, nil
}

// putFirst writes the columns of these names first, "" for the last column. A name of no column or of several has no
// effect: who reads the columns finds out.
func (t *table) putFirst(names []string) {
	for _, name := range names {
		at := len(t.columns) - 1
		if name != "" {
			at = slices.IndexFunc(t.columns, func(c *column) bool { return c.name == name })
		}
		if at >= 0 && !slices.Contains(t.first, at) {
			t.first = append(t.first, at)
		}
	}
}

// order returns the columns in the order in which they are written.
func (t *table) order() []int {
	order := slices.Clone(t.first)
	for i := range t.columns {
		if !slices.Contains(t.first, i) {
			order = append(order, i)
		}
	}
	return order
}

// isIndex reports whether a column is the index that pandas wrote beside the table's own columns.
func isIndex(name string) bool {
	number, ok := strings.CutPrefix(name, "__index_level_")
	return ok && strings.Trim(strings.TrimSuffix(number, "__"), "0123456789") == ""
}

// checkFlat reports the first column whose cells are not one value each.
func checkFlat(s *arrow.Schema) error {
	for _, f := range s.Fields() {
		kind := storage(f.Type)
		if d, ok := kind.(*arrow.DictionaryType); ok {
			kind = d.ValueType
		}
		if _, ok := kind.(arrow.NestedType); ok {
			return fmt.Errorf("a cell of column %q is a %s: take it apart into columns of one value a cell, or leave it out", f.Name, kind.Name())
		}
		if _, known := formats[kind.ID()]; !known {
			return fmt.Errorf("a cell of column %q is of type %s, which is neither a number, a truth value, a text nor a time: leave it out", f.Name, kind.Name())
		}
	}
	return nil
}

// storage returns the type that holds the cells of an extension type.
func storage(t arrow.DataType) arrow.DataType {
	if x, ok := t.(arrow.ExtensionType); ok {
		return storage(x.StorageType())
	}
	return t
}

// recovered makes an error of a panic: arrow-go panics on some damaged files.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("this file is damaged: %v", r)
	}
}
