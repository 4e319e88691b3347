package cuts

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/bits-and-blooms/bitset"
)

// A column that runs the other way asks the same questions, and should get the same
// answers. But cuts may tie, and candidates are thinned from one end. So every
// column is asked about from the end that its samples choose: bin by bin from
// there, the weights of the classes are the smaller sequence of the two. Only a
// column with the same weights from both ends has no such end. There, a cut and
// its mirror image may tie in all that one column says, and where the whole table is
// its own image, no rule can prefer one of them in both directions.

// Chooser chooses the cuts of columns by the classes of rows.
type Chooser struct {
	rows    *bitset.BitSet // those that are drawn of many; nil: all
	classes []uint8        // of each of these
	k       int            // classes
	weights []int64        // nil: 1 each
	Spread  bool           // columns are cut at quantiles, as the classes are too many, or give no cut
	counts  []int64        // how many rows each stands for, of which a weight is a multiple; nil: one
}

// Question is a column that the choice depends on: one to cut, or one whose features are known.
type Question struct {
	binned
	candidates *candidates // nil: its features are known
}

// mostClasses is how many classes are told apart: each is a
// pass over all samples. Columns of more are cut at quantiles. So are those of three and more
// classes of fewer than fewSamples, where nothing can be told from chance.
const (
	mostClasses = 64
	fewSamples  = 30
)

// NewChooser returns what chooses cuts for n rows, of k classes each: class tells that of a row, from 0; for one class, columns
// are cut at quantiles. weights are nil if each weighs 1. A row stands for counts as many, and chance is as small as they are
// many; nil: for itself. Its weight is a multiple of its count. It looks at a sample of many rows.
func NewChooser(n, k int, class func(row int) int, weights, counts []int64) *Chooser {
	g := &Chooser{k: k, weights: weights, counts: counts, classes: make([]uint8, n)}
	if k == 1 || k > mostClasses || k > 2 && Total(counts, n) < fewSamples {
		g.k, g.weights, g.Spread = 1, counts, true
		g.sample(sampleSize)
		return g
	}
	for i := range g.classes {
		g.classes[i] = uint8(class(i))
	}
	g.renumber()
	g.sample(sampleSize)
	return g
}

// Sample returns the rows that are looked at, nil for all, how many these are, and how many rows each stands for. Columns
// are to have these alone.
func (g *Chooser) Sample() (rows *bitset.BitSet, n int, counts []int64) {
	return g.rows, len(g.classes), g.counts
}

// renumber numbers the classes by their weight, and classes of the same by their first
// samples. So nothing that is chosen depends on which class is called 1.
func (g *Chooser) renumber() {
	type class struct {
		number, first int
		weight        int64
	}
	all := make([]class, g.k)
	for i := range all {
		all[i] = class{i, -1, 0}
	}
	for i, c := range g.classes {
		if all[c].weight += g.weight(i); all[c].first < 0 {
			all[c].first = i
		}
	}
	slices.SortFunc(all, func(a, b class) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), a.first-b.first, a.number-b.number)
	})
	to := make([]uint8, g.k)
	for number, c := range all {
		to[c.number] = uint8(number)
	}
	for i, c := range g.classes {
		g.classes[i] = to[c]
	}
}

// Parts asks about a column whose features are known: each row is in one of n bins, at most 255, of which the first hold
// numbers in ascending order.
func (g *Chooser) Parts(bins []uint8, n, ordered int) *Question {
	q := &Question{binned: binned{Bins: bins, N: n, Ordered: ordered, Free: true}}
	q.orient(g)
	return q
}

// Choose returns the cuts of each column that is asked about, at most budget in all, and takes the memory of the
// questions; nothing of those whose features are known. With information, a column is also cut where that tells most of
// the classes though no prediction changes. Where no column has a cut, each gets those nearest to the quantiles of so many
// parts, if any.
func (g *Chooser) Choose(asked []*Question, budget, parts int, information bool) [][]float64 {
	columns := make([]binned, len(asked))
	for i, q := range asked {
		columns[i], q.Bins = q.binned, nil
	}
	e := newEnsemble(columns, g.classes, g.k, g.weights, g.counts)
	var bins [][]int
	if !g.Spread {
		e.choose(budget, information)
		bins = e.cuts()
		g.Spread = parts > 0 && !slices.ContainsFunc(bins, func(cuts []int) bool { return len(cuts) > 0 })
	}
	if g.Spread {
		e.atQuantiles(parts)
		bins = e.cuts()
	}
	values := make([][]float64, len(asked))
	for i, q := range asked {
		if q.candidates != nil {
			values[i] = q.candidates.chosen(bins[i])
		}
	}
	return values
}

// orient turns the ordered bins around if that is their direction.
func (q *Question) orient(g *Chooser) {
	if q.Ordered < 2 {
		return
	}
	weights := binWeights(q.N, g.k, g.classes, g.weights, q.Bins)
	if !backwards(weights[:q.Ordered]) {
		return
	}
	for i, b := range q.Bins {
		if int(b) < q.Ordered {
			q.Bins[i] = uint8(q.Ordered-1) - b
		}
	}
}

// binWeights returns the weight of each of k classes in each of n bins. Samples are of these classes, weights and bins.
func binWeights[B uint8 | uint16](n, k int, classes []uint8, weights []int64, bins []B) [][]int64 {
	all := make([]int64, n*k)
	for i, c := range classes {
		all[int(bins[i])*k+int(c)] += At(weights, i)
	}
	return slices.Collect(slices.Chunk(all, k))
}

// backwards reports whether the sequence is smaller from its end. It compares the
// weights of a bin in ascending order, and only where that tells nothing by class.
func backwards(weights [][]int64) bool {
	sorted := make([][]int64, len(weights))
	for i, w := range weights {
		sorted[i] = slices.Sorted(slices.Values(w))
	}
	c := CompareEnds(sorted)
	return c < 0 || c == 0 && CompareEnds(weights) < 0
}

// CompareEnds is below 0 where a sequence is smaller from its end, 0 where it is the
// same from both.
func CompareEnds(sequence [][]int64) int {
	for i, w := range sequence[:len(sequence)/2] {
		if c := slices.Compare(sequence[len(sequence)-1-i], w); c != 0 {
			return c
		}
	}
	return 0
}

func (g *Chooser) weight(i int) int64 { return At(g.weights, i) }

// Cuts of a table of more than sampleSize rows come from a sample of them: the trees of
// the ensemble look at each row some 80 times, and models of the cuts of ten million rows are no
// better than of those of a million (docs/scaling.md).
//
// Every class gets an equal share of the sample, or all its rows if it has fewer: its
// rows say what tells a rare class from the others. The rows of a class are drawn at random, one out of every run of so many
// rows, and weigh as many times more (Cochran, Sampling Techniques, 1977, section 8.1). The same table always
// gives the same sample.

// sampleSize is about how many rows a sample has.
const sampleSize = 1_000_000

// sample draws about most samples, if there are more, and keeps them alone.
func (g *Chooser) sample(most int) {
	if len(g.classes) <= most {
		return
	}
	runs := g.runs(most)
	random, passed, next := make([]*rand.PCG, g.k), make([]uint64, g.k), make([]uint64, g.k)
	for c := range random {
		random[c] = rand.NewPCG(1, uint64(c))
	}
	rows := bitset.New(uint(len(g.classes)))
	var classes []uint8
	var weights, counts []int64
	for i, c := range g.classes {
		if passed[c]%runs[c] == 0 {
			next[c] = passed[c] + random[c].Uint64()%runs[c]
		}
		if passed[c]++; passed[c]-1 != next[c] {
			continue
		}
		rows.Set(uint(i))
		classes, weights = append(classes, c), append(weights, g.weight(i)*int64(runs[c]))
		if g.counts != nil {
			counts = append(counts, g.counts[i])
		}
	}
	if counts == nil && slices.Min(weights) == slices.Max(weights) {
		weights = nil
	}
	g.rows, g.classes, g.weights, g.counts = rows, classes, weights, counts
}

// runs returns out of how many rows of each class one is drawn, so that about most are. The rarest classes take their
// shares first.
func (g *Chooser) runs(most int) []uint64 {
	rows, order := make([]int, g.k), make([]int, g.k)
	for _, c := range g.classes {
		rows[c]++
	}
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(x, y int) int { return rows[x] - rows[y] })
	runs := make([]uint64, g.k)
	for i, c := range order {
		share := max(1, most/(g.k-i))
		most -= min(share, rows[c])
		runs[c] = uint64(max(1, (rows[c]+share-1)/share))
	}
	return runs
}
