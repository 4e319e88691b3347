package table

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"golang.org/x/sync/errgroup"

	"parcorels/internal/loop"
	"parcorels/optionerr"
)

// parquetTable is a file of Parquet whose columns are flat.
type parquetTable struct {
	names []string // of the columns, without the index that pandas wrote beside them
	rows  int

	file    *parquet.File
	columns []*parquet.Column
}

// A ParquetError says why a file of Parquet cannot be read.
type ParquetError struct {
	Column string // "": the file as a whole
	Reason string
}

// Error implements error.
func (e *ParquetError) Error() string {
	if e.Column == "" {
		return "this file of Parquet " + e.Reason
	}
	return fmt.Sprintf("column %s of this file of Parquet %s", strconv.Quote(e.Column), e.Reason)
}

// The first bytes of a file of Parquet, and of one whose description is encrypted.
const (
	parquetMagic   = "PAR1"
	encryptedMagic = "PARE"
)

// openParquet reads the description of a file of Parquet of so many bytes. The error is a *ParquetError.
func openParquet(r io.ReaderAt, size int64) (p *parquetTable, err error) {
	defer recovered(&err, "")
	head := make([]byte, len(encryptedMagic))
	if _, err := r.ReadAt(head, 0); err == nil && string(head) == encryptedMagic {
		return nil, &ParquetError{Reason: "is encrypted: decrypt it first"}
	}
	if size < 12 {
		return nil, &ParquetError{Reason: "is damaged: it ends too early"}
	}
	if err := fits(r, size); err != nil {
		return nil, &ParquetError{Reason: "is damaged: " + err.Error()}
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		if strings.Contains(err.Error(), "DecryptionConfig") { // a description that is signed
			return nil, &ParquetError{Reason: "is encrypted: decrypt it first"}
		}
		return nil, &ParquetError{Reason: "is damaged: " + err.Error()}
	}
	p = &parquetTable{file: file, rows: int(file.NumRows())}
	for _, c := range file.Root().Columns() {
		if isIndex(c.Name()) {
			continue
		}
		if what := nested(c); what != "" {
			return nil, &ParquetError{c.Name(), "has a " + what + " in a cell: take it apart into columns of one value a cell, or leave " +
				"it out"}
		}
		for _, g := range file.Metadata().RowGroups {
			if at := c.Index(); at < len(g.Columns) && g.Columns[at].CryptoMetadata.Value != nil {
				return nil, &ParquetError{c.Name(), "is encrypted: decrypt it, or leave it out"}
			}
		}
		if meaningOf(c.Type()).read == nil {
			return nil, &ParquetError{c.Name(), fmt.Sprintf("is of type %v, which is neither a number, a truth value, a text nor a "+
				"time: leave it out", c.Type())}
		}
		p.names, p.columns = append(p.names, c.Name()), append(p.columns, c)
	}
	if err := checkGroups(r, size, file); err != nil {
		return nil, &ParquetError{Reason: "is damaged: " + err.Error()}
	}
	return p, nil
}

// fits finds a description that claims to be longer than the file: parquet-go allocates what it claims.
func fits(r io.ReaderAt, size int64) error {
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
	if kind := c.Type().LogicalType(); kind != nil {
		switch kind.Value.(type) {
		case *format.ListType:
			return "list"
		case *format.MapType:
			return "map"
		}
	}
	return "struct"
}

// column reads the cells of column i. The error is a *ParquetError.
func (p *parquetTable) column(i int) (c *Cells, err error) {
	name := p.names[i]
	defer recovered(&err, name)
	m := meaningOf(p.columns[i].Type())
	if m.unsigned && p.beyondInt64(i) {
		m = texts(func(v parquet.Value) string { return strconv.FormatUint(v.Uint64(), 10) })
	}
	c = &Cells{}
	read := m.read(c)
	row := 0
	err = p.each(i, func(values []parquet.Value) error {
		for _, v := range values {
			if v.IsNull() {
				c.setMissing(row)
			}
			if err := read(v); err != nil {
				return err
			}
			row++
		}
		return nil
	})
	if err == nil && row != p.rows {
		err = fmt.Errorf("it has %d cells and the table %d rows", row, p.rows)
	}
	if err != nil {
		return nil, &ParquetError{name, "is damaged: " + err.Error()}
	}
	return c, nil
}

// each calls f with the values of a column, some at a time.
func (p *parquetTable) each(i int, f func([]parquet.Value) error) error {
	buffer := make([]parquet.Value, 1<<10)
	pageOf := func(pages parquet.Pages) error {
		page, err := pages.ReadPage()
		if err != nil {
			return err
		}
		defer parquet.Release(page)
		for values := page.Values(); ; {
			n, err := values.ReadValues(buffer)
			if failed := f(buffer[:n]); failed != nil {
				return failed
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	for _, group := range p.file.RowGroups() {
		pages := group.ColumnChunks()[p.columns[i].Index()].Pages()
		var err error
		for err == nil {
			err = pageOf(pages)
		}
		if err = errors.Join(noEnd(err), pages.Close()); err != nil {
			return err
		}
	}
	return nil
}

// noEnd is err, but nil at the end of a file.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// beyondInt64 reports whether a column of unsigned integers has one that no int64 is.
func (p *parquetTable) beyondInt64(i int) (beyond bool) {
	_ = p.each(i, func(values []parquet.Value) error { // column meets the error again
		for _, v := range values {
			beyond = beyond || !v.IsNull() && v.Uint64() > math.MaxInt64
		}
		return nil
	})
	return beyond
}

// meaning is how values of a type are read.
type meaning struct {
	read     func(c *Cells) func(parquet.Value) error // appends a value to the cells; nil: no such values are read
	unsigned bool                                     // integers of 64 bits without a sign
}

func ints(of func(parquet.Value) int64) meaning {
	return meaning{read: func(c *Cells) func(parquet.Value) error {
		c.Ints = []int64{}
		return func(v parquet.Value) error {
			x := int64(0)
			if !v.IsNull() {
				x = of(v)
			}
			c.Ints = append(c.Ints, x)
			return nil
		}
	}}
}

func floats(of func(parquet.Value) float64) meaning {
	return meaning{read: func(c *Cells) func(parquet.Value) error {
		c.Floats = []float64{}
		return func(v parquet.Value) error {
			x := math.NaN()
			if !v.IsNull() {
				x = of(v)
			}
			c.Floats = append(c.Floats, x)
			return nil
		}
	}}
}

func bools(c *Cells) func(parquet.Value) error {
	c.Bools = []bool{}
	return func(v parquet.Value) error {
		c.Bools = append(c.Bools, !v.IsNull() && v.Boolean())
		return nil
	}
}

// texts reads values as texts, those of integers once each.
func texts(of func(parquet.Value) string) meaning {
	return meaning{read: func(c *Cells) func(parquet.Value) error {
		c.Codes = []int32{}
		codes, known := map[string]int32{}, map[int64]int32{}
		enter := func(text string) (int32, error) {
			code, ok := codes[text]
			if !ok {
				if problem := checkText(text); problem != nil {
					return 0, problem
				}
				code = int32(len(c.Texts))
				c.Texts = append(c.Texts, text)
				codes[text] = code
			}
			return code, nil
		}
		return func(v parquet.Value) (err error) {
			code, ok := int32(0), v.IsNull()
			switch {
			case ok:
			case v.Kind() == parquet.ByteArray:
				if code, ok = codes[string(v.ByteArray())]; !ok {
					code, err = enter(string(v.ByteArray()))
				}
			case v.Kind() == parquet.Int96:
				code, err = enter(of(v))
			default:
				key := v.Int64()
				if code, ok = known[key]; !ok {
					code, err = enter(of(v))
					known[key] = code
				}
			}
			c.Codes = append(c.Codes, code)
			return err
		}
	}}
}

// meaningOf returns how values of a type are read. Times of day are numbers of hours, dates and timestamps texts to the
// second, in UTC where they have a time zone.
func meaningOf(t parquet.Type) meaning {
	var logical format.LogicalTypeValue
	if t.LogicalType() != nil {
		logical = t.LogicalType().Value
	}
	whole := func(v parquet.Value) int64 { return v.Int64() }
	if t.Kind() == parquet.Int32 {
		whole = func(v parquet.Value) int64 { return int64(v.Int32()) }
	}
	switch l := logical.(type) {
	case *format.DecimalType:
		return floats(func(v parquet.Value) float64 { return decimalFloat(v, l.Scale) })
	case *format.DateType:
		return texts(func(v parquet.Value) string { return timeText(time.Unix(int64(v.Int32())*secondsOfDay, 0)) })
	case *format.TimestampType:
		unit := int64(time.Second / l.Unit.Value.Duration())
		return texts(func(v parquet.Value) string { return timeText(time.Unix(floorDiv(v.Int64(), unit), 0)) })
	case *format.TimeType:
		hour := float64(time.Hour / l.Unit.Value.Duration())
		return floats(func(v parquet.Value) float64 { return float64(whole(v)) / hour })
	case *format.Float16Type:
		return floats(func(v parquet.Value) float64 { return float16(v.ByteArray()) })
	case *format.IntType:
		switch {
		case !l.IsSigned && t.Kind() == parquet.Int32:
			return ints(func(v parquet.Value) int64 { return int64(v.Uint32()) })
		case !l.IsSigned:
			m := ints(whole)
			m.unsigned = true
			return m
		}
		return ints(whole)
	case *format.StringType, *format.EnumType, *format.JsonType, *format.NullType, nil:
	default:
		return meaning{}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return meaning{read: bools}
	case parquet.Int32, parquet.Int64:
		return ints(whole)
	case parquet.Int96: // what Spark and Impala wrote: nanoseconds of a day, and a Julian day
		return texts(func(v parquet.Value) string {
			x := v.Int96()
			const unixEpoch = 2440588
			nanoseconds := int64(x[1])<<32 | int64(x[0])
			return timeText(time.Unix((int64(x[2])-unixEpoch)*secondsOfDay+nanoseconds/int64(time.Second), 0))
		})
	case parquet.Float:
		return floats(func(v parquet.Value) float64 { return float64(v.Float()) })
	case parquet.Double:
		return floats(parquet.Value.Double)
	case parquet.ByteArray:
		if logical != nil {
			return texts(nil)
		}
	}
	return meaning{}
}

const secondsOfDay = 24 * 60 * 60

// floorDiv is a/b rounded down; b is positive.
func floorDiv(a, b int64) int64 {
	if q := a / b; q*b <= a {
		return q
	}
	return a/b - 1
}

// timeText writes a time to the second, without the time of day at midnight.
func timeText(t time.Time) string {
	t = t.UTC()
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.DateTime)
}

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

// float16 returns the number that two bytes of IEEE 754 are.
func float16(b []byte) float64 {
	x := binary.LittleEndian.Uint16(b)
	exponent, fraction := int(x>>10&0x1f), float64(x&0x3ff)/(1<<10)
	v := math.Ldexp(fraction, -14)
	switch {
	case exponent == 0x1f && fraction == 0:
		v = math.Inf(1)
	case exponent == 0x1f:
		v = math.NaN()
	case exponent > 0:
		v = math.Ldexp(1+fraction, exponent-15)
	}
	if x>>15 == 1 {
		return 0 - v
	}
	return v
}

// recovered makes an error of a panic: parquet-go may panic on damaged files.
func recovered(err *error, column string) {
	if r := recover(); r != nil {
		*err = &ParquetError{column, fmt.Sprintf("is damaged: %v", r)}
	}
}

// OpenFile opens a file for reading. Its error has the path once.
func OpenFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return nil, fmt.Errorf("%s: %w", path, fault.Err)
	}
	return f, err
}

// IsParquet reports whether a file begins as one of Parquet.
func IsParquet(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false // a pipe cannot be read twice
	}
	var head [len(parquetMagic)]byte
	_, _ = f.ReadAt(head[:], 0) // what is wrong is met again
	magic := string(head[:])
	return magic == parquetMagic || magic == encryptedMagic
}

// parquetRows reads the description of a file of Parquet.
func parquetRows(f *os.File, name string, o Options) (*Rows, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := openParquet(f, info.Size())
	switch {
	case err != nil:
		return nil, err
	case p.rows == 0 || len(p.names) == 0:
		return nil, errors.New("there is no row of data")
	case p.rows > maxRows:
		return nil, fmt.Errorf("%d rows, more than %d", p.rows, maxRows)
	case o.Comma != 0:
		return nil, optionerr.Errorf("Comma", "a separator is an option for text, this is a file of Parquet")
	case o.NoHeader:
		return nil, optionerr.Errorf("NoHeader", "no header is an option for text, this is a file of Parquet")
	}
	read := func() ([]*Cells, error) {
		all, errs := make([]*Cells, len(p.names)), make([]error, len(p.names))
		loop.Parallel(len(all), func(i int) { all[i], errs[i] = p.column(i) })
		return all, cmp.Or(errs...)
	}
	columns := func(keep []Keep) (*Table, error) {
		t, errs := &Table{Columns: make([]*Column, len(p.names)), Rows: p.rows}, make([]error, len(p.names))
		var g errgroup.Group
		if !o.NoHash {
			g.Go(func() (err error) {
				t.Hash, err = hashOf(io.NewSectionReader(f, 0, info.Size()))
				return err
			})
		}
		loop.Parallel(len(p.names), func(i int) {
			if keep[i] == KeepNothing {
				return
			}
			var c *Cells
			if c, errs[i] = p.column(i); errs[i] == nil {
				t.Columns[i] = c.column(keep[i], o.Missing, p.rows)
			}
		})
		err := cmp.Or(cmp.Or(errs...), g.Wait(), checkMemory(t.Columns, o.Memory))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return t, nil
	}
	return cellRows(name, p.names, p.rows, read, columns)
}
