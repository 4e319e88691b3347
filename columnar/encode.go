package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// format is what becomes of the cells of a type.
type format struct {
	whole string // kind of column if no cell is missing; "": texts, or floats alone
	float bool   // cells can be float64, missing ones NaN
	wide  bool   // not all integers of the type fit an int64 and a float64
}

// formats are the types of cells that are read. Times of day and durations are numbers of
// hours, dates and times are texts to the second, in UTC where they have a time zone.
var formats = map[arrow.Type]format{
	arrow.NULL: {}, arrow.BOOL: {whole: "bool"},
	arrow.INT8: {whole: "int8", float: true}, arrow.UINT8: {whole: "int16", float: true},
	arrow.INT16: {whole: "int16", float: true}, arrow.UINT16: {whole: "int32", float: true},
	arrow.INT32: {whole: "int32", float: true}, arrow.UINT32: {whole: "int64", float: true},
	arrow.INT64: {whole: "int64", float: true, wide: true}, arrow.UINT64: {whole: "int64", float: true, wide: true},
	arrow.FLOAT16: {float: true}, arrow.FLOAT32: {float: true}, arrow.FLOAT64: {float: true},
	arrow.DECIMAL32: {float: true}, arrow.DECIMAL64: {float: true}, arrow.DECIMAL128: {float: true}, arrow.DECIMAL256: {float: true},
	arrow.TIME32: {float: true}, arrow.TIME64: {float: true}, arrow.DURATION: {float: true},
	arrow.STRING: {}, arrow.LARGE_STRING: {}, arrow.STRING_VIEW: {}, arrow.DICTIONARY: {},
	arrow.DATE32: {}, arrow.DATE64: {}, arrow.TIMESTAMP: {},
}

// plain returns the cells of an array of an extension type.
func plain(a arrow.Array) arrow.Array {
	if x, ok := a.(array.ExtensionArray); ok {
		return plain(x.Storage())
	}
	return a
}

// encode gives the blocks of bytes of a column.
func (l *layout) encode(c *column, yield func([]byte) error) error {
	if l.kind == "text" {
		var head []byte
		for _, t := range l.texts {
			head = binary.LittleEndian.AppendUint32(head, uint32(len(t)))
		}
		for _, t := range l.texts {
			head = append(head, t...)
		}
		if err := yield(head); err != nil {
			return err
		}
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
	case "text":
		piece = make([]byte, 0, 4*a.Len())
		of, err := l.codesOf(a)
		if err != nil {
			return nil, err
		}
		for i := range a.Len() {
			code := int32(-1)
			if !a.IsNull(i) {
				code = of(i)
			}
			piece = binary.LittleEndian.AppendUint32(piece, uint32(code))
		}
		return piece, err
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

// codesOf returns what gives the codes of the texts of cells, −1 of a missing one. Of a
// dictionary they are looked up once a value.
func (l *layout) codesOf(a arrow.Array) (func(i int) int32, error) {
	code := func(text string) int32 {
		if text == missingText {
			return -1
		}
		return l.codes[text]
	}
	d, ok := a.(*array.Dictionary)
	if !ok {
		text, err := textsOf(a)
		return func(i int) int32 { return code(text(i)) }, err
	}
	texts, err := dictionary(d)
	if err != nil {
		return nil, err
	}
	codes := make([]int32, len(texts))
	for i, t := range texts {
		codes[i] = code(t)
	}
	return func(i int) int32 { return codes[d.GetValueIndex(i)] }, nil
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
func (l *layout) integers(a arrow.Array) (piece []byte, err error) {
	switch a := a.(type) {
	case *array.Int8:
		return arrow.Int8Traits.CastToBytes(a.Int8Values()), nil
	case *array.Int16:
		return arrow.Int16Traits.CastToBytes(a.Int16Values()), nil
	case *array.Int32:
		return arrow.Int32Traits.CastToBytes(a.Int32Values()), nil
	case *array.Int64:
		return arrow.Int64Traits.CastToBytes(a.Int64Values()), nil
	}
	whole, err := integers(a)
	if err != nil {
		return nil, err
	}
	for i := range a.Len() {
		switch v := uint64(whole(i)); l.kind {
		case "int16":
			piece = binary.LittleEndian.AppendUint16(piece, uint16(v))
		case "int32":
			piece = binary.LittleEndian.AppendUint32(piece, uint32(v))
		case "int64":
			piece = binary.LittleEndian.AppendUint64(piece, v)
		}
	}
	return piece, nil
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

// within reports whether no integer is further from 0 than a limit.
func within(a arrow.Array, limit int64) bool {
	a = plain(a)
	whole, err := integers(a)
	for i := range a.Len() {
		if err != nil {
			return false
		}
		v := whole(i)
		if u, ok := a.(*array.Uint64); ok && u.Value(i) > math.MaxInt64 {
			v = math.MinInt64
		}
		if !a.IsNull(i) && (v > limit || v < -limit) {
			return false
		}
	}
	return true
}

// numbers returns what gives the cells of an array of numbers, also of those that stand for
// hours.
func numbers(a arrow.Array) (func(i int) float64, error) {
	hours := func(n int64, unit arrow.TimeUnit) float64 {
		return float64(n) / (float64(time.Hour) / float64(unit.Multiplier()))
	}
	parsed := func(text func(int) string) func(int) float64 {
		return func(i int) float64 {
			v, _ := strconv.ParseFloat(text(i), 64) // decimals are numbers
			return v
		}
	}
	switch a := a.(type) {
	case *array.Float64:
		return a.Value, nil
	case *array.Float32:
		return func(i int) float64 { return float64(a.Value(i)) }, nil
	case *array.Float16:
		return func(i int) float64 { return float64(a.Value(i).Float32()) }, nil
	case *array.Decimal32, *array.Decimal64, *array.Decimal128, *array.Decimal256:
		return parsed(a.ValueStr), nil
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

// timeText writes a time to the second, without the time of day at midnight.
func timeText(t time.Time) string {
	if t = t.UTC().Truncate(time.Second); t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.DateTime)
}
