package main

import (
	"encoding/binary"
	"errors"

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
	for g := range r.NumRowGroups() {
		pages, err := r.RowGroup(g).GetColumnPageReader(i)
		if err != nil {
			return false, err
		}
		page, err := pages.GetDictionaryPage()
		if err != nil {
			return false, err
		}
		data := page.Data()
		for range page.NumValues() {
			if len(data) < 4 || uint64(len(data)-4) < uint64(binary.LittleEndian.Uint32(data)) {
				return false, errors.New("its dictionary is cut short")
			}
			end := 4 + binary.LittleEndian.Uint32(data)
			yield(string(data[4:end]))
			data = data[end:]
		}
		page.Release()
		if err := pages.Close(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// coded reports whether all pages of a chunk hold codes.
func coded(chunk *metadata.ColumnChunkMetaData) bool {
	if !chunk.HasDictionaryPage() || len(chunk.EncodingStats()) == 0 {
		return false
	}
	for _, s := range chunk.EncodingStats() {
		if s.PageType != file.PageTypeDictionaryPage && s.Encoding != parquet.Encodings.PlainDict && s.Encoding != parquet.Encodings.RLEDict {
			return false
		}
	}
	return true
}
