package cuts

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Cuts need the numbers of a column sorted, which would take half of the time of reading a table of numbers. The bits of
// floats, once those of negative ones are turned over, are integers in the same order, and integers are sorted digit by
// digit, the lowest first (Knuth, The Art of Computer Programming, volume 3, section 5.2.5): five times as fast as
// slices.Sort at a million.

// Level is a distinct number of a column and how many samples have it.
type Level struct {
	Value float64
	Count int
}

// Column is the cells of a column of numbers: numbers, or codes of few numbers.
type Column struct {
	Numbers   []float64 // by row, NaN of a missing one; nil: Codes are set
	Codes     []uint32  // by row
	Rows      []int64   // how many rows each stands for; nil: one
	Values    []float64 // by code, NaN of what is no number
	Counts    []int     // rows by code
	Ascending []int32   // codes of numbers, in their order
}

// Levels returns the distinct numbers of a column in ascending order.
func (c *Column) Levels() []Level {
	if c.Numbers != nil {
		levels := numberLevels(c.Numbers)
		if c.Rows != nil {
			c.recount(levels)
		}
		return levels
	}
	all := make([]Level, 0, len(c.Ascending))
	for _, code := range c.Ascending {
		v, count := c.Values[code], c.Counts[code]
		switch n := len(all); {
		case count == 0:
		case n > 0 && all[n-1].Value == v:
			all[n-1].Count += count
		default:
			all = append(all, Level{v, count})
		}
	}
	return all
}

// recount counts the rows that the cells of each level stand for.
func (c *Column) recount(levels []Level) {
	for i := range levels {
		levels[i].Count = 0
	}
	for i, v := range c.Numbers {
		at, found := slices.BinarySearchFunc(levels, v, func(l Level, v float64) int { return cmp.Compare(l.Value, v) })
		if found {
			levels[at].Count += int(c.Rows[i])
		}
	}
}

// sorting is memory to sort numbers with, which goes from column to column.
type sorting struct{ keys, spare []uint64 }

var sortings = sync.Pool{New: func() any { return new(sorting) }}

// numberLevels returns the distinct ones of numbers in ascending order; NaN does not count.
func numberLevels(numbers []float64) []Level {
	s := sortings.Get().(*sorting)
	defer sortings.Put(s)
	value := s.decimals(numbers)
	if value == nil {
		value = s.floats(numbers)
	}
	if len(s.keys) > 0 {
		if largest := slices.Max(s.keys); largest < uint64(len(s.keys)) {
			return s.count(largest, value)
		}
	}
	s.spare = slices.Grow(s.spare[:0], len(s.keys))[:len(s.keys)]
	s.sort()
	different := 0
	for i, k := range s.keys {
		if i == 0 || k != s.keys[i-1] {
			different++
		}
	}
	levels := make([]Level, 0, different)
	for i, k := range s.keys {
		if i == 0 || k != s.keys[i-1] {
			levels = append(levels, Level{Value: value(k)})
		}
		levels[len(levels)-1].Count++
	}
	return levels
}

// count returns the levels of keys of which the largest is small: with a counter for each they need not be sorted.
func (s *sorting) count(largest uint64, value func(key uint64) float64) []Level {
	counts := make([]int32, largest+1)
	for _, k := range s.keys {
		counts[k]++
	}
	different := 0
	for _, n := range counts {
		different += min(1, int(n))
	}
	levels := make([]Level, 0, different)
	for k, n := range counts {
		if n > 0 {
			levels = append(levels, Level{value(uint64(k)), int(n)})
		}
	}
	return levels
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
		for _, k := range s.keys {
			place := &places[k>>shift%(1<<digit)]
			s.spare[*place] = k
			*place++
		}
		s.keys, s.spare = s.spare, s.keys
	}
}
