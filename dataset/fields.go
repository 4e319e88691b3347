package dataset

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"io"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// fields finds the cells of the rows of a chunk. It looks at eight bytes at a
// time for what separates; only fields in quotes are gone through one by one.
// A row that is not plainly right is left to encoding/csv, which decides what it
// means or what is wrong with it.
type fields struct {
	_         [128]byte // what another worker writes to is in other lines of the cache
	comma     rune
	trim      bool // space before a field does not count
	plain     bool // the separator is one byte that is no space to be trimmed
	width     int  // cells of a row
	separator uint64
	low       uint64 // 0x80 less a bound on line ends and quotes, in each byte

	text   []byte     // of the chunk; what unquoting makes is behind it
	end    error      // of the file behind the chunk
	cells  []cellSpan // width of each row
	lines  []uint32   // on which rows begin, counted from the beginning of the chunk
	line   uint32     // of what comes next
	added  int        // bytes of a line end that the file lacks
	length int        // of the text that was cut; what unquoting makes is behind it
	rows   int
	fault  *rowFault // of the row behind them
	_      [128]byte
}

// padding is behind the text, so that 16 bytes can be loaded from anywhere.
var padding [16]byte

// cellSpan is a cell: text[begin:end].
type cellSpan struct{ begin, end uint32 }

// rowFault is a row that is none.
type rowFault struct {
	line  uint32 // on which it begins, counted from the beginning of the chunk
	cells int    // how many it has; 0: see err
	err   error  // of encoding/csv
}

func newFields(comma rune, width int) *fields {
	f := &fields{comma: comma, width: width, trim: comma != '\t' && comma != ' '}
	f.plain = comma < utf8.RuneSelf && (!f.trim || !unicode.IsSpace(comma))
	f.separator = uint64(byte(comma)) * each
	f.low = (0x80 - ('"' + 1)) * each
	return f
}

const (
	each     = 0x0101010101010101
	lowSeven = 0x7f * each
	highest  = 0x80 * each
)

// zeroBytes returns 0x80 in each byte of x that is 0.
func zeroBytes(x uint64) uint64 {
	return ^((x&lowSeven + lowSeven) | x | lowSeven)
}

// find finds the cells of a chunk.
func (f *fields) find(c chunk) {
	f.text, f.end, f.rows, f.line, f.fault = c.text, c.end, 0, 0, nil
	f.cells, f.lines, f.added = f.cells[:0], f.lines[:0], 0
	length := len(c.text)
	if c.end == io.EOF && length > 0 && c.text[length-1] != '\n' {
		f.text = append(f.text, '\n') // the last line may have no end
		length++
		f.added = 1
	}
	f.text, f.length = append(f.text, padding[:]...), length
	for at := 0; at < length && f.fault == nil; {
		if !f.plain {
			at = f.oddRow(at, length)
			continue
		}
		at = f.plainRows(at, length)
		if at < length && f.fault == nil {
			at = f.quotedRow(at, length)
		}
	}
}

// Where plainRows stands in a cell.
const (
	bare   = iota // in one without quotes, or at its beginning
	inside        // between quotes
	behind        // behind the closing one
)

// plainRows finds the rows up to the first that takes more than a look at each
// separator, line end and quote, or to length: fields in quotes are plain if they hold
// neither quotes nor line ends. It returns where the row behind them begins; a row
// without an end stays.
func (f *fields) plainRows(row, length int) int {
	f.room()
	text, width, comma := f.text, f.width, byte(f.comma)
	low, separator := f.low, f.separator
	cells := f.cells[len(f.cells) : len(f.cells)+width]
	begin, column, state := row, 0, bare
	for at := row; at < length; at += 8 {
		x := binary.LittleEndian.Uint64(text[at:])
		// Bytes below low: line ends, quotes, and others that mean nothing.
		found := ^(x&lowSeven+low|x)&highest | zeroBytes(x^separator)
		for ; found != 0; found &= found - 1 {
			i := at + bits.TrailingZeros64(found)>>3
			c := text[i]
			if c == comma {
				end := i
				if state != bare {
					if state == inside {
						continue
					}
					end--
				}
				if column < width {
					cells[column] = cellSpan{uint32(begin), uint32(end)}
				}
				column++
				begin, state = i+1, bare
				continue
			}
			if c == '"' && i < length {
				switch {
				case state == bare && i == begin:
					begin, state = i+1, inside
				case state == inside && closes(text[i:], comma):
					state = behind
				default:
					return row
				}
				continue
			}
			if c != '\n' || i >= length {
				continue
			}
			end := i
			if end > begin && text[end-1] == '\r' {
				end--
			}
			if state != bare {
				if state == inside {
					return row
				}
				end--
			}
			if !f.endRow(row, begin, end, column+1) {
				return length
			}
			if len(f.cells)+width > cap(f.cells) {
				f.room()
			}
			cells = f.cells[len(f.cells) : len(f.cells)+width]
			row, column, state = i+1, 0, bare
			begin = row
		}
	}
	if row < length {
		if bytes.IndexByte(text[row:length], '"') >= 0 {
			return row
		}
		f.partRow(row, length)
	}
	return length
}

// closes reports whether the quote that a text begins with ends a field.
func closes(text []byte, comma byte) bool {
	c := text[1]
	return c == comma || c == '\n' || c == '\r' && text[2] == '\n'
}

// room makes room for the cells of a row.
func (f *fields) room() {
	if need := len(f.cells) + f.width; need > cap(f.cells) {
		f.cells = append(make([]cellSpan, 0, max(need, 2*cap(f.cells))), f.cells...)
	}
}

// endRow adds the row of so many cells that begins at row, with its last cell
// from begin to end, unless it is empty. It reports whether it is a row.
func (f *fields) endRow(row, begin, end, cells int) bool {
	if end == row {
		f.line++
		return true
	}
	if cells != f.width {
		f.fault = &rowFault{line: f.line, cells: cells}
		return false
	}
	f.cells = f.cells[:len(f.cells)+f.width]
	f.cells[len(f.cells)-1] = cellSpan{uint32(begin), uint32(end)}
	f.lines = append(f.lines, f.line)
	f.rows++
	f.line++
	return true
}

// quotedRow finds the row that begins at row and has a quote in its first line.
// It returns where the next begins.
func (f *fields) quotedRow(row, length int) int {
	if f.end != nil && f.end != io.EOF && !endsRow(f.text[row:length]) {
		f.partRow(row, length)
		return length
	}
	f.room()
	first, lines, at := len(f.cells), f.line, row
	for column := 0; column < f.width; column++ {
		s, next, ok := f.field(at, length)
		last := ok && f.text[next] == '\n'
		if !ok || last != (column == f.width-1) {
			break
		}
		f.cells = append(f.cells, s)
		if at = next + 1; last {
			f.lines = append(f.lines, lines)
			f.line++
			f.rows++
			return at
		}
	}
	f.cells, f.line = f.cells[:first], lines
	return f.oddRow(row, length)
}

// endsRow reports whether a text with an even number of quotes is complete.
func endsRow(text []byte) bool {
	n, _, _ := rowCutter{comma: []byte{','}}.cut(text, false)
	return n > 0
}

// field finds the field that begins at at, in quotes or not, and the separator
// or line end behind it. It is not ok if there is anything odd about it.
func (f *fields) field(at, length int) (s cellSpan, next int, ok bool) {
	if f.trim {
		for at < length && f.text[at] == ' ' {
			at++
		}
	}
	if f.text[at] != '"' {
		for i := at; i < length; i++ {
			switch c := f.text[i]; {
			case c == byte(f.comma), c == '\n':
				end := i
				if c == '\n' && end > at && f.text[end-1] == '\r' {
					end--
				}
				return cellSpan{uint32(at), uint32(end)}, i, true
			case c == '"', c >= utf8.RuneSelf && i == at:
				return s, 0, false
			}
		}
		return s, 0, false
	}
	doubled := false
	for i := at + 1; ; i += 2 {
		n := bytes.IndexByte(f.text[i:length], '"')
		if n < 0 || i+n+1 >= length {
			return s, 0, false
		}
		i += n
		if f.text[i+1] == '"' {
			doubled = true
			continue
		}
		next = i + 1
		if f.text[next] == '\r' && next+1 < length && f.text[next+1] == '\n' {
			next++
		}
		if c := f.text[next]; c != '\n' && (c != byte(f.comma) || next != i+1) {
			return s, 0, false
		}
		return f.unquoted(at+1, i, doubled), next, true
	}
}

// raw returns a cell as a row-wise reader does: what is not in quotes begins
// behind the space before it.
func (f *fields) raw(row, column int) string {
	c := f.cells[row*f.width+column]
	cell := string(f.text[c.begin:c.end])
	if !f.trim || int(c.begin) >= f.length || c.begin > 0 && f.text[c.begin-1] == '"' {
		return cell
	}
	return trimLeft(cell)
}

// unquoted is the text between quotes. What has doubled quotes or line ends of
// two characters is made anew, behind the text.
func (f *fields) unquoted(begin, end int, doubled bool) cellSpan {
	inner := f.text[begin:end]
	ends := bytes.Count(inner, []byte{'\n'})
	f.line += uint32(ends)
	if !doubled && (ends == 0 || !bytes.Contains(inner, []byte("\r\n"))) {
		return cellSpan{uint32(begin), uint32(end)}
	}
	made := bytes.ReplaceAll(inner, []byte(`""`), []byte(`"`))
	return f.store(bytes.ReplaceAll(made, []byte("\r\n"), []byte("\n")))
}

// store puts a text behind that of the chunk.
func (f *fields) store(made []byte) cellSpan {
	begin := len(f.text) - len(padding)
	f.text = append(append(f.text[:begin], made...), padding[:]...)
	return cellSpan{uint32(begin), uint32(begin + len(made))}
}

// oddRow leaves the row at row to encoding/csv and returns where the next
// begins.
func (f *fields) oddRow(row, length int) int {
	at, _ := f.readOdd(row, length, io.EOF)
	return at
}

// partRow looks for a fault in a row that has no end. If it is too long, a stray
// quote may be why; if the file cannot be read on, that is the fault.
func (f *fields) partRow(row, length int) {
	if f.end != errLongRow && f.end != errManyFields || bytes.IndexByte(f.text[row:length], '"') < 0 {
		return
	}
	if _, err := f.readOdd(row, length, f.end); err == f.end {
		f.fault = nil
	}
}

func (f *fields) readOdd(row, length int, end error) (next int, err error) {
	text := f.text[row : length-f.added]
	r := csv.NewReader(io.MultiReader(bytes.NewReader(text), ending{end}))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = f.comma, -1, f.trim
	record, err := r.Read()
	if err == io.EOF && end == io.EOF { // empty lines
		f.line += uint32(bytes.Count(text, []byte{'\n'}))
		return length, nil
	}
	if err != nil {
		f.fault = &rowFault{line: f.line, err: err}
		return length, err
	}
	first, _ := r.FieldPos(0)
	if next = row + int(r.InputOffset()); next == length-f.added {
		next = length
	}
	line := f.line + uint32(first-1)
	f.line += uint32(bytes.Count(f.text[row:next], []byte{'\n'}))
	if len(record) != f.width {
		f.fault = &rowFault{line: line, cells: len(record)}
		return length, nil
	}
	f.room()
	for _, cell := range record {
		f.cells = append(f.cells, f.store([]byte(cell)))
	}
	f.lines = append(f.lines, line)
	f.rows++
	return next, nil
}

// ending is a reader of nothing.
type ending struct{ err error }

func (e ending) Read([]byte) (int, error) { return 0, e.err }
