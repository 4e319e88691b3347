package column

import "encoding/binary"

// Codes are the codes of cells of one or two bytes, little-endian, as a stream of columns has them. Each byte, or pair
// of bytes, has a code or none.
type Codes struct {
	one   *[1 << 8]uint32
	two   *[1 << 16]uint32
	width int
	most  uint32 // code
	count uint32 // cells that have a code
	same  bool   // the cells 0, 1, 2, …, most have these codes, and no others have any
}

// noCode is of cells without a code. Its highest bit tells it from codes, of which there are fewer than cells.
const noCode = 1 << 31

// NewCodes returns codes of cells of one or two bytes. No cell has a code yet.
func NewCodes(width int) *Codes {
	c := &Codes{width: width, same: true}
	var all []uint32
	if width == 1 {
		c.one = new([1 << 8]uint32)
		all = c.one[:]
	} else {
		c.two = new([1 << 16]uint32)
		all = c.two[:]
	}
	for i := range all {
		all[i] = noCode
	}
	return c
}

// Set gives the cell that cells begin with a code. It had none.
func (c *Codes) Set(cells []byte, code uint32) {
	cell := uint32(cells[0])
	if c.one != nil {
		c.one[cell] = code
	} else {
		cell = uint32(binary.LittleEndian.Uint16(cells))
		c.two[cell] = code
	}
	c.same = c.same && cell == code && code == c.count
	c.most = max(c.most, code)
	c.count++
}

// at returns the code of a cell, or noCode.
func (c *Codes) at(cells []byte, i int) uint32 {
	if c.one != nil {
		return c.one[cells[i]]
	}
	return c.two[binary.LittleEndian.Uint16(cells[2*i:])]
}

// AppendCells appends the codes of cells up to the first that has none, and returns how many it appended.
func (p *Packed) AppendCells(cells []byte, c *Codes) (n int) {
	for uint64(c.most) > p.mask() {
		p.widen()
	}
	all := len(cells) / c.width
	p.grow(all)
	for n < all {
		n += p.appendWords(cells[n*c.width:], c)
		// What is left does not fill a word, or has a cell without a code.
		for n < all {
			code := c.at(cells, n)
			if code == noCode {
				return n
			}
			p.Add(code)
			if n++; uint(p.n)<<(p.lg&7)&63 == 0 {
				break
			}
		}
	}
	return n
}

// appendWords appends codes a word at a time, as long as all cells of a word have codes. It appends none in the
// midst of a word.
func (p *Packed) appendWords(cells []byte, c *Codes) int {
	lg := p.lg & 7
	each := 64 >> lg
	if uint(p.n)<<lg&63 != 0 || lg > 4 {
		return 0
	}
	words := p.words[len(p.words):][:len(cells)/c.width/each]
	done := 0
	switch {
	case c.same && c.count > 0 && (lg == 4) == (c.two != nil) && c.most < 1<<(8*c.width-1):
		done = c.plain(words, cells, lg)
	case lg == 4:
		done = c.fours(words, cells)
	case c.one != nil:
		done = c.eights(words, cells, lg)
	default:
		done = c.pairs(words, cells, lg)
	}
	p.words = p.words[:len(p.words)+done]
	p.n += done * each
	return done * each
}

// plain fills words with cells that are their own codes, and returns how many it filled. Texts of a dictionary in the
// order in which they come first have such. A cell has a lane of 8 or 16 bits, of which the highest is set where the
// cell is beyond the largest code, or where what lacks at that bit is added to it.
func (c *Codes) plain(words []uint64, cells []byte, lg uint) int {
	lanes, step := uint64(0x0101_0101_0101_0101), uint(8)<<lg
	if c.two != nil {
		lanes, step = 0x0001_0001_0001_0001, 64
	}
	high := lanes << (8*uint(c.width) - 1)
	lacks := high - lanes*uint64(c.most+1)
	for i := range words {
		word, all := uint64(0), uint64(0)
		for shift := uint(0); shift < 64; shift += step {
			x := binary.LittleEndian.Uint64(cells)
			cells = cells[8:]
			all |= x | (x + lacks)
			if step < 64 {
				x = narrow(x, lg)
			}
			word |= x << (shift & 63)
		}
		if all&high != 0 {
			return i
		}
		words[i] = word
	}
	return len(words)
}

// fours fills words with codes of 16 bits, and returns how many it filled.
func (c *Codes) fours(words []uint64, cells []byte) int {
	for i := range words {
		var a, b, d, e uint32
		if of := c.one; of != nil {
			four := (*[4]byte)(cells[4*i:])
			a, b, d, e = of[four[0]], of[four[1]], of[four[2]], of[four[3]]
		} else {
			four, of := binary.LittleEndian.Uint64(cells[8*i:]), c.two
			a, b, d, e = of[uint16(four)], of[uint16(four>>16)], of[uint16(four>>32)], of[uint16(four>>48)]
		}
		if (a|b|d|e)&noCode != 0 {
			return i
		}
		words[i] = uint64(a|b<<16) | uint64(d|e<<16)<<32
	}
	return len(words)
}

// eights fills words with codes of up to 8 bits of cells of a byte, and returns how many it filled.
func (c *Codes) eights(words []uint64, cells []byte, lg uint) int {
	of := c.one
	for i := range words {
		word, all := uint64(0), uint32(0)
		for shift := uint(0); shift < 64; shift += 8 << lg {
			eight := (*[8]byte)(cells)
			cells = cells[8:]
			c0, c1, c2, c3 := of[eight[0]], of[eight[1]], of[eight[2]], of[eight[3]]
			c4, c5, c6, c7 := of[eight[4]], of[eight[5]], of[eight[6]], of[eight[7]]
			all |= c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7
			low, high := c0|c1<<8|c2<<16|c3<<24, c4|c5<<8|c6<<16|c7<<24
			word |= narrow(uint64(low)|uint64(high)<<32, lg) << (shift & 63)
		}
		if all&noCode != 0 {
			return i
		}
		words[i] = word
	}
	return len(words)
}

// pairs does what eights does, of cells of two bytes.
func (c *Codes) pairs(words []uint64, cells []byte, lg uint) int {
	of := c.two
	for i := range words {
		word, all := uint64(0), uint32(0)
		for shift := uint(0); shift < 64; shift += 8 << lg {
			eight := (*[16]byte)(cells)
			cells = cells[16:]
			a, b := binary.LittleEndian.Uint64(eight[:8]), binary.LittleEndian.Uint64(eight[8:])
			c0, c1, c2, c3 := of[uint16(a)], of[uint16(a>>16)], of[uint16(a>>32)], of[uint16(a>>48)]
			c4, c5, c6, c7 := of[uint16(b)], of[uint16(b>>16)], of[uint16(b>>32)], of[uint16(b>>48)]
			all |= c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7
			low, high := c0|c1<<8|c2<<16|c3<<24, c4|c5<<8|c6<<16|c7<<24
			word |= narrow(uint64(low)|uint64(high)<<32, lg) << (shift & 63)
		}
		if all&noCode != 0 {
			return i
		}
		words[i] = word
	}
	return len(words)
}

// narrow moves eight codes of a byte each together, so that each takes 1<<lg bits.
func narrow(x uint64, lg uint) uint64 {
	switch lg {
	case 0: // byte i times 2^(56−7i) is bit 56+i, and no two products have a bit in common from there on
		return x * 0x0102040810204080 >> 56
	case 1:
		x = (x | x>>6) & 0x000f000f000f000f
		x = (x | x>>12) & 0x000000ff000000ff
		return (x | x>>24) & 0xffff
	case 2:
		x = (x | x>>4) & 0x00ff00ff00ff00ff
		x = (x | x>>8) & 0x0000ffff0000ffff
		return (x | x>>16) & 0xffffffff
	}
	return x
}
