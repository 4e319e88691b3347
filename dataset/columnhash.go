package dataset

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash"
	"io"
	"strings"
)

// canonicalHash returns the hash of a table of columns: that of its text as
// CSV. The text has commas, lines that end in \n, a header, and quotes around
// those cells only that hold a comma, a quote or a line end. A number has the
// fewest digits that read back as it, a truth value is True or False, and a
// missing value is empty.
func canonicalHash(d hash.Hash, names []string, blocks []*block, rows int) string {
	if d != nil {
		writeCanonical(d, names, blocks, rows)
	}
	return hashOf(d)
}

func writeCanonical(to io.Writer, names []string, blocks []*block, rows int) {
	out := bufio.NewWriterSize(to, 1<<16)
	cells := make([]cellWriter, len(blocks))
	for i, b := range blocks {
		cells[i] = newCellWriter(b, rows)
	}
	var line []byte
	for i, name := range names {
		line = appendCell(appendComma(line, i), name)
	}
	for row := range rows {
		_, _ = out.Write(append(line, '\n')) // a hash takes all
		line = line[:0]
		for i := range cells {
			line = cells[i].append(appendComma(line, i), row)
		}
	}
	_, _ = out.Write(append(line, '\n'))
	_ = out.Flush()
}

func appendComma(line []byte, column int) []byte {
	if column > 0 {
		return append(line, ',')
	}
	return line
}

// cellWriter writes the cells of a block as they stand in the text. Of a block
// with few values it knows what was written before.
type cellWriter struct {
	block  *block
	values [feedRows]int64 // of the rows at hand
	low    int64
	texts  []cellText // by value − low; nil: each is written anew
}

// cellText is a text of a cell. Most have up to eight bytes, which are copied
// as one.
type cellText struct {
	short uint64
	n     uint32 // bytes; 0: not known yet, or empty
	long  []byte
}

func newCellWriter(b *block, rows int) cellWriter {
	w := cellWriter{block: b}
	low, size := b.span(rows)
	w.low = low
	if size > 0 {
		w.texts = make([]cellText, size)
	}
	return w
}

// append appends the cell of a row; rows come in order.
func (w *cellWriter) append(line []byte, row int) []byte {
	if w.texts == nil {
		return w.write(line, row)
	}
	if row%feedRows == 0 {
		w.block.integers(w.values[:min(feedRows, w.block.rows()-row)], row)
	}
	t := &w.texts[w.values[row%feedRows]-w.low]
	if t.n == 0 {
		before := len(line)
		line = w.write(line, row)
		*t = newCellText(line[before:])
		return line
	}
	if t.long != nil {
		return append(line, t.long...)
	}
	return binary.LittleEndian.AppendUint64(line, t.short)[:len(line)+int(t.n)]
}

func newCellText(text []byte) cellText {
	if len(text) > 8 {
		return cellText{n: uint32(len(text)), long: bytes.Clone(text)}
	}
	var short [8]byte
	copy(short[:], text)
	return cellText{short: binary.LittleEndian.Uint64(short[:]), n: uint32(len(text))}
}

// write appends a cell from its value.
func (w *cellWriter) write(line []byte, row int) []byte {
	b := w.block
	if !b.isText {
		return b.appendText(line, row)
	}
	if code := b.integer(row); code >= 0 {
		return appendCell(line, b.texts[code])
	}
	return line
}

// appendCell appends a text, with quotes if it needs them.
func appendCell(line []byte, text string) []byte {
	if !strings.ContainsAny(text, ",\"\n\r") {
		return append(line, text...)
	}
	line = append(line, '"')
	line = append(line, bytes.ReplaceAll([]byte(text), []byte{'"'}, []byte(`""`))...)
	return append(line, '"')
}
