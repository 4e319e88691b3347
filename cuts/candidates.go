package cuts

import (
	"math"
	"slices"
	"strconv"
)

const (
	// fineBins bounds the places that are looked at in a column. Quantiles of
	// the numbers stand for them where there are more.
	fineBins = 1 << 11
	// maxCandidates bounds those that the ensemble looks at.
	maxCandidates = 250
)

// candidates are the places where a column may be cut, in the order in which
// the ensemble looks at them.
type candidates struct {
	beside [][2]Level // the levels on both sides of each place
	turned bool       // from the greatest number down
}

// chosen returns the cuts behind the given bins.
func (k *candidates) chosen(bins []int) (values []float64) {
	if k.turned {
		slices.Reverse(bins)
	}
	for _, b := range bins {
		values = append(values, Threshold(k.beside[b][:], 0))
	}
	return values
}

// Numbers asks about a column of numbers, in bins between candidates. It returns nil of a column that has no place for a cut.
func (g *Chooser) Numbers(c *Column) *Question {
	levels := c.Levels()
	if len(levels) < 2 {
		return nil
	}
	p := newPlaces(levels)
	fine := p.fine()
	begins := make([]float64, len(fine))
	for i, place := range fine {
		begins[i] = levels[place+1].Value
	}
	bins := Taken(c.fineBins(begins), c.Codes)
	weights := binWeights(len(fine)+2, g.k, g.classes, g.weights, bins)[:len(fine)+1]
	k := &candidates{turned: backwards(weights)}
	if k.turned {
		slices.Reverse(weights)
		slices.Reverse(fine)
	}
	coarse, kept := boundaries(weights)
	for _, i := range kept {
		k.beside = append(k.beside, [2]Level(levels[fine[i]:fine[i]+2]))
	}
	if k.turned {
		slices.Reverse(coarse) // it is by bins that are not
	}
	ordered := len(kept) + 1
	coarse = append(coarse, uint8(ordered)) // of missing cells
	return &Question{candidates: k, binned: binned{Bins: Taken(coarse, bins), Ordered: ordered, N: ordered + 1}}
}

// fine returns the places to look at, at most fineBins: all, or those nearest
// to quantiles.
func (p *places) fine() (at []int) {
	if len(p.before)-p.first <= fineBins {
		for i := p.first; i < len(p.before); i++ {
			at = append(at, i)
		}
		return at
	}
	for q := int64(1); q < fineBins; q++ {
		at = p.addNearest(at, q)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// addNearest appends the place nearest to quantile q of fineBins. If two are as near,
// it is the one nearer to the middle, and both where they are as near to that:
// so a column that is turned around has the same places.
func (p *places) addNearest(at []int, q int64) []int {
	want := int64(p.total) * q // times fineBins, as what follows
	before := p.before[p.first:]
	i, _ := slices.BinarySearchFunc(before, want, func(n int, want int64) int {
		if int64(n)*fineBins < want {
			return -1
		}
		return 1
	})
	if i == len(before) {
		return append(at, p.first+i-1)
	}
	if i == 0 {
		return append(at, p.first)
	}
	low, high := want-int64(before[i-1])*fineBins, int64(before[i])*fineBins-want
	if low == high { // none is in the middle, unless q is
		low, high = p.fromMiddle(before[i-1]), p.fromMiddle(before[i])
	}
	if low <= high {
		at = append(at, p.first+i-1)
	}
	if high <= low {
		at = append(at, p.first+i)
	}
	return at
}

// fromMiddle is how far a place with so many samples below is from the median.
func (p *places) fromMiddle(below int) int64 {
	d := 2*int64(below) - int64(p.total)
	return max(d, -d)
}

// fineBins returns the bin of each code: the number of begins up to its number, and one more than there are for a missing one.
func (c *Column) fineBins(begins []float64) []uint16 {
	bins, bin := slices.Repeat([]uint16{uint16(len(begins) + 1)}, len(c.Values)), 0
	for i := range c.numbers() {
		code := c.code(i)
		for bin < len(begins) && begins[bin] <= c.Values[code] {
			bin++
		}
		bins[code] = uint16(bin)
	}
	return bins
}

// boundaries returns which of the cuts behind the fine bins are boundary
// points, thinned to maxCandidates of about equal weight between them, and the
// bin between those for each fine bin.
func boundaries(weights [][]int64) (coarse []uint8, kept []int) {
	var candidates []int
	for i := range len(weights) - 1 {
		if !oneClass(weights[i], weights[i+1]) {
			candidates = append(candidates, i)
		}
	}
	kept = candidates
	if len(candidates) > maxCandidates {
		kept = thinned(candidates, weights)
	}
	coarse = make([]uint8, len(weights))
	next := 0
	for b := range coarse {
		coarse[b] = uint8(next)
		if next < len(kept) && kept[next] == b {
			next++
		}
	}
	return coarse, kept
}

// oneClass reports whether two bins together have samples of at most one class of several.
func oneClass(x, y []int64) bool {
	if len(x) == 1 {
		return false
	}
	classes := 0
	for class := range x {
		if x[class]+y[class] > 0 {
			classes++
		}
	}
	return classes < 2
}

// thinned returns at most maxCandidates of the candidates: the first behind
// each share of the weight.
func thinned(candidates []int, weights [][]int64) (kept []int) {
	var below, total int64
	bins := make([]int64, len(weights))
	for i, w := range weights {
		for _, x := range w {
			bins[i] += x
		}
		total += bins[i]
	}
	step := total/(maxCandidates+1) + 1
	next := 0
	limit := step
	for b, w := range bins {
		below += w
		if next < len(candidates) && candidates[next] == b {
			next++
			if below >= limit {
				kept = append(kept, b)
				limit = below + step
			}
		}
	}
	return kept
}

// Integers reports whether all finite numbers are integers that floats tell
// apart.
func Integers(levels []Level) bool {
	for _, l := range levels {
		if v := l.Value; !math.IsInf(v, 0) && (v != math.Trunc(v) || math.Abs(v) >= 1<<53) {
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
