// Package dataset turns tables into binary features, binary labels and exact
// integer weights: everything a learner of rules needs to know of the data. Begin
// with [Read], which gives a [Dataset]; [OpenRows] reads rows for a model to predict.
//
// # Formats
//
// Read takes tables with a header (CSV, TSV, separated by ; or |; quoted
// fields, byte order mark, \r\n) and the reference format of the CORELS
// implementations (.out with its .label), all plain or gzip-compressed.
//
// # From a column to features
//
// A column is typed by its content, never by its name:
//
//   - two truth values of one kind (0/1, yes/no, true/false, t/f, y/n, in any
//     case) and no missing cell: one feature that is called like the column;
//   - numbers: where there are few (at most Bins), one feature per value, and
//     thresholds between them; otherwise two per cut, "age ≤ 20" and
//     "age > 20", at the roundest number that cuts so;
//   - any other text: one feature per value; where there are more than 32, only
//     those that are in at least 1% of the rows;
//   - missing cells: one feature "age missing", or the row is dropped.
//
// The values of one column exclude one another: they have the same Group.
// Thresholds have none. A missing cell is on neither side of one. Columns that tell nothing
// (constant, free text) have no feature. Decisions that a person might not expect are
// recorded in Dataset.Notes.
//
// Numbers are decimal, with a point, and compare as float64; infinities lie
// beyond all others. Texts compare byte for byte, but for space around them.
//
// # Reading the source
//
// Files depend on those before them alone. First come feature.go and options.go. column.go says what a column
// is, with kinds.go. builder.go, split.go (parts of a column) and
// features.go make features. dataset.go and labels.go
// make labels, with package labels.
// cutall.go, roles.go, out.go and read.go, where everything begins, put both together. subset.go makes other
// data sets of one.
//
// # Invariants
//
//   - Every bit set has N bits; N is at least 1.
//   - No feature holds in all samples or in none (those given in an .out file
//     are taken as they are), and no two features have the same name.
//   - Feature.Test holds on a raw cell exactly where Bits has the sample's bit.
//   - Weights, if any, are positive and sum up to less than 2^62.
package dataset

import (
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"parcorels/cuts"
	"parcorels/ratio"
	"parcorels/weights"
)

// ClassCount returns the number of classes, at least 2.
func (d *Dataset) ClassCount() int { return max(2, len(d.Classes)) }

// Class returns the class of sample i, from 0 to ClassCount() − 1.
func (d *Dataset) Class(i int) int { return int(d.ClassOf[i]) }

// InClass returns the samples of a class.
func (d *Dataset) InClass(class int) *bitset.BitSet {
	words := make([]uint64, (d.N+63)/64)
	for i, c := range d.ClassOf {
		if int(c) == class {
			words[i>>6] |= 1 << (i & 63)
		}
	}
	return bitset.FromWithLength(uint(d.N), words)
}

// ClassesOf returns the class of each sample of two classes, of which those in a set are of class 1.
func ClassesOf(ones *bitset.BitSet) []uint16 {
	classes := make([]uint16, ones.Len())
	for i := range ones.EachSet() {
		classes[i] = 1
	}
	return classes
}

// Weight is what sample i weighs, in integer units; 1 where samples have no weights.
func (d *Dataset) Weight(i int) int64 { return cuts.At(d.Weights, i) }

// WeightsAt yields the classes in which sample i weighs anything, with its weight there: what deciding so saves.
func (d *Dataset) WeightsAt(i int) iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) {
		if d.Gains == nil {
			yield(d.Class(i), d.Weight(i))
			return
		}
		for q, gains := range d.Gains {
			if gains[i] > 0 && !yield(q, gains[i]) {
				return
			}
		}
	}
}

// TotalWeight is what all samples weigh, in integer units; N where they have no weights.
func (d *Dataset) TotalWeight() int64 { return cuts.Total(d.Weights, d.N) }

// ClassName returns the label text of a class, "" for one that never occurs.
func (d *Dataset) ClassName(class int) string { return d.Classes[class] }

// LabelTexts returns the label text of each class.
func (d *Dataset) LabelTexts() []string { return slices.Clone(d.Classes) }

// Dataset is N samples with binary features, a label and exact weights.
type Dataset struct {
	Source       string // file name as given
	Hash         string // "sha256:…" of the uncompressed bytes, the table and then the label file if any; "" after Options.NoHash
	Format       string // "csv" or "out"
	N            int    // samples
	Features     []Feature
	Numbers      []Numbers // columns of numbers that Options.AllCuts left uncut
	Columns      []string  // column names in file order; nil for .out
	NoHeader     bool      // the first line of the table is data: Options.NoHeader said so, or its cells did
	DecimalComma bool      // Options.DecimalComma said so
	Target       string    // name of the label column; for .out what the two label names have in common

	// Classes are the raw label texts by class, of two or, with Options.Multiclass, of more; "" for a class
	// that never occurs.
	Classes []string
	// OneVsRest reports that class 0 stands for every label but Classes[1];
	// Classes[0] is then "not " and the text of class 1.
	OneVsRest bool
	ClassOf   []uint16 // class of each sample

	// Weights are exact positive integers, without a common divisor unless they are numbers of rows; nil if
	// every sample weighs 1. A sample's weight in the user's terms is
	// Weights[i]/WeightUnit, for printing. The unit is a ratio because balanced
	// classes of 300 and 100 samples weigh 2/3 and 2, and the integers that
	// decide are to be as small as they can: 1 and 3, with unit 3/2.
	Weights    []int64
	WeightUnit ratio.Ratio

	Costs *Costs // of decisions, with Options.Costs; of all rows of the table, in subsets, too
	// Gains are what more than two decisions save beside the dearest one, by class and sample, in units of weight. A sample
	// weighs their sum. They are nil where each sample has a weight in its own class alone.
	Gains [][]int64

	Dropped int      // rows left out because a value is missing, or no decision matters
	Notes   []string // lines that a person should read

	MaybeCommas  bool     // texts may be numbers with a decimal comma, and are read as texts
	MaybeMissing []string // values that may mean missing, as they are written, of all columns

	// counts are how many rows of the table each sample stands for; nil: one. inClass is what such a row weighs beside
	// one of another class; nil: they weigh the same.
	counts, inClass []int64
	digits          weights.Digits // see Options.Digits

	// ChosenCuts are the numbers at which reading chose to cut columns, ascending,
	// by the name of the column. Columns of Options.Cuts are not among them, nor are those
	// of few numbers, which have a feature for each. A proof records these
	// numbers, because the choice by labels takes a search in
	// floating point, which another processor may round otherwise.
	ChosenCuts   map[string][]float64
	ChosenGroups map[string][][]string // by column, texts that are put together in groups: the first of these blocks, or the last

	LeftOut []string // columns that are not used, as they seem to number the rows or are ids

	dropped *bitset.BitSet // rows of the table that are no samples; nil: none
	kept    *builder       // what it takes to make features again; nil unless Options.KeepColumns was set
}

// Costs are the sums of the costs of all rows, those left out among them; a subset has none.
type Costs struct {
	Matrix  []*big.Rat // by class and decision, as Options.CostMatrix; nil: columns have the costs
	Columns []string   // by decision; "": that of AskDecision
	Ask     string     // Options.AskCost
	Error   *big.Rat   // what a weight of 1 costs; nil: 1
	Each    []*big.Rat // by decision: what it costs to decide so for everyone
	Least   *big.Rat   // of the best decision of each row
}

// FileRows returns the row of the table that each sample is, from 1 and without the header.
func (d *Dataset) FileRows() []int {
	rows := make([]int, 0, d.N)
	for row := 1; len(rows) < d.N; row++ {
		if d.dropped == nil || !d.dropped.Test(uint(row-1)) {
			rows = append(rows, row)
		}
	}
	return rows
}

func (d *Dataset) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// weigh sets the weights of d: those of its samples (nil: 1 each), times that of their class. Amounts are no numbers of rows.
func (d *Dataset) weigh(samples []weights.Decimal, amounts bool, classWeights string, digits weights.Digits) error {
	d.digits = digits
	w, err := weights.Weigh(&weights.Samples{N: d.N, Classes: d.ClassCount(), Class: d.Class, Weights: samples, Amounts: amounts},
		classWeights, digits)
	if err != nil {
		return err
	}
	if d.Weights, d.WeightUnit, d.inClass = w.Weights, w.Unit, w.Rows; w.Multiple != "" {
		d.note("weights have too many digits to be added exactly: they, or those of classes, are rounded to multiples of %s", w.Multiple)
	}
	return nil
}

// A sample whose weight is a whole number stands for as many rows, where the weights of all are whole numbers. All that is
// decided by numbers of rows is then decided by these: where numbers are cut, which texts are frequent, what is an id, the
// default λ. So a table with such weights is read as the table in which each row is repeated.

// Rows is how many rows the samples stand for, N where weights are no whole numbers.
func (d *Dataset) Rows() int { return int(cuts.Total(d.counts, d.N)) }

// RowsAt is how many rows a sample stands for.
func (d *Dataset) RowsAt(i int) int64 { return cuts.At(d.counts, i) }

// RowsOf is Rows of the samples in both of two sets.
func (d *Dataset) RowsOf(a, b *bitset.BitSet) int64 {
	if d.counts == nil {
		return int64(a.IntersectionCardinality(b))
	}
	rows := int64(0)
	for w, word := range a.Words() {
		for word &= b.Words()[w]; word != 0; word &= word - 1 {
			rows += d.counts[w*64+bits.TrailingZeros64(word)]
		}
	}
	return rows
}

// Heaviest returns what a row of the class whose rows weigh most weighs: as a share of all, and in the user's weights.
func (d *Dataset) Heaviest() (share, weight *big.Rat) {
	if d.Weights == nil {
		return big.NewRat(1, int64(d.N)), big.NewRat(1, 1)
	}
	rows, weights := make([]int64, d.ClassCount()), make([]int64, d.ClassCount())
	for i := range d.N {
		c := d.Class(i)
		weights[c] += d.Weights[i]
		rows[c] += d.RowsAt(i)
	}
	share = new(big.Rat)
	for c, n := range rows {
		if n > 0 {
			if w := big.NewRat(weights[c], n); w.Cmp(share) > 0 {
				share = w
			}
		}
	}
	return ratio.Over(share, ratio.Int(d.TotalWeight())), ratio.Over(share, d.WeightUnit.Rat())
}

// Counted reports whether the weights of samples are numbers of rows.
func (d *Dataset) Counted() bool { return d.counts != nil }

// Weighted reports whether samples weigh otherwise than the rows that they stand for.
func (d *Dataset) Weighted() bool { return d.Weights != nil && (d.counts == nil || d.inClass != nil) }

// ClassesWeigh reports whether rows of different classes weigh differently because options say so.
func (d *Dataset) ClassesWeigh() bool { return d.inClass != nil }

// Expanded returns the samples with each row that they stand for as a sample of its own, and the sample that each was.
func (d *Dataset) Expanded() (*Dataset, []int) {
	var of []int
	for i := range d.N {
		for range d.counts[i] {
			of = append(of, i)
		}
	}
	s := d.take(of, nil)
	s.Weights = nil
	if each := d.cutWeights(); d.inClass != nil {
		for i, c := range d.counts {
			each[i] /= c
		}
		s.Weights = Taken(each, of)
	}
	return s, of
}

// take returns the samples of a list, in its order and maybe several times, which stand for so many rows each.
func (d *Dataset) take(samples []int, counts []int64) *Dataset {
	s := *d
	s.N, s.counts = len(samples), counts
	s.Weights, s.ClassOf = Taken(d.Weights, samples), Taken(d.ClassOf, samples)
	s.Gains = slices.Clone(d.Gains)
	for q := range s.Gains {
		s.Gains[q] = Taken(s.Gains[q], samples)
	}
	s.Features, s.Numbers = slices.Clone(d.Features), slices.Clone(d.Numbers)
	for i := range s.Features {
		s.Features[i].Bits = takenBits(s.Features[i].Bits, samples)
	}
	for i := range s.Numbers {
		s.Numbers[i].Ranks = Taken(s.Numbers[i].Ranks, samples)
	}
	if d.kept != nil {
		s.kept = d.kept.take(samples, counts)
	}
	return &s
}

// takenBits returns the samples of a list that are in a set.
func takenBits(of *bitset.BitSet, samples []int) *bitset.BitSet {
	words, from := make([]uint64, (len(samples)+63)/64), of.Words()
	for i, at := range samples {
		words[i>>6] |= from[at>>6] >> (at & 63) & 1 << (i & 63)
	}
	return bitset.FromWithLength(uint(len(samples)), words)
}

// cutWeights returns the weights of samples that cuts are chosen by: what as many rows as each stands for would weigh.
func (d *Dataset) cutWeights() []int64 {
	if d.counts == nil {
		return d.Weights
	}
	if d.inClass == nil {
		return d.counts
	}
	each := make([]int64, d.N)
	shift := max(0, bits.Len(uint(d.Rows()))+bits.Len64(uint64(slices.Max(d.inClass)))-62) // so that they add up
	for i, c := range d.counts {
		each[i] = c * max(1, d.inClass[d.Class(i)]>>shift)
	}
	return each
}
