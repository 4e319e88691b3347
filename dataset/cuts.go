package dataset

import (
	"math"
	"slices"
	"strconv"
)

// level is a distinct number of a column and how many samples have it.
type level struct {
	value float64
	count int
}

// levels returns the distinct numbers of a column in ascending order.
func (b *builder) levels(c *column) []level {
	if c.many {
		return numberLevels(c.numbers)
	}
	all := make([]level, 0, len(c.ascending))
	for _, code := range c.ascending {
		if c.counts[code] > 0 {
			all = addLevel(all, c.values[code], c.counts[code])
		}
	}
	return all
}

// addLevel appends a number that is not smaller than the last.
func addLevel(levels []level, v float64, count int) []level {
	if n := len(levels); n > 0 && levels[n-1].value == v {
		levels[n-1].count += count
		return levels
	}
	return append(levels, level{v, count})
}

// integers reports whether all finite numbers are integers that floats tell
// apart.
func integers(levels []level) bool {
	for _, l := range levels {
		if math.IsInf(l.value, 0) {
			continue
		}
		if l.value != math.Trunc(l.value) || math.Abs(l.value) >= 1<<53 {
			return false
		}
	}
	return true
}

// quantileCuts returns the beginnings of at most bins intervals, all but the
// first, that hold about equally many samples each. A cut goes between two
// levels. It is the roundest number that is within a tenth of an interval from
// the exact quantile, or else one as near as there is, so that cuts are numbers
// that people would choose. Quantiles that fall together, for a level that
// many samples have, give one cut.
func quantileCuts(levels []level, integer bool, bins int) []float64 {
	p := newPlaces(levels, integer)
	var cuts []float64
	for b := 1; b < bins; b++ {
		if first, last, near, ok := p.around(b, bins); ok {
			cuts = append(cuts, p.cut(first, last, near))
		}
	}
	if near := p.nearest(p.total / 2); len(cuts) == 0 && near >= 0 {
		cuts = append(cuts, p.cut(near, near, near))
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// places are where a cut can go: place i lies between levels i and i+1.
type places struct {
	levels  []level
	integer bool
	first   int   // first place whose lower level is finite
	before  []int // samples below each place, ascending
	total   int   // samples
}

func newPlaces(levels []level, integer bool) places {
	p := places{levels: levels, integer: integer, before: make([]int, len(levels)-1)}
	for i, l := range levels {
		p.total += l.count
		if i < len(p.before) {
			p.before[i] = p.total
		}
	}
	if math.IsInf(levels[0].value, -1) {
		p.first = 1
	}
	return p
}

// nearest returns the place with the number of samples below nearest to want,
// the lower of two, or -1 if there is no place.
func (p *places) nearest(want int) int {
	i, _ := slices.BinarySearch(p.before[p.first:], want)
	i += p.first
	switch {
	case i == len(p.before) && i == p.first:
		return -1
	case i == len(p.before), i > p.first && want-p.before[i-1] <= p.before[i]-want:
		return i - 1
	}
	return i
}

// around returns the place nearest to quantile b of bins, and the first and
// the last that can stand for it. It is not ok if all are nearer to another.
func (p *places) around(b, bins int) (first, last, near int, ok bool) {
	want := int(int64(p.total) * int64(b) / int64(bins))
	near = p.nearest(want)
	if near < 0 {
		return 0, 0, 0, false
	}
	far := func(i int) int { return max(p.before[i]-want, want-p.before[i]) }
	reach := p.total / (10 * bins)
	first, last = near, near
	for first > p.first && far(first-1) <= reach {
		first--
	}
	for last < len(p.before)-1 && far(last+1) <= reach {
		last++
	}
	return first, last, near, far(near) <= p.total/(2*bins)
}

// cut returns the roundest number that begins an interval at one of the places
// first to last, among equals that closest to place near. Integers are cut
// behind a round number, as an interval is shown by its last: "age ≤ 20".
func (p *places) cut(first, last, near int) float64 {
	low, high := p.levels[first].value, p.levels[last+1].value
	if math.IsInf(high, 1) {
		high = math.Min(math.MaxFloat64, p.levels[last].value+math.Max(1, math.Abs(p.levels[last].value)))
	}
	if p.integer {
		return roundest(low, high, p.levels[near].value) + 1
	}
	below, above := p.levels[near].value, math.Min(p.levels[near+1].value, high)
	return 0 - roundest(-high, -low, -(below/2+above/2))
}

// roundest returns the number in [low, high) on the coarsest grid of 1, 5, 10,
// 50, … times a power of ten, among equals that closest to near.
func roundest(low, high, near float64) float64 {
	top := int(math.Floor(math.Log10(math.Max(math.Abs(low), math.Abs(high))))) + 1
	for e := top; e > top-19; e-- {
		for _, unit := range []float64{10, 5} { // 10 is 1 of the next power
			step := power10(unit, e-1)
			m := math.Round(near / step)
			m = math.Min(math.Max(m, math.Ceil(low/step)), math.Ceil(high/step)-1)
			for _, m := range []float64{m, m - 1, m + 1} { // the quotients are rounded
				if v := power10(m*unit, e-1); low <= v && v < high {
					return v + 0 // and not −0
				}
			}
		}
	}
	return low
}

// power10 is digits·10^e, correctly rounded.
func power10(digits float64, e int) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(digits, 'f', -1, 64)+"e"+strconv.Itoa(e), 64)
	return v
}
