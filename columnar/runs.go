package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// runs are numbers of a few bits, as Parquet writes levels and codes: runs of one number, and
// groups of eight packed numbers (Parquet's format, "Run Length Encoding / Bit-Packing Hybrid").
type runs struct {
	data  []byte // behind the run at hand; ends with its capacity
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

// unpack reads packed numbers.
func (r *runs) unpack(to []uint32) error {
	if uint(len(r.bits)) < (r.at+uint(len(to))*r.width+7)/8 {
		return errShort
	}
	mask, bits, at := uint32(uint64(1)<<r.width-1), r.bits, r.at
	r.at += uint(len(to)) * r.width
	for i := range to {
		if at/8+8 > uint(len(bits)) {
			bits, at = append(bits[at/8:len(bits):len(bits)], make([]byte, 8)...), at&7
		}
		to[i] = uint32(binary.LittleEndian.Uint64(bits[at/8:])>>(at&7)) & mask
		at += r.width
	}
	return nil
}

// decode reads codes of values: as many as to has room for. There is room for 256 values behind these.
func decode[T cell](r *runs, to, values []T, scratch []uint32) error {
	for len(to) > 0 {
		if r.left == 0 {
			if err := r.next(); err != nil {
				return err
			}
		}
		n := min(r.left, len(to))
		done := 0
		switch {
		case r.bits != nil:
			done = lookUp(r, to[:n], values)
		case uint(r.value) < uint(len(values)):
			for i := range to[:n] {
				to[i] = values[r.value]
			}
			done = n
			r.left -= n
		}
		to, n = to[done:], n-done
		// What is left is no eight, or is said to be wrong here.
		codes := scratch[:min(n, len(scratch), r.toEight())]
		if err := r.read(codes); err != nil {
			return err
		}
		for i, code := range codes {
			if uint(code) >= uint(len(values)) {
				return fmt.Errorf("a cell has value %d of a dictionary of %d", code, len(values))
			}
			to[i] = values[code]
		}
		to = to[len(codes):]
	}
	return nil
}

// roomForBytes is how many values a byte can be the code of.
const roomForBytes = 1 << 8

// isQuick reports whether lookUp reads packed numbers.
func (r *runs) isQuick() bool { return r.bits != nil && r.width > 0 && r.width <= 15 }

// toEight is how many numbers are left until an eight begins at a byte, from 1 on.
func (r *runs) toEight() int {
	if !r.isQuick() {
		return math.MaxInt
	}
	return 8 - int(r.at/r.width)%8
}

// lookUp reads packed numbers by eights, as long as all are codes of values, and returns how many it read. It reads
// none behind the last sixteen bytes of the page.
func lookUp[T cell](r *runs, to, of []T) int {
	w, n := r.width, uint64(len(of))
	if !r.isQuick() || r.at&7 != 0 || n == 0 {
		return 0
	}
	bits, done := r.bits[min(r.at/8, uint(len(r.bits))):cap(r.bits)], 0 // up to the end of the page
	if w <= 8 {
		// Halves of halves are moved apart until each number has a byte. A byte that is n or more sets the bit above
		// it where what lacks at 256 is added; n is at most 256.
		fours, twos, one := uint64(1)<<(4*w)-1, (uint64(1)<<(2*w)-1)*0x1_0000_0001, (uint64(1)<<w-1)*0x0001_0001_0001_0001
		lacks := (256 - min(n, 256)) * 0x0001_0001_0001_0001
		const low = 0x00ff_00ff_00ff_00ff
		of := (*[1 << 8]T)(of[:roomForBytes])
		for ; len(to)-done >= 8 && len(bits) >= 16; done += 8 {
			x := binary.LittleEndian.Uint64(bits)
			bits = bits[w:]
			x = x&fours | x>>(4*w&63)&fours<<32
			x = x&twos | x>>(2*w&63)&twos<<16
			x = x&one | x>>(w&63)&one<<8
			if ((x&low+lacks)|(x>>8&low+lacks))&^low != 0 {
				break
			}
			eight := (*[8]T)(to[done:])
			eight[0], eight[1], eight[2], eight[3] = of[byte(x)], of[byte(x>>8)], of[byte(x>>16)], of[byte(x>>24)]
			eight[4], eight[5], eight[6], eight[7] = of[byte(x>>32)], of[byte(x>>40)], of[byte(x>>48)], of[byte(x>>56)]
		}
	} else {
		// Likewise by fours of 16 bits; n is at most 2^15.
		twos, one := uint64(1)<<(2*w)-1, (uint64(1)<<w-1)*0x1_0000_0001
		lacks := (1<<15 - min(n, 1<<15)) * 0x0001_0001_0001_0001
		const high = 0x8000_8000_8000_8000
		for ; len(to)-done >= 8 && len(bits) >= 16; done += 8 {
			x := binary.LittleEndian.Uint64(bits)
			y := binary.LittleEndian.Uint64(bits[w/2:]) >> (w & 1 * 4)
			bits = bits[w:]
			x, y = x&twos|x>>(2*w&63)&twos<<32, y&twos|y>>(2*w&63)&twos<<32
			x, y = x&one|x>>(w&63)&one<<16, y&one|y>>(w&63)&one<<16
			if ((x+lacks)|(y+lacks))&high != 0 {
				break
			}
			eight := (*[8]T)(to[done:])
			eight[0], eight[1], eight[2], eight[3] = of[uint16(x)], of[uint16(x>>16)], of[uint16(x>>32)], of[uint16(x>>48)]
			eight[4], eight[5], eight[6], eight[7] = of[uint16(y)], of[uint16(y>>16)], of[uint16(y>>32)], of[uint16(y>>48)]
		}
	}
	r.at += uint(done) * w
	r.left -= done
	return done
}
