package cuts

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Integers reports whether all finite numbers are integers that floats tell
// apart.
func Integers(levels []Level) bool {
	for _, l := range levels {
		if math.IsInf(l.Value, 0) {
			continue
		}
		if l.Value != math.Trunc(l.Value) || math.Abs(l.Value) >= 1<<53 {
			return false
		}
	}
	return true
}

// quantileCuts returns the beginnings of at most bins intervals, all but the
// first, that hold about equally many samples each. A cut goes between two
// levels. It is the roundest number that is within a tenth of an interval from
// the exact quantile, or else one as near as there is, so that cuts are numbers
// that people would choose. Quantiles that fall together, for a Level that
// many samples have, give one cut.
func quantileCuts(levels []Level, integer bool, bins int) []float64 {
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
	levels  []Level
	integer bool
	first   int   // first place whose lower Level is finite
	before  []int // samples below each place, ascending
	total   int   // samples
}

func newPlaces(levels []Level, integer bool) places {
	p := places{levels: levels, integer: integer, before: make([]int, len(levels)-1)}
	for i, l := range levels {
		p.total += l.Count
		if i < len(p.before) {
			p.before[i] = p.total
		}
	}
	if math.IsInf(levels[0].Value, -1) {
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
	low, high := p.levels[first].Value, p.levels[last+1].Value
	if math.IsInf(high, 1) {
		high = math.Min(math.MaxFloat64, p.levels[last].Value+math.Max(1, math.Abs(p.levels[last].Value)))
	}
	if p.integer {
		return roundest(low, high, p.levels[near].Value) + 1
	}
	below, above := p.levels[near].Value, math.Min(p.levels[near+1].Value, high)
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

// placesOfCuts returns where cuts, in ascending order, part the levels. A cut
// with no level on one of its sides parts nothing.
func placesOfCuts(levels []Level, cuts []float64) []int {
	var at []int
	for _, c := range cuts {
		i, _ := slices.BinarySearchFunc(levels, c, func(l Level, c float64) int { return cmp.Compare(l.Value, c) })
		if i > 0 && i < len(levels) {
			at = append(at, i-1)
		}
	}
	return slices.Compact(at)
}

// Threshold returns the roundest number that splits the levels at place i: at
// least level i, and less than level i+1. Among integers it is an integer, as
// every grid that is coarser than the distance of two integers holds integers.
func Threshold(levels []Level, i int) float64 {
	low, high := levels[i].Value, levels[i+1].Value
	if math.IsInf(high, 1) {
		high = math.Min(math.MaxFloat64, low+math.Max(1, math.Abs(low)))
	}
	if low == math.Trunc(low) {
		return roundest(low, high, low)
	}
	return roundest(low, high, low/2+high/2)
}

// Values are the cuts of a column: its thresholds.
type Values struct {
	AtMost            []float64
	Infinite, Integer bool // whether the column has infinities, and else integers only
}

// ValuesOf returns what is known of a column of numbers before it is cut.
func ValuesOf(levels []Level) Values {
	n := len(levels)
	return Values{
		Infinite: n > 0 && (math.IsInf(levels[0].Value, 0) || math.IsInf(levels[n-1].Value, 0)),
		Integer:  Integers(levels),
	}
}

// Quantiles returns the cuts of a column at quantiles, of so many intervals at most.
func Quantiles(levels []Level, bins int) Values {
	v := ValuesOf(levels)
	if len(levels) < 2 {
		return v
	}
	for _, place := range placesOfCuts(levels, quantileCuts(levels, v.Integer, bins)) {
		v.AtMost = append(v.AtMost, Threshold(levels, place))
	}
	return v
}
