package cuts

import (
	"math"
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

// places are where a cut can go: place i lies between levels i and i+1.
type places struct {
	first  int   // first place whose lower Level is finite
	before []int // samples below each place, ascending
	total  int   // samples
}

func newPlaces(levels []Level) places {
	p := places{before: make([]int, len(levels)-1)}
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
