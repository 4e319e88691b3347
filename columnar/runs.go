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

// unpack reads packed numbers: eight at a time, of which eight bytes hold as many as they can.
func (r *runs) unpack(to []uint32) error {
	if uint(len(r.bits)) < (r.at+uint(len(to))*r.width+7)/8 {
		return errShort
	}
	w, mask, bits, at := r.width&31, uint32(uint64(1)<<r.width-1), r.bits, r.at
	r.at += uint(len(to)) * r.width
	for ; len(to) >= 8 && r.width <= 14 && at/8+16 <= uint(len(bits)); to = to[8:] {
		low := binary.LittleEndian.Uint64(bits[at/8:]) >> (at & 7)
		at += 4 * w
		high := binary.LittleEndian.Uint64(bits[at/8:]) >> (at & 7)
		at += 4 * w
		eight := (*[8]uint32)(to)
		eight[0], eight[4] = uint32(low)&mask, uint32(high)&mask
		eight[1], eight[5] = uint32(low>>w)&mask, uint32(high>>w)&mask
		eight[2], eight[6] = uint32(low>>(2*w&63))&mask, uint32(high>>(2*w&63))&mask
		eight[3], eight[7] = uint32(low>>(3*w&63))&mask, uint32(high>>(3*w&63))&mask
	}
	for i := range to {
		if at/8+8 > uint(len(bits)) {
			bits, at = append(bits[at/8:len(bits):len(bits)], make([]byte, 8)...), at&7
		}
		to[i] = uint32(binary.LittleEndian.Uint64(bits[at/8:])>>(at&7)) & mask
		at += r.width
	}
	return nil
}
