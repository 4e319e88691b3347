package main

import (
	"encoding/binary"
	"math/big"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"
)

// Decimals are whole numbers of a unit 10^−scale. A table exported from a database is full of them.

// mostDigits is how many digits a decimal has at most that is always an int64.
const mostDigits = 18

// powers are the powers of ten that are floats.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimalFloat returns the float nearest to v·10^−scale. Both terms of the quotient are exact, so
// it is rounded once; where they are not, the digits are parsed.
func decimalFloat(v int64, scale int32) float64 {
	const exact = 1 << 53
	if v <= exact && v >= -exact && scale >= 0 && int(scale) < len(powers) {
		return float64(v) / powers[scale]
	}
	return parsedDecimal(strconv.FormatInt(v, 10), scale)
}

func parsedDecimal(digits string, scale int32) float64 {
	f, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(int(-scale)), 64) // ±Inf of what is too large
	return f
}

// decimals returns what gives the cells of an array of decimals, or nil of another array.
func decimals(a arrow.Array) func(i int) float64 {
	kind, ok := a.DataType().(arrow.DecimalType)
	if !ok {
		return nil
	}
	scale := kind.GetScale()
	switch a := a.(type) {
	case *array.Decimal32:
		return func(i int) float64 { return decimalFloat(int64(a.Value(i)), scale) }
	case *array.Decimal64:
		return func(i int) float64 { return decimalFloat(int64(a.Value(i)), scale) }
	case *array.Decimal128:
		return func(i int) float64 {
			v := a.Value(i)
			if low := int64(v.LowBits()); low>>63 == v.HighBits() { // the sign is all that is above
				return decimalFloat(low, scale)
			}
			return largeDecimal(v, scale)
		}
	case *array.Decimal256:
		return func(i int) float64 { return largeDecimal(a.Value(i), scale) }
	}
	return nil
}

func largeDecimal(v interface{ BigInt() *big.Int }, scale int32) float64 {
	return parsedDecimal(v.BigInt().String(), scale)
}

// bigEndian returns the number that a few bytes are in two's complement, the highest one first.
func bigEndian(b []byte) (v int64) {
	v = int64(int8(b[0]))
	for _, x := range b[1:] {
		v = v<<8 | int64(x)
	}
	return v
}

// readDecimals reads decimals that are written as they are.
func readDecimals(d *direct, cells []float64, data []byte) {
	for i := range cells {
		var v int64
		switch b := data[i*d.width:][:d.width]; d.physical {
		case parquet.Types.Int32:
			v = int64(int32(binary.LittleEndian.Uint32(b)))
		case parquet.Types.Int64:
			v = int64(binary.LittleEndian.Uint64(b))
		default:
			v = bigEndian(b)
		}
		cells[i] = decimalFloat(v, d.scale)
	}
}

// planDecimals plans decimals, none of which is missing, as whole numbers and a scale: the other side need not
// find out again which decimals the floats are. It returns nil of those that a stream cannot hold so.
func (c *column) planDecimals() *layout {
	const mostScale, most = 18, 1e15 // docs/column-protocol.md
	d := c.direct
	if d == nil || !d.isDecimal() || c.nulls != 0 || d.scale < 1 || d.scale > mostScale {
		return nil
	}
	s := c.span
	if s == nil && d.digits <= 15 {
		bound := int64(powers[d.digits]) - 1
		s = &span{-bound, bound}
	}
	if s == nil || s.least < -most || s.most > most {
		return nil
	}
	return &layout{kind: s.kind(), span: *s, scale: int(d.scale)}
}
