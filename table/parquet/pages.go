package parquet

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// A page of Parquet says how long it is, packed and unpacked, and parquet-go allocates what it says. A damaged or hostile file
// of a kilobyte would so take all memory, and end the process. The headers of all pages are therefore read before.

const (
	// mostPage is the largest page, in bytes. Writers make pages of a megabyte or so.
	mostPage = 1 << 30
	// mostRatio bounds how many times longer a page gets when it is unpacked, beyond leastPage bytes; zstd reaches some thousands.
	mostRatio, leastPage = 20_000, 1 << 20
)

// checkPages finds pages of a column that are not as long as they say, or hold more values than the table has rows.
func checkPages(r io.ReaderAt, size int64, c *format.ColumnMetaData, rows int64) error {
	begin := c.DataPageOffset
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < begin {
		begin = c.DictionaryPageOffset
	}
	if begin < 0 || c.TotalCompressedSize < 0 || begin > size || c.TotalCompressedSize > size-begin || c.NumValues > rows {
		return errors.New("a column is longer than the file")
	}
	for end := begin + c.TotalCompressedSize; begin < end; {
		section := io.NewSectionReader(r, begin, end-begin)
		buffer := bufio.NewReader(section)
		var header format.PageHeader
		if err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(buffer)).Decode(&header); err != nil {
			return err
		}
		at, _ := section.Seek(0, io.SeekCurrent)
		begin += at - int64(buffer.Buffered())
		packed, unpacked := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
		if packed < 0 || unpacked < 0 || packed > end-begin || unpacked > min(mostPage, max(leastPage, packed*mostRatio)) {
			return fmt.Errorf("a page claims %d bytes of %d", unpacked, packed)
		}
		held, plain := header.DictionaryPageHeader.V.NumValues, int64(0)
		switch {
		case header.DataPageHeader.Valid:
			held = header.DataPageHeader.V.NumValues
		case header.DataPageHeaderV2.Valid:
			v2 := header.DataPageHeaderV2.V
			held, plain = v2.NumValues, int64(v2.RepetitionLevelsByteLength)+int64(v2.DefinitionLevelsByteLength)
		}
		if held < 0 || int64(held) > rows || plain < 0 || plain > packed {
			return fmt.Errorf("a page claims %d values", held)
		}
		if c.Codec == format.Lz4Raw {
			if err := unpacksLZ4(r, begin+plain, packed-plain, unpacked-plain); err != nil {
				return err
			}
		}
		begin += packed
	}
	return nil
}

// unpacksLZ4 finds a damaged page: parquet-go doubles its buffer until the page fits, so that of a damaged one has no end.
func unpacksLZ4(r io.ReaderAt, at, packed, unpacked int64) error {
	from, to := make([]byte, packed), make([]byte, max(unpacked, 0))
	if _, err := r.ReadAt(from, at); err != nil {
		return err
	}
	_, err := lz4.UncompressBlock(from, to)
	return err
}

// checkGroups checks the pages of all columns of a file.
func checkGroups(r io.ReaderAt, size int64, file *parquet.File) error {
	if rows := file.NumRows(); rows < 0 || rows > max(1<<20, size*mostRatio) {
		return fmt.Errorf("it claims %d rows", rows)
	}
	for _, g := range file.Metadata().RowGroups {
		for i := range g.Columns {
			if c := &g.Columns[i]; c.CryptoMetadata.Value == nil {
				if err := checkPages(r, size, &c.MetaData, file.NumRows()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
