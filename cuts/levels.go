package cuts

import (
	"iter"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Cuts need the numbers of a column sorted, once, which would take half of the time of reading a table of numbers. The bits of
// floats, once those of negative ones are turned over, are integers in the same order, and integers are sorted digit by
// digit, the lowest first (Knuth, The Art of Computer Programming, volume 3, section 5.2.5): five times as fast as
// slices.Sort at a million.

// Level is a distinct number of a column and how many samples have it.
type Level struct {
	Value float64
	Count int
}

// Column is the cells of a column of numbers, as codes of these.
type Column struct {
	Codes     []uint32  // by row
	Values    []float64 // by code, NaN of what is no number
	Counts    []int     // rows by code
	Ascending []int32   // codes of numbers, in their order; nil: Values ascend, but for a last one that is NaN
}

// All yields the distinct numbers of a column in ascending order.
func (c *Column) All() iter.Seq[Level] {
	return func(yield func(Level) bool) {
		var l Level
		for i := range c.Values[:c.numbers()] {
			code := c.code(i)
			v, n := c.Values[code], c.Counts[code]
			switch {
			case n == 0:
				continue
			case l.Count > 0 && v == l.Value:
				n += l.Count
			case l.Count > 0 && !yield(l):
				return
			}
			l = Level{v, n}
		}
		if l.Count > 0 {
			yield(l)
		}
	}
}

// numbers returns how many codes are of numbers.
func (c *Column) numbers() int {
	n := len(c.Values)
	switch {
	case c.Ascending != nil:
		return len(c.Ascending)
	case n > 0 && math.IsNaN(c.Values[n-1]):
		return n - 1
	}
	return n
}

// code returns the code of number i in ascending order.
func (c *Column) code(i int) int {
	if c.Ascending != nil {
		return int(c.Ascending[i])
	}
	return i
}

// Levels returns them.
func (c *Column) Levels() []Level {
	return slices.AppendSeq(make([]Level, 0, len(c.Values)), c.All())
}

// Rank returns the distinct ones of some numbers in ascending order, and which of them each number is. Missing ones, NaN, come last.
func Rank(numbers []float64) (values []float64, codes []uint32) {
	s := sortings.Get().(*sorting)
	defer sortings.Put(s)
	value := s.decimals(numbers)
	if value == nil {
		value = s.floats(numbers)
	}
	if n := len(s.keys); n > 0 && slices.Max(s.keys) < uint64(n) {
		values, codes = s.count(numbers, value)
	} else {
		values, codes = s.sorted(numbers, value)
	}
	if len(s.keys) < len(numbers) {
		for row, v := range numbers {
			if v != v {
				codes[row] = uint32(len(values))
			}
		}
		values = append(values, math.NaN())
	}
	return values, codes
}

// sorting is memory to sort numbers with, which goes from column to column.
type sorting struct {
	keys, spare     []uint64
	rows, spareRows []uint32 // of the keys
}

var sortings = sync.Pool{New: func() any { return new(sorting) }}

// count ranks keys that are all smaller than their number: with a counter for each they need not be sorted.
func (s *sorting) count(numbers []float64, value func(key uint64) float64) (values []float64, codes []uint32) {
	codeOf, different := slices.Grow(s.rows[:0], len(s.keys))[:len(s.keys)], 0 // by key
	clear(codeOf)
	for _, k := range s.keys {
		different += 1 - int(codeOf[k])
		codeOf[k] = 1
	}
	values, codes = make([]float64, 0, different+1), make([]uint32, len(numbers))
	for k, is := range codeOf {
		if is > 0 {
			codeOf[k] = uint32(len(values))
			values = append(values, value(uint64(k)))
		}
	}
	i := 0
	for row, v := range numbers {
		if v == v {
			codes[row] = codeOf[s.keys[i]]
			i++
		}
	}
	s.rows = codeOf
	return values, codes
}

// sorted ranks keys in their order.
func (s *sorting) sorted(numbers []float64, value func(key uint64) float64) (values []float64, codes []uint32) {
	s.rows = s.rows[:0]
	for row, v := range numbers {
		if v == v {
			s.rows = append(s.rows, uint32(row))
		}
	}
	s.spare = slices.Grow(s.spare[:0], len(s.keys))[:len(s.keys)]
	s.spareRows = slices.Grow(s.spareRows[:0], len(s.keys))[:len(s.keys)]
	s.sort()
	different := 0
	for i, k := range s.keys {
		if i == 0 || k != s.keys[i-1] {
			different++
		}
	}
	values, codes = make([]float64, 0, different+1), make([]uint32, len(numbers))
	for i, k := range s.keys {
		if i == 0 || k != s.keys[i-1] {
			values = append(values, value(k))
		}
		codes[s.rows[i]] = uint32(len(values) - 1)
	}
	return values, codes
}

// floats makes keys of numbers, and returns what makes a number of a key.
func (s *sorting) floats(numbers []float64) (value func(key uint64) float64) {
	s.keys = slices.Grow(s.keys[:0], len(numbers))
	for _, v := range numbers {
		if x := math.Float64bits(v + 0); v == v { // −0 is 0
			s.keys = append(s.keys, x^(-(x>>63)|1<<63))
		}
	}
	return func(k uint64) float64 { return math.Float64frombits(k ^ (k>>63 - 1 | 1<<63)) }
}

// decimals does what floats does, if all numbers have a few decimals: n/10^d for an integer n, rounded as a reader rounds. The
// keys are the n then, less the least one. Ten to the sixth numbers of five decimals have 17 bits to sort by, not 52. It returns
// nil for other numbers.
func (s *sorting) decimals(numbers []float64) (value func(key uint64) float64) {
	const mostScale = 1e6
	for scale := 1.0; scale <= mostScale; scale *= 10 {
		if least, ok := s.scaled(numbers, scale); ok {
			for i := range s.keys {
				s.keys[i] -= uint64(least)
			}
			return func(k uint64) float64 { return float64(int64(k)+least) / scale }
		}
	}
	return nil
}

// scaled makes keys of numbers that are integers if multiplied by scale, and returns the least one. It reports false at the
// first number that is none.
func (s *sorting) scaled(numbers []float64, scale float64) (least int64, ok bool) {
	const most = 1 << 52
	least = most
	s.keys = slices.Grow(s.keys[:0], len(numbers))
	for _, v := range numbers {
		n := math.RoundToEven(v * scale)
		switch {
		case v != v:
			continue
		case !(math.Abs(n) < most) || n/scale != v:
			return 0, false
		}
		s.keys = append(s.keys, uint64(int64(n)))
		least = min(least, int64(n))
	}
	return least, true
}

// sort sorts the keys, by digits of 11 bits: the counts of all values of a digit stay in the first-Level cache.
func (s *sorting) sort() {
	const digit = 11
	differ := uint64(0) // bits that are not the same in all keys
	for _, k := range s.keys {
		differ |= k ^ s.keys[0]
	}
	for differ != 0 {
		shift := bits.TrailingZeros64(differ) // numbers of few digits have many bits in common
		differ = differ >> shift >> digit << digit << shift
		var places [1 << digit]int32
		for _, k := range s.keys {
			places[k>>shift%(1<<digit)]++
		}
		next := int32(0)
		for d, count := range places {
			places[d], next = next, next+count
		}
		for i, k := range s.keys {
			place := &places[k>>shift%(1<<digit)]
			s.spare[*place], s.spareRows[*place] = k, s.rows[i]
			*place++
		}
		s.keys, s.spare, s.rows, s.spareRows = s.spare, s.keys, s.spareRows, s.rows
	}
}
