package dataset

import (
	"fmt"
	"iter"
	"math/big"
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
