package dataset

import (
	"math"
	"slices"
	"sort"

	"github.com/bits-and-blooms/bitset"
	"parcorels/cuts"
	"parcorels/table"
)

// With Options.AllCuts numbers are not cut: a column of numbers has no features, but its
// numbers in Dataset.Numbers, for searches that look at every threshold. Those that a model uses are
// made by WithCuts.

// Numbers is a column of numbers that is not cut.
type Numbers struct {
	Column string
	Levels []float64 // its distinct numbers, ascending; some may be in no sample of a subset
	Ranks  []int32   // of each sample, the place of its number among the levels; len(Levels) of a missing one
	// Missing says that a number is missing in some sample of the table.
	Missing bool

	scale Scale
	words []string // see Test.MissingWords
}

// Thresholds returns how many places there are between two levels.
func (n *Numbers) Thresholds() int { return max(0, len(n.Levels)-1) }

// Between returns the roundest threshold that parts two levels: at least the lower and less than
// the higher one.
func (n *Numbers) Between(low, high int) float64 {
	below, above := n.Levels[low], n.Levels[high]
	if math.IsInf(below, -1) {
		below = -math.MaxFloat64
		if !math.IsInf(above, 1) {
			below = math.Max(below, above-math.Max(1, math.Abs(above)))
		}
	}
	return cuts.Threshold([]cuts.Level{{Value: below}, {Value: above}}, 0)
}

// Cut asks for a feature of a column of Dataset.Numbers.
type Cut struct {
	Numbers int     // index of the column
	At      float64 // the feature holds up to this number
	Above   bool    // it holds above it instead
	Missing bool    // it holds where the number is missing, whatever else is said
}

// WithCuts returns d with a feature for each cut, in their order, behind its own features.
func (d *Dataset) WithCuts(cuts []Cut) *Dataset {
	if len(cuts) == 0 {
		return d
	}
	with, names := *d, table.Namer{}
	with.Features = slices.Clone(d.Features)
	for _, f := range d.Features {
		names.Unique(f.Name, " #", 2)
	}
	for _, cut := range cuts {
		n := &d.Numbers[cut.Numbers]
		f := Feature{Column: n.Column, Group: -1, Bits: bitset.New(uint(d.N))}
		up := sort.Search(len(n.Levels), func(i int) bool { return n.Levels[i] > cut.At }) // levels up to At
		least, behind := 0, up                                                             // ranks of the samples that it holds for
		switch text := n.scale.Format(cut.At); {
		case cut.Missing:
			f.Name, f.Test = missingName(n.Column), Test{Kind: Missing}
			least, behind = len(n.Levels), len(n.Levels)+1
		case cut.Above:
			f.Name, f.Test = n.Column+" > "+text, Test{Kind: Threshold, Low: &cut.At, Scale: n.scale}
			least, behind = up, len(n.Levels)
		default:
			f.Name, f.Test = n.Column+" ≤ "+text, Test{Kind: Threshold, High: &cut.At, Scale: n.scale}
		}
		f.Test.MissingWords, f.Test.Complete = n.words, !n.Missing
		for i, r := range n.Ranks {
			if int(r) >= least && int(r) < behind {
				f.Bits.Set(uint(i))
			}
		}
		f.Name = names.Unique(f.Name, " #", 2)
		with.Features = append(with.Features, f)
	}
	return &with
}

// uncut reports whether a column stays as it is.
func (b *builder) uncut(c *column) bool { return b.o.AllCuts && c.kind == numericColumn }

// numbersOf returns a column of numbers with its levels.
func (b *builder) numbersOf(c *column) *Numbers {
	n := &Numbers{Column: c.name, Ranks: make([]int32, b.n), scale: c.scale, words: b.o.Missing}
	levels := c.cells().Levels()
	n.Levels = make([]float64, 0, len(levels))
	for _, l := range levels {
		n.Levels = append(n.Levels, l.Value+0) // −0 is 0
	}
	missing := int32(len(n.Levels))
	rank := func(v float64) int32 {
		if math.IsNaN(v) {
			return missing
		}
		if math.IsInf(v, 0) {
			return int32(sort.SearchFloat64s(n.Levels, v))
		}
		at := 0
		for count := len(n.Levels); count > 1; count -= count / 2 { // no branch depends on the sign, which is as good as random
			at += count / 2 & -int(math.Float64bits(n.Levels[at+count/2-1]-v)>>63)
		}
		return int32(at)
	}
	if c.many {
		for i, v := range c.numbers {
			n.Ranks[i] = rank(v)
		}
	} else {
		of := make([]int32, len(c.values))
		for code, v := range c.values {
			of[code] = rank(v)
		}
		for i, code := range c.codes {
			n.Ranks[i] = of[code]
		}
	}
	n.Missing = slices.Contains(n.Ranks, missing)
	return n
}

// subset returns the numbers of the samples of rows, of which there are n.
func (n *Numbers) subset(rows *bitset.BitSet, count int) Numbers {
	part := *n
	part.Ranks = extract(n.Ranks, rows, count)
	return part
}
