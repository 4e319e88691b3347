package export

import (
	"encoding/binary"
	"math"
)

// message is a message of protocol buffers as it is written. Numbers of fields and of types are
// those of onnx.proto3, of ONNX 1.8.
type message []byte

func (m *message) varint(field int, v int64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) bytes(field int, v []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(v)))
	*m = append(*m, v...)
}

func (m *message) text(field int, v string) { m.bytes(field, []byte(v)) }

// elementType is the type of the elements of a tensor.
type elementType int64

const (
	int64Element  elementType = 7
	stringElement elementType = 8
	doubleElement elementType = 11
)

// tensor returns a TensorProto of floats, integers or strings, without its name. No dimension makes it a scalar.
func tensor(values any, dims ...int64) message {
	var m, raw message
	for _, d := range dims {
		m.varint(1, d)
	}
	element := stringElement
	switch values := values.(type) {
	case []float64:
		element = doubleElement
		for _, v := range values {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
		}
	case []int64:
		element = int64Element
		for _, v := range values {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
		}
	case []string:
		for _, v := range values {
			m.text(6, v)
		}
	}
	m.varint(2, int64(element))
	if element != stringElement {
		m.bytes(9, raw)
	}
	return m
}

// valueInfo returns a ValueInfoProto of a tensor with a row per row of the table, and with width
// columns; 0: it has one dimension.
func valueInfo(name string, element elementType, width int64) []byte {
	var rows, shape, tensorType, kind, m message
	rows.text(2, "rows")
	shape.bytes(1, rows)
	if width > 0 {
		var columns message
		columns.varint(1, width)
		shape.bytes(1, columns)
	}
	tensorType.varint(1, int64(element))
	tensorType.bytes(2, shape)
	kind.bytes(1, tensorType)
	m.text(1, name)
	m.bytes(2, kind)
	return m
}

// attribute returns an AttributeProto of an integer, of integers or of strings.
func attribute(name string, value any) []byte {
	var m message
	m.text(1, name)
	switch v := value.(type) {
	case int64:
		m.varint(3, v)
		m.varint(20, 2)
	case []int64:
		for _, x := range v {
			m.varint(8, x)
		}
		m.varint(20, 7)
	case []string:
		for _, x := range v {
			m.text(9, x)
		}
		m.varint(20, 8)
	}
	return m
}
