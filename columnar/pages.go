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

// spanOf returns the span of a column of integers with a sign, also of those that decimals are multiples of, by the
// statistics of the file, or nil.
func spanOf(r *file.Reader, i int, kind arrow.DataType) *span {
	_, isDecimal := kind.(arrow.DecimalType)
	if id := kind.ID(); !isDecimal && id != arrow.INT8 && id != arrow.INT16 && id != arrow.INT32 && id != arrow.INT64 {
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

// eachDictionary calls yield with the values of the dictionary of each row group.
func (d *direct) eachDictionary(yield func(g int, data []byte, n int) error) (err error) {
	defer recovered(&err)
	for g := range d.r.NumRowGroups() {
		from, err := d.r.RowGroup(g).GetColumnPageReader(d.column)
		if err != nil {
			return err
		}
		for from.Next() {
			if page, ok := from.Page().(*file.DictionaryPage); ok {
				if err := yield(g, page.Data(), int(page.NumValues())); err != nil {
					return err
				}
				break
			}
		}
		if err := errors.Join(from.Err(), from.Close()); err != nil {
			return err
		}
	}
	return nil
}

// planTexts plans a column of texts.
func (d *direct) planTexts() (*layout, error) {
	if !allCoded(d.r, d.column) {
		return plainTexts(), nil
	}
	l := &layout{texts: newTexts()}
	err := d.eachDictionary(func(_ int, data []byte, n int) error {
		for ; n > 0; n-- {
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
	}
	if !allCoded(d.r, d.column) {
		if d.isTime() {
			return plainTexts(), nil
		}
		return nil, nil
	}
	l, codeOf := &layout{texts: newTexts(), codesOf: make([][]int32, d.r.NumRowGroups())}, map[uint64]int32{}
	var keys []uint64
	err := d.eachDictionary(func(g int, data []byte, n int) (err error) {
		if n > len(data) {
			return errShort
		}
		if n > most {
			return errManyNumbers
		}
		if keys, err = d.keys(keys[:0], data, n); err != nil {
			return err
		}
		codes := make([]int32, n)
		for i, key := range keys {
			code, known := codeOf[key]
			if !known {
				code = -1
				if text := d.text(key); text != "" { // numbers and seconds that differ have different texts
					code = l.texts.add([]byte(text), -1)
				}
				codeOf[key] = code
			}
			codes[i] = code
		}
		if l.codesOf[g] = codes; l.texts.count() > most {
			return errManyNumbers
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
	p := &pages[int64]{direct: d, layout: plainTexts(), plain: data}
	values := make([]int64, n)
	err := p.readPlain(values)
	for _, v := range values {
		to = append(to, uint64(d.seconds(v)))
	}
	return to, err
}

// seconds returns a moment in seconds, rounded down, and others as they are.
func (d *direct) seconds(v int64) int64 {
	if d.second > 1 {
		v = (v - (v%d.second+d.second)%d.second) / d.second
	}
	return v
}

// text is the text of a cell by its bits: of a float, a time or an integer.
func (d *direct) text(key uint64) string {
	switch {
	case d.isTime():
		return string(d.appendTime(nil, int64(key)))
	case d.isFloat():
		return numberText(math.Float64frombits(key))
	}
	return strconv.FormatInt(int64(key), 10)
}

// appendTime appends the text of a date, or of a moment in seconds.
func (d *direct) appendTime(to []byte, v int64) []byte {
	if d.kind.ID() == arrow.DATE32 {
		return appendTime(to, arrow.Date32(v).ToTime())
	}
	return appendTime(to, time.Unix(v, 0))
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
