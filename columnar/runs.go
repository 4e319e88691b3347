package main

import (
	"encoding/binary"
	"errors"
)

// runs are numbers of a few bits, as Parquet writes levels and codes: runs of one number, and
// groups of eight packed numbers (Parquet's format, "Run Length Encoding / Bit-Packing Hybrid").
type runs struct {
	data  []byte // behind the run at hand
	width uint   // bits of a number, at most 32

	left  int    // numbers that the run at hand still has
	value uint32 // of each of them, unless they are packed
	bits  []byte // packed numbers; nil: none are
	at    uint   // of the next one, in bits
}

var errShort = errors.New("a page of it is cut short")

// next begins the next run.
func (r *runs) next() error {
	head, n := binary.Uvarint(r.data)
	count := head >> 1
	if n <= 0 || count == 0 || count > 1<<31 {
		return errShort
	}
	r.data = r.data[n:]
	if head&1 == 1 {
		size := min(uint64(len(r.data)), count*uint64(r.width)) // the last group may lack what nobody needs
		r.bits, r.at, r.left = r.data[:size], 0, int(8*count)
		r.data = r.data[size:]
		return nil
	}
	size := int(r.width+7) / 8
	if len(r.data) < size {
		return errShort
	}
	r.bits, r.value, r.left = nil, 0, int(count)
	for i, b := range r.data[:size] {
		r.value |= uint32(b) << (8 * i)
	}
	r.data = r.data[size:]
	return nil
}

// same reports whether the next n numbers are a run of value, and leaves them behind if so.
func (r *runs) same(value uint32, n int) (bool, error) {
	if r.left == 0 {
		if err := r.next(); err != nil {
			return false, err
		}
	}
	if r.bits != nil || r.value != value || r.left < n {
		return false, nil
	}
	r.left -= n
	return true, nil
}

// read reads as many numbers as to has room for.
func (r *runs) read(to []uint32) error {
	for len(to) > 0 {
		if r.left == 0 {
			if err := r.next(); err != nil {
				return err
			}
		}
		n := min(r.left, len(to))
		if r.bits == nil {
			for i := range to[:n] {
				to[i] = r.value
			}
		} else if err := r.unpack(to[:n]); err != nil {
			return err
		}
		r.left -= n
		to = to[n:]
	}
	return nil
}

// unpack reads packed numbers: each from the eight bytes that it begins in.
func (r *runs) unpack(to []uint32) error {
	if uint(len(r.bits)) < (r.at+uint(len(to))*r.width+7)/8 {
		return errShort
	}
	mask, at := uint64(1)<<r.width-1, r.at
	i := 0
	for ; i < len(to) && at/8+8 <= uint(len(r.bits)); i++ {
		to[i] = uint32(binary.LittleEndian.Uint64(r.bits[at/8:]) >> (at & 7) & mask)
		at += r.width
	}
	for ; i < len(to); i++ {
		var last [8]byte
		copy(last[:], r.bits[at/8:])
		to[i] = uint32(binary.LittleEndian.Uint64(last[:]) >> (at & 7) & mask)
		at += r.width
	}
	r.at = at
	return nil
}
