package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// format is what becomes of the cells of a type: texts if nothing else is said.
type format struct {
	truth   bool  // truth values, if no cell is missing
	integer bool  // integers, if no cell is missing and all fit an int64
	float   bool  // cells can be float64, missing ones NaN
	span    *span // of all integers of the type; nil: not all fit an int64 and a float64
}

// formats are the types of cells that are read. Times of day and durations are numbers of
// hours, dates and times are texts to the second, in UTC where they have a time zone.
var formats = map[arrow.Type]format{
	arrow.NULL: {}, arrow.BOOL: {truth: true},
	arrow.INT8: whole(math.MinInt8, math.MaxInt8), arrow.UINT8: whole(0, math.MaxUint8),
	arrow.INT16: whole(math.MinInt16, math.MaxInt16), arrow.UINT16: whole(0, math.MaxUint16),
	arrow.INT32: whole(math.MinInt32, math.MaxInt32), arrow.UINT32: whole(0, math.MaxUint32),
	arrow.INT64: {integer: true, float: true}, arrow.UINT64: {integer: true, float: true},
	arrow.FLOAT16: {float: true}, arrow.FLOAT32: {float: true}, arrow.FLOAT64: {float: true},
	arrow.DECIMAL32: {float: true}, arrow.DECIMAL64: {float: true}, arrow.DECIMAL128: {float: true}, arrow.DECIMAL256: {float: true},
	arrow.TIME32: {float: true}, arrow.TIME64: {float: true}, arrow.DURATION: {float: true},
	arrow.STRING: {}, arrow.LARGE_STRING: {}, arrow.STRING_VIEW: {}, arrow.DICTIONARY: {},
	arrow.DATE32: {}, arrow.DATE64: {}, arrow.TIMESTAMP: {},
}

func whole(least, most int64) format {
	return format{integer: true, float: true, span: &span{least, most}}
}

// plain returns the cells of an array of an extension type.
func plain(a arrow.Array) arrow.Array {
	if x, ok := a.(array.ExtensionArray); ok {
		return plain(x.Storage())
	}
	return a
}

// parts is how many parts of a column are encoded side by side.
func (c *column) parts() int {
	if c.direct != nil {
		return c.direct.r.NumRowGroups()
	}
	return 1
}

// encode gives the blocks of bytes of a part of a column. They may be used again if the column is direct.
func (c *column) encode(l *layout, part int, yield func([]byte) error) error {
	if c.direct != nil {
		return c.direct.encode(l, part, yield)
	}
	return c.each(func(a arrow.Array) error {
		piece, err := l.cells(plain(a))
		if err != nil {
			return err
		}
		return yield(piece)
	})
}

// cells returns the bytes of the cells of an array.
func (l *layout) cells(a arrow.Array) (piece []byte, err error) {
	switch l.kind {
	case "text8":
		return codes[int8](l, a)
	case "text16":
		return codes[int16](l, a)
	case "text":
		return codes[int32](l, a)
	case "string":
		return plainCells(a)
	case "bool":
		truths := a.(*array.Boolean)
		piece = make([]byte, truths.Len())
		for i := range piece {
			if truths.Value(i) {
				piece[i] = 1
			}
		}
		return piece, nil
	case "float64":
		return floats(a)
	}
	return l.integers(a)
}

// plainCells returns the bytes of texts, each behind its length.
func plainCells(a arrow.Array) (piece []byte, err error) {
	text, err := textsOf(a)
	for i := 0; err == nil && i < a.Len(); i++ {
		cell := missingText
		if !a.IsNull(i) {
			cell = text(i)
		}
		if cell == missingText {
			piece = binary.LittleEndian.AppendUint32(piece, math.MaxUint32)
			continue
		}
		piece = append(binary.LittleEndian.AppendUint32(piece, uint32(len(cell))), cell...)
	}
	return piece, err
}

// codes returns the bytes of the codes of the texts of a dictionary, −1 of a missing one. They are looked up
// once a value.
func codes[T int8 | int16 | int32](l *layout, a arrow.Array) ([]byte, error) {
	cells, d := slices.Repeat([]T{-1}, a.Len()), a.(*array.Dictionary)
	texts, err := dictionary(d)
	if err != nil {
		return nil, err
	}
	of := make([]T, len(texts))
	for i, t := range texts {
		if of[i] = -1; t != missingText {
			of[i] = T(l.texts.code([]byte(t)))
		}
	}
	indices, quick := d.Indices().(*array.Int32)
	for i := range cells {
		switch {
		case a.IsNull(i):
		case quick:
			cells[i] = of[indices.Value(i)]
		default:
			cells[i] = of[d.GetValueIndex(i)]
		}
	}
	return arrow.GetBytes(cells), nil
}

// floats returns the bytes of cells that are numbers, NaN of missing ones. Those of the type
// itself are taken as they are: arrays are little-endian, as the stream is.
func floats(a arrow.Array) (piece []byte, err error) {
	if f, ok := a.(*array.Float64); ok && a.NullN() == 0 {
		return arrow.Float64Traits.CastToBytes(f.Float64Values()), nil
	}
	number, err := numbers(a)
	if err != nil {
		return nil, err
	}
	piece = make([]byte, 0, 8*a.Len())
	for i := range a.Len() {
		v := math.NaN()
		if !a.IsNull(i) {
			v = number(i)
		}
		piece = binary.LittleEndian.AppendUint64(piece, math.Float64bits(v))
	}
	return piece, nil
}

// integers returns the bytes of cells that are integers, none of them missing.
func (l *layout) integers(a arrow.Array) ([]byte, error) {
	switch a := a.(type) {
	case *array.Int32:
		return narrow(l, a.Int32Values())
	case *array.Int64:
		return narrow(l, a.Int64Values())
	}
	whole, err := integers(a)
	if err != nil {
		return nil, err
	}
	values := make([]int64, a.Len())
	for i := range values {
		values[i] = whole(i)
	}
	return narrow(l, values)
}

// narrow returns the bytes of integers, in as few as hold the span of the column.
func narrow[T int32 | int64](l *layout, values []T) ([]byte, error) {
	for _, v := range values {
		if int64(v) < l.span.least || int64(v) > l.span.most {
			return nil, l.outside()
		}
	}
	switch l.kind {
	case "int8":
		return to[int8](values), nil
	case "int16":
		return to[int16](values), nil
	case "int32":
		return to[int32](values), nil
	}
	return to[int64](values), nil
}

// outside is the error of an integer that the span does not hold.
func (l *layout) outside() error {
	return fmt.Errorf("the file says that its numbers are from %d to %d, but one is not", l.span.least, l.span.most)
}

// to returns the bytes of integers as those of a type. Arrays are little-endian, as the stream is.
func to[T int8 | int16 | int32 | int64, F int32 | int64](values []F) []byte {
	cells := make([]T, len(values))
	for i, v := range values {
		cells[i] = T(v)
	}
	return arrow.GetBytes(cells)
}

// wholes returns the cells of an array as integers.
func wholes[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](values []T) func(int) int64 {
	return func(i int) int64 { return int64(values[i]) }
}

// integers returns what gives the cells of an array of integers.
func integers(a arrow.Array) (func(i int) int64, error) {
	switch a := a.(type) {
	case *array.Int8:
		return wholes(a.Int8Values()), nil
	case *array.Int16:
		return wholes(a.Int16Values()), nil
	case *array.Int32:
		return wholes(a.Int32Values()), nil
	case *array.Int64:
		return wholes(a.Int64Values()), nil
	case *array.Uint8:
		return wholes(a.Uint8Values()), nil
	case *array.Uint16:
		return wholes(a.Uint16Values()), nil
	case *array.Uint32:
		return wholes(a.Uint32Values()), nil
	case *array.Uint64:
		return wholes(a.Uint64Values()), nil
	}
	return nil, fmt.Errorf("cells of type %s are no integers", a.DataType().Name())
}

// numbers returns what gives the cells of an array of numbers, also of those that stand for
// hours.
func numbers(a arrow.Array) (func(i int) float64, error) {
	hours := func(n int64, unit arrow.TimeUnit) float64 {
		return float64(n) / (float64(time.Hour) / float64(unit.Multiplier()))
	}
	if number := decimals(a); number != nil {
		return number, nil
	}
	switch a := a.(type) {
	case *array.Float64:
		return a.Value, nil
	case *array.Float32:
		return func(i int) float64 { return float64(a.Value(i)) }, nil
	case *array.Float16:
		return func(i int) float64 { return float64(a.Value(i).Float32()) }, nil
	case *array.Time32:
		return func(i int) float64 { return hours(int64(a.Value(i)), a.DataType().(*arrow.Time32Type).Unit) }, nil
	case *array.Time64:
		return func(i int) float64 { return hours(int64(a.Value(i)), a.DataType().(*arrow.Time64Type).Unit) }, nil
	case *array.Duration:
		return func(i int) float64 { return hours(int64(a.Value(i)), a.DataType().(*arrow.DurationType).Unit) }, nil
	}
	whole, err := integers(a)
	if err != nil {
		return nil, err
	}
	return func(i int) float64 { return float64(whole(i)) }, nil
}

// missingText stands for a value of a dictionary that is missing. No text may hold a NUL.
const missingText = "\x00"

// textsOf returns what gives the texts of cells that are not missing.
func textsOf(a arrow.Array) (func(i int) string, error) {
	switch a := a.(type) {
	case *array.Null:
		return func(int) string { return missingText }, nil
	case *array.String:
		return a.Value, nil
	case *array.LargeString:
		return a.Value, nil
	case *array.StringView:
		return a.Value, nil
	case *array.Boolean:
		return func(i int) string {
			if a.Value(i) {
				return "True"
			}
			return "False"
		}, nil
	case *array.Date32:
		return func(i int) string { return timeText(a.Value(i).ToTime()) }, nil
	case *array.Date64:
		return func(i int) string { return timeText(a.Value(i).ToTime()) }, nil
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		return func(i int) string { return timeText(a.Value(i).ToTime(unit)) }, nil
	case *array.Uint64:
		return func(i int) string { return strconv.FormatUint(a.Value(i), 10) }, nil
	case *array.Dictionary:
		texts, err := dictionary(a)
		return func(i int) string { return texts[a.GetValueIndex(i)] }, err
	}
	if whole, err := integers(a); err == nil {
		return func(i int) string { return strconv.FormatInt(whole(i), 10) }, nil
	}
	number, err := numbers(a)
	if err != nil {
		return nil, err
	}
	return func(i int) string { return strconv.FormatFloat(number(i), 'f', -1, 64) }, nil
}

// dictionary returns the texts of the values that cells are codes of.
func dictionary(a *array.Dictionary) ([]string, error) {
	values := plain(a.Dictionary())
	of, err := textsOf(values)
	if err != nil {
		return nil, err
	}
	texts := make([]string, values.Len())
	for i := range texts {
		if texts[i] = missingText; !values.IsNull(i) {
			texts[i] = of(i)
		}
	}
	return texts, nil
}

// appendTime appends a time to the second, without the time of day at midnight.
func appendTime(to []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	if year < 0 || year > 9999 {
		return t.AppendFormat(to, time.DateOnly+[]string{"", " 15:04:05"}[min(1, hour+minute+second)])
	}
	to = appendTwo(appendTwo(to, year/100, 0), year%100, 0)
	to = appendTwo(appendTwo(to, int(month), '-'), day, '-')
	if hour+minute+second == 0 {
		return to
	}
	return appendTwo(appendTwo(appendTwo(to, hour, ' '), minute, ':'), second, ':')
}

// appendTwo appends two digits, behind what parts them from others unless that is 0.
func appendTwo(to []byte, v int, behind byte) []byte {
	if behind != 0 {
		to = append(to, behind)
	}
	return append(to, byte('0'+v/10), byte('0'+v%10))
}

func timeText(t time.Time) string { return string(appendTime(nil, t)) }
