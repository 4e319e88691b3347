package main

import (
	"errors"
	"math"
	"slices"
	"strconv"

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

// dictionaryPages calls yield with the texts of a column, if each of its pages holds codes.
func dictionaryPages(r *file.Reader, i int, yield func(text string)) (all bool, err error) {
	defer recovered(&err)
	for g := range r.NumRowGroups() {
		chunk, err := r.MetaData().RowGroup(g).ColumnChunk(i)
		if err != nil || !coded(chunk) {
			return false, err
		}
	}
	return true, eachDictionary(r, i, func(_ int, data []byte, n int) error {
		for range n {
			text, rest, err := cutText(data)
			if err != nil {
				return err
			}
			yield(string(text))
			data = rest
		}
		return nil
	})
}

// eachDictionary calls yield with the values of the dictionary of each row group of column i.
func eachDictionary(r *file.Reader, i int, yield func(g int, data []byte, n int) error) error {
	for g := range r.NumRowGroups() {
		pages, err := r.RowGroup(g).GetColumnPageReader(i)
		if err != nil {
			return err
		}
		page, err := pages.GetDictionaryPage()
		if err != nil {
			return err
		}
		if page == nil {
			return errShort
		}
		if err := yield(g, page.Data(), int(page.NumValues())); err != nil {
			return err
		}
		page.Release()
		if err := pages.Close(); err != nil {
			return err
		}
	}
	return nil
}

// mostNumbers is how many different numbers are written as texts, which take two bytes a cell then.
const mostNumbers = math.MaxInt16

var errManyNumbers = errors.New("a column has many numbers")

// planNumbers plans numbers whose cells are all codes of dictionaries as texts: a stream of codes is a
// quarter of one of floats, and no number need be looked up again. It returns nil of others.
func (d *direct) planNumbers() (l *layout, err error) {
	defer recovered(&err)
	if d == nil || d.kind.ID() == arrow.BOOL || d.physical == parquet.Types.ByteArray {
		return nil, nil
	}
	for g := range d.r.NumRowGroups() {
		chunk, err := d.r.MetaData().RowGroup(g).ColumnChunk(d.column)
		if err != nil || !coded(chunk) {
			return nil, err
		}
	}
	l = &layout{codes: map[string]int32{}, codesOf: make([][]int32, d.r.NumRowGroups())}
	known, most := map[uint64]int32{}, mostNumbers
	if d.isTime() {
		most = math.MaxInt // they are texts anyway
	}
	isFloat := d.isFloat()
	plain := &pages[int64]{direct: d, layout: &layout{span: span{math.MinInt64, math.MaxInt64}}}
	floats := &pages[float64]{direct: d, layout: &layout{}}
	err = eachDictionary(d.r, d.column, func(g int, data []byte, n int) error {
		if n > len(data) {
			return errShort
		}
		if n > most {
			return errManyNumbers
		}
		codes := make([]int32, n)
		keys := make([]uint64, n)
		if isFloat {
			values := make([]float64, n)
			if floats.plain = data; floats.readPlain(values) != nil {
				return errShort
			}
			for i, v := range values {
				keys[i] = math.Float64bits(v + 0) // −0 is 0
			}
		} else {
			values := make([]int64, n)
			if plain.plain = data; plain.readPlain(values) != nil {
				return errShort
			}
			for i, v := range values {
				keys[i] = uint64(v)
			}
		}
		for i, key := range keys {
			code, ok := known[key]
			if !ok {
				text := d.text(key)
				if code = -1; text != "" {
					l.enter(text)
					code = l.codes[text]
				}
				known[key] = code
			}
			codes[i] = code
		}
		if len(l.texts) > most {
			return errManyNumbers
		}
		l.codesOf[g] = codes
		return nil
	})
	if err == errManyNumbers {
		return nil, nil
	}
	l.narrow()
	return l, err
}

// text is the text of a cell by its bits: of a float, a time or an integer.
func (d *direct) text(key uint64) string {
	switch {
	case d.kind.ID() == arrow.DATE32:
		return timeText(arrow.Date32(key).ToTime())
	case d.isTime():
		return timeText(arrow.Timestamp(key).ToTime(d.kind.(*arrow.TimestampType).Unit))
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
