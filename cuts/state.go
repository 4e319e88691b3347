package cuts

import "cmp"

// binned is a column of the samples, in bins.
type binned struct {
	Bins []uint8 // of each sample, below N
	N    int     // bins, at most 255
	// Ordered is how many of the bins, the first, hold numbers in ascending
	// order: a cut lies behind one of them. The others are categories each.
	Ordered int
	Free    bool // the column is cut already, behind all ordered bins: its cuts cost nothing
}

// The ensemble: trees trees of up to splits splits each; a tree's answer counts
// 1/rate.
const (
	trees  = 40
	splits = 7
	rate   = 4
	one    = 1 << 16 // the label 1, in the units of scores
)

// A leaf weighs at least 1/leafShare of all samples, and more where a class is
// rare: so much that 2/(q(1−q)) rows of average weight weigh no more, q the share of
// the class among the rows. That are 8 rows at 50% and 42 at 5%. Otherwise two
// samples of a rare class that happen to be neighbours are a leaf.
const (
	leafShare = 200
	leafRows  = 2
)

// ensemble is the state of a call of cutsOf.
type ensemble struct {
	columns []binned
	labels  []uint8     // the class of each sample
	k       int         // classes
	weights []int64     // scaled down to add up to less than 2^41; nil: 1 each
	counts  []int64     // rows that each stands for; nil: one
	rows    int         // their number
	total   int64       // weight
	classes [][][]int64 // by column and bin: the weight of each class

	boundaries [][]boundary // by column and bin
	candidates int          // cuts that there are at first, of all columns
	first      []int        // by column: of its bins among those of all
	bins       int          // of all columns

	// The trees that are grown for a class against the others have these:
	class     uint8
	least     int64   // what a leaf weighs at least
	used      []int   // columns that some split may take
	found     []split // the best one of each, in the node at hand
	residuals []int32 // of each sample
	loss      float64 // Σ w²r² / Σ w: what the sum of noise over a leaf gains on average
	order     []int32 // the samples, those of a node together
	spareRows []int32 // as many
	root      []sums  // of the next tree, by bin; nil: not known yet
	spare     [][]sums
	noise     float64 // what a split must gain to be one
}

// boundary is a cut that there may be, behind a bin.
type boundary struct {
	allowed bool
	seed    bool // it is kept whatever it gains
	// balance is the lighter weight of the numbers on the two sides. Among
	// cuts between which a node has no sample, the one in the middle is taken,
	// whichever way the column runs.
	balance int64
	gain    float64   // of all splits at it, for the class at hand; 0 if it was never taken
	gains   []float64 // by class
	summed  float64   // of all classes
}

// each calls f for all cuts that there may be.
func (e *ensemble) each(f func(b *boundary)) {
	for _, list := range e.boundaries {
		for i := range list {
			f(&list[i])
		}
	}
}

func sum(weights []int64) (total int64) {
	for _, w := range weights {
		total += w
	}
	return total
}

func (e *ensemble) weight(i int) int64 { return At(e.weights, i) }

// count returns how many rows a sample stands for.
func (e *ensemble) count(i int) int64 { return At(e.counts, i) }

// At returns one of some weights or counts, 1 if they are nil.
func At(list []int64, i int) int64 {
	if list == nil {
		return 1
	}
	return list[i]
}

// Total adds up weights or counts, 1 for each of n if they are nil.
func Total(list []int64, n int) int64 {
	if list == nil {
		return int64(n)
	}
	return sum(list)
}

// cut is a cut of a column and what it has gained.
type cut struct {
	column, bin int
	gain        float64
}

// byGain orders cuts, those that have gained most first.
func byGain(x, y *cut) int { return cmp.Compare(y.gain, x.gain) }

// sums is what is known of a set of samples: its weight, and the sum of its
// weighted residuals.
type sums struct{ residual, weight int64 }

func (s sums) plus(t sums) sums { return sums{s.residual + t.residual, s.weight + t.weight} }

func (s sums) minus(t sums) sums { return sums{s.residual - t.residual, s.weight - t.weight} }

// score is what squared loss a set is spared by its own mean.
func (s sums) score() float64 {
	r := float64(s.residual)
	return float64(r*r) / float64(s.weight)
}

// maxBins is more than a column has bins.
const maxBins = 256

// split is a way to split a node: the samples in the bins of a column from first
// to last go one way, all others the other way.
type split struct {
	column, first, last int
	cut                 int // -1: a category
	gain                float64
	balance             int64 // of the cut, see ensemble
}

// node is a leaf of the tree that grows.
type node struct {
	rows  []int32 // ascending
	total sums
	bins  []sums // of the bins of all columns
	best  split
	step  int64 // what the scores become more by
}
