package dataset

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"io"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fields finds the cells of the rows of a chunk. It looks at eight bytes at a
// time for what separates. From the first row on that is not plainly right, a chunk is
// left to encoding/csv.
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
	f := &fields{comma: comma, width: width, trim: trimsSpace(comma)}
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
	at := 0
	if f.plain {
		at = f.plainRows(length)
	}
	if at < length && f.fault == nil {
		f.parseCSV(at)
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
// neither quotes nor line ends. It returns where the row behind them begins.
func (f *fields) plainRows(length int) (row int) {
	f.room()
	text, width, comma := f.text, f.width, byte(f.comma)
	low, separator := f.low, f.separator
	cells := f.cells[len(f.cells) : len(f.cells)+width]
	begin, column, state := 0, 0, bare
	for at := 0; at < length; at += 8 {
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
	if bytes.IndexByte(text[row:length], '"') < 0 {
		return length // a row without an end
	}
	return row
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

// raw returns a cell, given the text: what is not in quotes begins behind the space
// before it.
func (f *fields) raw(text string, row, column int) string {
	c := f.cells[row*f.width+column]
	cell := text[c.begin:c.end]
	if !f.trim || int(c.begin) >= f.length || c.begin > 0 && text[c.begin-1] == '"' {
		return cell
	}
	return strings.TrimLeftFunc(cell, unicode.IsSpace)
}

// parseCSV leaves the rows from at on to encoding/csv, which says what they mean or
// what is wrong with the first that is none. A chunk has few rows behind an odd one,
// or many that are odd.
func (f *fields) parseCSV(at int) {
	text := f.text[at : f.length-f.added]
	end := f.end
	if end == nil {
		end = io.EOF
	}
	r := csv.NewReader(io.MultiReader(bytes.NewReader(text), ending{end}))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = f.comma, -1, f.trim, true
	line := f.line
	for {
		begin := r.InputOffset()
		record, err := r.Read()
		if err != nil {
			if err != end && f.wholeRow(text[begin:]) {
				f.fault = &rowFault{line: line, err: err}
			}
			break
		}
		first, _ := r.FieldPos(0)
		f.line = line + uint32(first-1)
		if len(record) != f.width {
			f.fault = &rowFault{line: f.line, cells: len(record)}
			return
		}
		f.room()
		for _, cell := range record {
			f.cells = append(f.cells, f.store(cell))
		}
		f.lines = append(f.lines, f.line)
		f.rows++
	}
	f.line = line + uint32(bytes.Count(text, []byte{'\n'}))
}

// wholeRow reports whether a fault in the row that a text begins with counts. In a row
// that is cut off because the file cannot be read on, that is the fault; if it is too
// long, a stray quote may be why.
func (f *fields) wholeRow(text []byte) bool {
	if f.end == nil || f.end == io.EOF || f.end == errLongRow || f.end == errManyFields {
		return true
	}
	n, _ := cutRows(text, f.comma)
	return n > 0
}

// store puts a text behind that of the chunk.
func (f *fields) store(made string) cellSpan {
	begin := len(f.text) - len(padding)
	f.text = append(append(f.text[:begin], made...), padding[:]...)
	return cellSpan{uint32(begin), uint32(begin + len(made))}
}

// ending is a reader of nothing.
type ending struct{ err error }

func (e ending) Read([]byte) (int, error) { return 0, e.err }

// What no text of a row is read for. The reader adds where the row stands.
var (
	errLongRow    = errors.New("long row")
	errManyFields = errors.New("many fields")
)

// cutRows cuts a table between rows. A line end is between rows if an even number of
// quotes is before it: quotes stand in pairs around a field, and in pairs inside one.
// That holds up to the first row with a stray quote, which is an error, so that no
// chunk behind the one with this row matters.
func cutRows(text []byte, comma rune) (n int, err error) {
	odd := bytes.Count(text, []byte{'"'})&1 == 1
	for end := len(text); end > 0; {
		line := bytes.LastIndexByte(text[:end], '\n')
		if line < 0 {
			break
		}
		if bytes.Count(text[line:end], []byte{'"'})&1 == 1 {
			odd = !odd
		}
		if !odd {
			return line + 1, nil
		}
		end = line
	}
	switch {
	case len(text) > maxRow:
		return 0, errLongRow
	case bytes.Count(text, []byte(string(comma))) > maxCut:
		return 0, errManyFields
	}
	return 0, nil
}
