// Package parquet reads files of Parquet. Begin with an import for its effect: [parcorels/table] then opens such files.
package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"parcorels/table"
)

func init() { table.Register("Parquet", open) }

// An Error says why a file of Parquet cannot be read.
type Error struct {
	Column string // "": the file as a whole
	Reason string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Column == "" {
		return "this file of Parquet " + e.Reason
	}
	return fmt.Sprintf("column %s of this file of Parquet %s", strconv.Quote(e.Column), e.Reason)
}

// open reads the description of a file of Parquet of so many bytes, whose columns are to be flat, and returns the text
// of its rows. The index that pandas wrote beside the columns is left out. The error is a *Error.
func open(r io.ReaderAt, size int64) (text io.Reader, err error) {
	defer recovered(&err)
	damaged := func(err error) error { return &Error{Reason: "is damaged: " + err.Error()} }
	if err := fits(r, size); err != nil {
		return nil, damaged(err)
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		if strings.Contains(err.Error(), "DecryptionConfig") {
			return nil, &Error{Reason: "is encrypted: decrypt it first"}
		}
		return nil, damaged(err)
	}
	rows := &parquetRows{groups: file.RowGroups(), read: make([]parquet.Row, 0, 1<<8)}
	var names []string
	for _, c := range file.Root().Columns() {
		if isIndex(c.Name()) {
			continue
		}
		if what := nested(c); what != "" {
			return nil, &Error{c.Name(), "has a " + what + " in a cell: take it apart into columns of one value a cell, or leave " +
				"it out"}
		}
		for _, g := range file.Metadata().RowGroups {
			if at := c.Index(); at < len(g.Columns) && g.Columns[at].CryptoMetadata.Value != nil {
				return nil, &Error{c.Name(), "is encrypted: decrypt it, or leave it out"}
			}
		}
		text := textOf(c.Type())
		if text == nil {
			return nil, &Error{c.Name(), fmt.Sprintf("is of type %v, which is neither a number, a truth value, a text nor a "+
				"time: leave it out", c.Type())}
		}
		names, rows.columns = append(names, c.Name()), append(rows.columns, parquetColumn{c.Name(), c.Index(), text})
	}
	if err := checkGroups(r, size, file); err != nil {
		return nil, damaged(err)
	}
	if len(names) == 0 {
		return nil, &Error{Reason: "has no column"}
	}
	return table.NewCanonical(names, rows.add), nil
}

// fits finds a description that claims to be longer than the file: parquet-go allocates what it claims.
func fits(r io.ReaderAt, size int64) error {
	if size < 12 {
		return errors.New("it ends too early")
	}
	var end [8]byte // the length of the description, and the magic
	if _, err := r.ReadAt(end[:], size-int64(len(end))); err != nil {
		return err
	}
	if length := int64(binary.LittleEndian.Uint32(end[:])); length > size-12 {
		return fmt.Errorf("its description of %d bytes is longer than the file", length)
	}
	return nil
}

// isIndex reports whether a column is the index that pandas wrote beside the table's own columns.
func isIndex(name string) bool {
	number, ok := strings.CutPrefix(name, "__index_level_")
	return ok && strings.Trim(strings.TrimSuffix(number, "__"), "0123456789") == ""
}

// nested names what a cell of a column holds if that is more than a value; "" otherwise.
func nested(c *parquet.Column) string {
	switch {
	case c.Leaf() && !c.Repeated():
		return ""
	case c.Leaf():
		return "list"
	}
	kind := c.Type().LogicalType()
	if kind == nil || kind.Value == nil {
		return "struct"
	}
	return strings.ToLower(kind.String())
}

// parquetRows are the rows of the columns of a file.
type parquetRows struct {
	columns []parquetColumn
	groups  []parquet.RowGroup // are to be read
	group   parquet.Rows       // at hand; nil: none
	read    []parquet.Row      // of it
	at      int                // the row at hand of these
	end     error              // behind read
	cell    []byte             // room for one
}

// parquetColumn is a column that is read.
type parquetColumn struct {
	name string
	at   int // its place among all of the file
	text valueText
}

// valueText appends the text of a value that is not null.
type valueText func(to []byte, v parquet.Value) []byte

// next goes to the next row.
func (p *parquetRows) next() error {
	for p.at++; p.at >= len(p.read); p.at = 0 {
		switch {
		case p.end == io.EOF || p.group == nil:
			if p.group != nil {
				_ = p.group.Close() // it was only read from
			}
			if len(p.groups) == 0 {
				return io.EOF
			}
			p.group, p.groups, p.end = p.groups[0].Rows(), p.groups[1:], nil
		case p.end != nil:
			return &Error{Reason: "is damaged: " + p.end.Error()}
		}
		var n int
		p.read = p.read[:cap(p.read)]
		if n, p.end = p.group.ReadRows(p.read); n == 0 && p.end == nil {
			p.end = io.ErrNoProgress
		}
		p.read = p.read[:n]
	}
	return nil
}

// add adds the cells of the next row to a text.
func (p *parquetRows) add(to *table.Canonical) (err error) {
	defer recovered(&err)
	if err := p.next(); err != nil {
		return err
	}
	for i, c := range p.columns {
		v := p.read[p.at][c.at]
		if p.cell = p.cell[:0]; !v.IsNull() {
			p.cell = c.text(p.cell, v)
		}
		if v.Kind() == parquet.ByteArray {
			if problem := table.CheckText(string(p.cell)); problem != nil {
				return &Error{c.name, "is damaged: " + problem.Error()}
			}
		}
		to.Add(i, p.cell)
	}
	return nil
}

// textOf returns how values of a type are written; nil: they are not read. Times of day are numbers of hours, dates and
// timestamps texts to the second, in UTC where they have a time zone.
func textOf(t parquet.Type) valueText {
	var logical format.LogicalTypeValue
	if t.LogicalType() != nil {
		logical = t.LogicalType().Value
	}
	whole := parquet.Value.Int64
	if t.Kind() == parquet.Int32 {
		whole = func(v parquet.Value) int64 { return int64(v.Int32()) }
	}
	switch l := logical.(type) {
	case *format.DecimalType:
		return func(to []byte, v parquet.Value) []byte { return table.AppendFloat(to, decimalFloat(v, l.Scale)) }
	case *format.DateType:
		return func(to []byte, v parquet.Value) []byte { return table.AppendTime(to, int64(v.Int32())*secondsOfDay) }
	case *format.TimestampType:
		unit := int64(time.Second / l.Unit.Value.Duration())
		return func(to []byte, v parquet.Value) []byte {
			return table.AppendTime(to, v.Int64()/unit+v.Int64()%unit>>63) // rounded down: 1969 ends before 1970
		}
	case *format.TimeType:
		hour := float64(time.Hour / l.Unit.Value.Duration())
		return func(to []byte, v parquet.Value) []byte { return table.AppendFloat(to, float64(whole(v))/hour) }
	case *format.IntType:
		switch {
		case !l.IsSigned && t.Kind() == parquet.Int32:
			return func(to []byte, v parquet.Value) []byte { return strconv.AppendUint(to, uint64(v.Uint32()), 10) }
		case !l.IsSigned:
			return func(to []byte, v parquet.Value) []byte { return strconv.AppendUint(to, v.Uint64(), 10) }
		}
	case *format.StringType, *format.EnumType, *format.JsonType, *format.NullType, nil:
	default:
		return nil
	}
	switch t.Kind() {
	case parquet.Boolean:
		return func(to []byte, v parquet.Value) []byte { return table.AppendBool(to, v.Boolean()) }
	case parquet.Int32, parquet.Int64:
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendInt(to, whole(v), 10) }
	case parquet.Int96: // what Spark and Impala wrote: nanoseconds of a day, and a Julian day
		return func(to []byte, v parquet.Value) []byte {
			x := v.Int96()
			const unixEpoch = 2440588
			nanoseconds := int64(x[1])<<32 | int64(x[0])
			return table.AppendTime(to, (int64(x[2])-unixEpoch)*secondsOfDay+nanoseconds/int64(time.Second))
		}
	case parquet.Float:
		return func(to []byte, v parquet.Value) []byte { return table.AppendFloat(to, float64(v.Float())) }
	case parquet.Double:
		return func(to []byte, v parquet.Value) []byte { return table.AppendFloat(to, v.Double()) }
	case parquet.ByteArray:
		if logical != nil {
			return func(to []byte, v parquet.Value) []byte { return append(to, v.ByteArray()...) }
		}
	}
	return nil
}

const secondsOfDay = 24 * 60 * 60

// decimalFloat returns the float nearest to a decimal with so many digits behind the point.
func decimalFloat(v parquet.Value, scale int32) float64 {
	var digits string
	switch v.Kind() {
	case parquet.Int32:
		digits = strconv.FormatInt(int64(v.Int32()), 10)
	case parquet.Int64:
		digits = strconv.FormatInt(v.Int64(), 10)
	default: // in two's complement, the highest byte first
		b := v.ByteArray()
		x := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), 8*uint(len(b))))
		}
		digits = x.String()
	}
	f, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(int(-scale)), 64) // ±Inf of one that is too large
	return f + 0
}

// recovered makes an error of a panic: parquet-go may panic on damaged files.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = &Error{Reason: fmt.Sprintf("is damaged: %v", r)}
	}
}
