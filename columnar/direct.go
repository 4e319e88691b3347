package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// Pages of Parquet's usual encodings are decoded here, as cells of the stream at once: a code of
// a dictionary becomes a cell by one look-up, and row groups are decoded side by side. Through arrays of
// Arrow, the same takes five times as long. Other pages become arrays.

// direct reads the pages of a column.
type direct struct {
	r        *file.Reader
	pool     *pool
	column   int
	kind     arrow.DataType
	physical parquet.Type
	optional bool  // cells may be missing
	scale    int32 // of decimals
	digits   int32 // likewise, at most
	second   int64 // of moments, in their unit
	width    int   // bytes of a cell that is written as it is; 0: bits, or as many as a text has
}

// newDirect returns what reads the pages of column i, or nil if these are encoded in another way.
func newDirect(r *file.Reader, p *pool, i int, kind arrow.DataType) *direct {
	of := r.MetaData().Schema.Column(i)
	if of.MaxRepetitionLevel() > 0 || of.MaxDefinitionLevel() > 1 {
		return nil
	}
	d := &direct{r: r, pool: p, column: i, kind: kind, physical: of.PhysicalType(), optional: of.MaxDefinitionLevel() == 1}
	if !d.fits(of.TypeLength()) {
		return nil
	}
	for g := range r.NumRowGroups() {
		chunk, err := r.MetaData().RowGroup(g).ColumnChunk(i)
		if err != nil || chunk.CryptoMetadata() != nil {
			return nil
		}
		for _, e := range chunk.Encodings() {
			switch e {
			case parquet.Encodings.Plain, parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
			case parquet.Encodings.RLE:
				if d.physical == parquet.Types.Boolean {
					return nil
				}
			case parquet.Encodings.BitPacked:
				if d.optional {
					return nil
				}
			default:
				return nil
			}
		}
	}
	return d
}

// fits reports whether the bytes of a cell are its value. Some types have a length.
func (d *direct) fits(length int) bool {
	switch d.physical {
	case parquet.Types.Int32, parquet.Types.Float:
		d.width = 4
	case parquet.Types.Int64, parquet.Types.Double:
		d.width = 8
	case parquet.Types.FixedLenByteArray:
		d.width = length
	}
	if kind, ok := d.kind.(arrow.DecimalType); ok {
		d.scale, d.digits = kind.GetScale(), kind.GetPrecision()
		return d.width > 0 && kind.GetPrecision() <= mostDigits && (d.isWhole() || d.physical == parquet.Types.FixedLenByteArray && length <= 8)
	}
	switch d.kind.ID() {
	case arrow.BOOL:
		return d.physical == parquet.Types.Boolean
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.DATE32:
		return d.physical == parquet.Types.Int32
	case arrow.TIMESTAMP:
		d.second = int64(time.Second / d.kind.(*arrow.TimestampType).Unit.Multiplier())
		return d.physical == parquet.Types.Int64
	case arrow.INT64:
		return d.physical == parquet.Types.Int64
	case arrow.FLOAT32:
		return d.physical == parquet.Types.Float
	case arrow.FLOAT64:
		return d.physical == parquet.Types.Double
	case arrow.STRING:
		return d.physical == parquet.Types.ByteArray
	case arrow.DICTIONARY:
		return d.physical == parquet.Types.ByteArray && d.kind.(*arrow.DictionaryType).ValueType.ID() == arrow.STRING
	}
	return false
}

func (d *direct) isWhole() bool {
	return d.physical == parquet.Types.Int32 || d.physical == parquet.Types.Int64
}

// isFloat reports whether cells are read as floats.
func (d *direct) isFloat() bool {
	return formats[d.kind.ID()].float && !formats[d.kind.ID()].integer
}

func (d *direct) isDecimal() bool {
	_, ok := d.kind.(arrow.DecimalType)
	return ok
}

// isTime reports whether cells are texts of what is a number in the file.
func (d *direct) isTime() bool { return d.kind.ID() == arrow.DATE32 || d.kind.ID() == arrow.TIMESTAMP }

// writes reports whether cells of a layout can be written: numbers that are texts only where their codes are known.
func (d *direct) writes(l *layout) bool {
	return l.texts == nil && l.kind != "string" || l.codesOf != nil || d.physical == parquet.Types.ByteArray || d.isTime()
}

// encode gives the blocks of bytes of row group g.
func (d *direct) encode(l *layout, g int, yield func([]byte) error) error {
	switch l.kind {
	case "bool", "int8", "text8":
		return encodePages[int8](d, l, g, yield)
	case "int16", "text16":
		return encodePages[int16](d, l, g, yield)
	case "int32", "text":
		return encodePages[int32](d, l, g, yield)
	case "int64", "string":
		return encodePages[int64](d, l, g, yield)
	}
	return encodePages[float64](d, l, g, yield)
}

// cell is how a cell is written.
type cell interface {
	int8 | int16 | int32 | int64 | float64
}

// pages decodes the pages of a column in a row group.
type pages[T cell] struct {
	*direct
	layout     *layout
	dictionary []T
	missing    T

	rows    int             // of the page at hand that are left
	levels  runs            // 1: the cell is there
	plain   []byte          // values; nil: codes
	codes   runs            // of the dictionary
	scratch [1 << 10]uint32 // stays in the first-level cache
	levelOf []int8
	bit     uint // of truth values, the next one

	// Of texts without codes, cells are places of these: first those of the dictionary, then those of the cells at hand.
	texts [][]byte
	known int // texts of the dictionary
}

func encodePages[T cell](d *direct, l *layout, g int, yield func([]byte) error) (err error) {
	defer recovered(&err)
	from, err := d.r.RowGroup(g).GetColumnPageReader(d.column)
	if err != nil {
		return err
	}
	p := &pages[T]{direct: d, layout: l, missing: missingCell[T](l)}
	left := d.r.MetaData().RowGroup(g).NumRows()
	for left > 0 && from.Next() {
		if page, ok := from.Page().(*file.DictionaryPage); ok {
			data := page.Data()
			if l.kind == "string" { // which refers to it
				data = bytes.Clone(data)
			}
			if p.dictionary, err = p.values(data, int(page.NumValues()), g); err != nil {
				return err
			}
			p.known = len(p.texts)
			continue
		}
		if err := p.begin(from.Page()); err != nil {
			return err
		}
		for p.rows > 0 {
			n := min(p.rows, batchRows)
			if left -= int64(n); left < 0 {
				return errors.New("it has more cells than rows")
			}
			cells := cellsOf[T](d.pool, n)
			if err := p.read(cells); err != nil {
				return err
			}
			p.rows -= n
			piece := arrow.GetBytes(cells)
			if l.kind == "string" {
				piece = p.plainCells(cells)
			}
			if err := yield(piece); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(from.Err(), from.Close()); err != nil {
		return err
	}
	if left > 0 {
		return fmt.Errorf("it ends %d rows too early", left)
	}
	return nil
}

// plainCells returns the bytes of texts, each behind its length, and lets go of their places.
func (p *pages[T]) plainCells(places []T) []byte {
	piece := p.pool.Allocate(32 * len(places))[:0]
	for _, place := range places {
		if place == p.missing {
			piece = binary.LittleEndian.AppendUint32(piece, math.MaxUint32)
			continue
		}
		begin := len(piece)
		piece = append(piece, 0, 0, 0, 0)
		if p.isTime() {
			piece = p.appendTime(piece, p.seconds(int64(place)))
		} else {
			piece = append(piece, p.texts[int(place)]...)
		}
		binary.LittleEndian.PutUint32(piece[begin:], uint32(len(piece)-begin-4))
	}
	p.texts = p.texts[:p.known]
	p.pool.Free(arrow.GetBytes(places))
	return piece
}

// cellsOf returns memory for cells.
func cellsOf[T cell](p *pool, n int) []T {
	var t T
	return arrow.GetData[T](p.Allocate(n * binary.Size(t)))
}

func missingCell[T cell](l *layout) T {
	missing := float64(-1)
	if _, isFloat := any(T(0)).(float64); isFloat {
		missing = math.NaN()
	} else if l.kind == "string" {
		missing = math.MinInt64 // neither a place nor a moment
	}
	return T(missing)
}

// begin takes a page of cells.
func (p *pages[T]) begin(page file.Page) error {
	data := page.Data()
	switch page := page.(type) {
	case *file.DataPageV1:
		if p.optional {
			if page.DefinitionLevelEncoding() != parquet.Encodings.RLE || len(data) < 4 || uint64(len(data)-4) < uint64(binary.LittleEndian.Uint32(data)) {
				return errShort
			}
			end := 4 + binary.LittleEndian.Uint32(data)
			p.levels = runs{data: data[4:end:end], width: 1}
			data = data[end:]
		}
	case *file.DataPageV2:
		first := int(page.RepetitionLevelByteLen())
		end := first + int(page.DefinitionLevelByteLen())
		if first < 0 || end < first || end > len(data) {
			return errShort
		}
		p.levels = runs{data: data[first:end:end], width: 1}
		data = data[end:]
	default:
		return nil // a page of an index
	}
	p.rows, p.bit = int(page.NumValues()), 0
	switch parquet.Encoding(page.Encoding()) {
	case parquet.Encodings.Plain:
		p.plain, p.codes = data, runs{}
		return nil
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		if len(data) == 0 { // no cell is there
			data = []byte{0}
		}
		if data[0] > 32 {
			return errShort
		}
		p.plain, p.codes = nil, runs{data: data[1:len(data):len(data)], width: uint(data[0])}
		return nil
	}
	return fmt.Errorf("a page of it is encoded as %v, which the file does not say of its column", page.Encoding())
}

// noneOrOne are levels: 0 of a missing cell.
var noneOrOne = [roomForBytes]int8{0, 1}

// read reads the next cells of a page.
func (p *pages[T]) read(cells []T) error {
	if !p.optional {
		return p.readPresent(cells)
	}
	if all, err := p.levels.same(1, len(cells)); err != nil || all {
		if err != nil {
			return err
		}
		return p.readPresent(cells)
	}
	p.levelOf = slices.Grow(p.levelOf[:0], len(cells))[:len(cells)]
	if err := decode(&p.levels, p.levelOf, noneOrOne[:2], p.scratch[:]); err != nil {
		return err
	}
	present := 0
	for _, level := range p.levelOf {
		present += int(level)
	}
	if err := p.readPresent(cells[:present]); err != nil {
		return err
	}
	for i := len(cells) - 1; i >= 0; i-- { // from the last on, as each moves up
		if p.levelOf[i] == 0 {
			cells[i] = p.missing
			continue
		}
		present--
		cells[i] = cells[present]
	}
	return nil
}

// readPresent reads cells none of which is missing.
func (p *pages[T]) readPresent(cells []T) error {
	if len(cells) == 0 {
		return nil
	}
	if p.plain != nil {
		return p.readPlain(cells)
	}
	return decode(&p.codes, cells, p.dictionary, p.scratch[:])
}

// values returns the cells of the values of a dictionary.
func (p *pages[T]) values(data []byte, n, g int) ([]T, error) {
	if n > len(data) { // none takes less than a byte
		return nil, errShort
	}
	values := make([]T, n, max(n, roomForBytes))
	if of := p.layout.codesOf; of != nil {
		if len(of[g]) != n {
			return nil, errShort
		}
		for i, code := range of[g] {
			values[i] = T(code)
		}
		return values, nil
	}
	p.plain = data
	return values, p.readPlain(values)
}

// readPlain reads cells that are written as they are.
func (p *pages[T]) readPlain(cells []T) error {
	switch p.physical {
	case parquet.Types.Boolean:
		if uint(len(p.plain)) < (p.bit+uint(len(cells))+7)/8 {
			return errShort
		}
		for len(cells) > 0 {
			bits := p.plain[p.bit/8] >> (p.bit & 7)
			n := min(8-int(p.bit&7), len(cells))
			for i := range cells[:n] {
				cells[i] = T(bits & 1)
				bits >>= 1
			}
			cells = cells[n:]
			p.bit += uint(n)
		}
		return nil
	case parquet.Types.ByteArray:
		return p.readTexts(cells)
	}
	width := p.width
	if len(p.plain) < width*len(cells) {
		return errShort
	}
	data := p.plain
	p.plain = data[width*len(cells):]
	if floats, ok := any(cells).([]float64); ok && p.isDecimal() {
		readDecimals(p.direct, floats, data)
		return nil
	}
	switch p.physical {
	case parquet.Types.Float:
		for i := range cells {
			cells[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
		return nil
	case parquet.Types.Double:
		if floats, ok := any(cells).([]float64); ok {
			copy(arrow.GetBytes(floats), data)
		}
		return nil
	}
	return p.readWhole(cells, data)
}

// readWhole reads whole numbers, also those that decimals are multiples of.
func (p *pages[T]) readWhole(cells []T, data []byte) error {
	least, most := p.layout.span.least, p.layout.span.most
	inside := true
	switch id := p.kind.ID(); {
	case p.physical == parquet.Types.Int64:
		for i := range cells {
			v := int64(binary.LittleEndian.Uint64(data[8*i:]))
			inside = inside && v >= least && v <= most
			cells[i] = T(v)
		}
	case p.physical == parquet.Types.FixedLenByteArray:
		for i := range cells {
			v := bigEndian(data[i*p.width:][:p.width])
			inside = inside && v >= least && v <= most
			cells[i] = T(v)
		}
	case id == arrow.UINT8 || id == arrow.UINT16 || id == arrow.UINT32:
		for i := range cells {
			v := int64(binary.LittleEndian.Uint32(data[4*i:]))
			inside = inside && v >= least && v <= most
			cells[i] = T(v)
		}
	default:
		for i := range cells {
			v := int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
			inside = inside && v >= least && v <= most
			cells[i] = T(v)
		}
	}
	if !inside {
		return p.layout.outside()
	}
	return nil
}

// readTexts reads texts that are written as they are: their codes, or their places.
func (p *pages[T]) readTexts(cells []T) error {
	data := p.plain
	for i := range cells {
		text, rest, err := cutText(data)
		if err != nil {
			return err
		}
		data = rest
		if p.layout.texts == nil {
			cells[i] = T(len(p.texts))
			p.texts = append(p.texts, text)
			continue
		}
		code := p.layout.texts.code(text)
		if code < 0 {
			return fmt.Errorf("text %q is not in the dictionary of the file", text)
		}
		cells[i] = T(code)
	}
	p.plain = data
	return nil
}

// cutText returns the text that data begin with, behind its length.
func cutText(data []byte) (text, rest []byte, err error) {
	if len(data) < 4 || uint64(len(data)-4) < uint64(binary.LittleEndian.Uint32(data)) {
		return nil, nil, errShort
	}
	end := 4 + binary.LittleEndian.Uint32(data)
	return data[4:end], data[end:], nil
}
