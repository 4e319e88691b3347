package main

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// A file of Parquet says of each column what its least and greatest numbers are, and has the different
// texts of a column in pages of their own. What that tells need not be found by reading all cells,
// which would take as long as reading them to be written.

// span is from the least to the greatest integer.
type span struct{ least, most int64 }

// spanOf returns the span of a column of integers with a sign by the statistics of the file, or nil.
func spanOf(r *file.Reader, i int, kind arrow.DataType) *span {
	if id := kind.ID(); id != arrow.INT8 && id != arrow.INT16 && id != arrow.INT32 && id != arrow.INT64 {
		return nil
	}
	var all *span
	for g := range r.NumRowGroups() {
		chunk, err := r.MetaData().RowGroup(g).ColumnChunk(i)
		if err != nil {
			return nil
		}
		s, err := chunk.Statistics()
		if err != nil || s == nil || !s.HasMinMax() {
			return nil
		}
		var part span
		switch s := s.(type) {
		case *metadata.Int32Statistics:
			part = span{int64(s.Min()), int64(s.Max())}
		case *metadata.Int64Statistics:
			part = span{s.Min(), s.Max()}
		default:
			return nil
		}
		if all == nil {
			all = &part
		}
		all.least, all.most = min(all.least, part.least), max(all.most, part.most)
	}
	return all
}

// eachValues calls yield with the values that cells of a column can be: those of the dictionary of each
// row group, and where some cells of one are no codes, those of its other pages.
func (d *direct) eachValues(yield func(g int, data []byte, n int, isDictionary bool) error) (err error) {
	defer recovered(&err)
	for g := range d.r.NumRowGroups() {
		chunk, err := d.r.MetaData().RowGroup(g).ColumnChunk(d.column)
		if err != nil {
			return err
		}
		if err := d.eachValuesOf(g, coded(chunk), yield); err != nil {
			return err
		}
	}
	return nil
}

func (d *direct) eachValuesOf(g int, allCoded bool, yield func(g int, data []byte, n int, isDictionary bool) error) error {
	from, err := d.r.RowGroup(g).GetColumnPageReader(d.column)
	if err != nil {
		return err
	}
	p := &pages[int64]{direct: d}
	for found := false; !(found && allCoded) && from.Next(); {
		switch page := from.Page().(type) {
		case *file.DictionaryPage:
			found = true
			err = yield(g, page.Data(), int(page.NumValues()), true)
		default:
			if err = p.begin(page); err == nil && p.rows > 0 && p.plain != nil {
				err = yield(g, p.plain, p.rows, false) // fewer, if some are missing
			}
			p.rows = 0
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(from.Err(), from.Close())
}

// planTexts plans a column of texts.
func (d *direct) planTexts() (*layout, error) {
	l := &layout{texts: newTexts()}
	err := d.eachValues(func(_ int, data []byte, n int, isDictionary bool) error {
		for ; n > 0 && (isDictionary || len(data) > 0); n-- {
			text, rest, err := cutText(data)
			if err != nil {
				return err
			}
			l.texts.enter(text)
			data = rest
		}
		return nil
	})
	l.kind = l.texts.kind()
	return l, err
}

// mostNumbers is how many different numbers are written as texts, which take two bytes a cell then.
const mostNumbers = math.MaxInt16

var errManyNumbers = errors.New("a column has many numbers")

// planNumbers plans numbers whose cells are all codes of dictionaries as texts: a stream of codes is a
// quarter of one of floats, and no number need be looked up again. It returns nil of others. Times are texts anyway.
func (d *direct) planNumbers() (*layout, error) {
	if d == nil || d.kind.ID() == arrow.BOOL || d.physical == parquet.Types.ByteArray {
		return nil, nil
	}
	most := mostNumbers
	if d.isTime() {
		most = math.MaxInt
	} else if !allCoded(d.r, d.column) {
		return nil, nil
	}
	l := &layout{texts: newTexts(), codesOf: make([][]int32, d.r.NumRowGroups()), codeOf: map[uint64]int32{}}
	var keys []uint64
	err := d.eachValues(func(g int, data []byte, n int, isDictionary bool) error {
		if !isDictionary {
			n = min(n, len(data)/d.width)
		}
		if n > len(data) {
			return errShort
		}
		if n > most {
			return errManyNumbers
		}
		var err error
		if keys, err = d.keys(keys[:0], data, n); err != nil {
			return err
		}
		codes := make([]int32, n)
		for i, key := range keys {
			codes[i] = l.codeFor(d, key)
		}
		if l.texts.count() > most {
			return errManyNumbers
		}
		if isDictionary {
			l.codesOf[g] = codes
		}
		return nil
	})
	if err == errManyNumbers {
		return nil, nil
	}
	l.kind = l.texts.kind()
	return l, err
}

// keys appends the bits of n cells that are written as they are: of a float, the seconds or days of a time, or an integer.
func (d *direct) keys(to []uint64, data []byte, n int) ([]uint64, error) {
	if d.isFloat() {
		p := &pages[float64]{direct: d, layout: &layout{}, plain: data}
		values := make([]float64, n)
		err := p.readPlain(values)
		for _, v := range values {
			to = append(to, math.Float64bits(v+0)) // −0 is 0
		}
		return to, err
	}
	p := &pages[int64]{direct: d, layout: &layout{span: span{math.MinInt64, math.MaxInt64}}, plain: data}
	values := make([]int64, n)
	err := p.readPlain(values)
	for _, v := range values {
		if d.second > 1 { // rounded down
			v = (v - (v%d.second+d.second)%d.second) / d.second
		}
		to = append(to, uint64(v))
	}
	return to, err
}

// codeFor returns the code of a cell by its bits, −1 if it is missing.
func (l *layout) codeFor(d *direct, key uint64) int32 {
	code, known := l.codeOf[key]
	if !known {
		code = -1
		if text := d.text(key); text != "" { // numbers and seconds that differ have different texts
			code = l.texts.add([]byte(text), -1)
		}
		l.codeOf[key] = code
	}
	return code
}

// text is the text of a cell by its bits: of a float, a time or an integer.
func (d *direct) text(key uint64) string {
	switch {
	case d.kind.ID() == arrow.DATE32:
		return timeText(arrow.Date32(key).ToTime())
	case d.isTime():
		return timeText(time.Unix(int64(key), 0))
	case d.isFloat():
		return numberText(math.Float64frombits(key))
	}
	return strconv.FormatInt(int64(key), 10)
}

// numberText is the text of a number in the canonical text of columns, "" of NaN, which is missing.
func numberText(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e15) {
		format = 'g'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}

// allCoded reports whether all pages of a column hold codes.
func allCoded(r *file.Reader, i int) bool {
	for g := range r.NumRowGroups() {
		if chunk, err := r.MetaData().RowGroup(g).ColumnChunk(i); err != nil || !coded(chunk) {
			return false
		}
	}
	return true
}

// coded reports whether all pages of a chunk hold codes.
func coded(chunk *metadata.ColumnChunkMetaData) bool {
	if !chunk.HasDictionaryPage() {
		return false
	}
	if len(chunk.EncodingStats()) == 0 { // some writers have none
		return !slices.Contains(chunk.Encodings(), parquet.Encodings.Plain)
	}
	for _, s := range chunk.EncodingStats() {
		if s.PageType != file.PageTypeDictionaryPage && s.Encoding != parquet.Encodings.PlainDict && s.Encoding != parquet.Encodings.RLEDict {
			return false
		}
	}
	return true
}
