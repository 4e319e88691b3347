package dataset

import (
	"math"
	"strings"

	"parcorels/cuts"
	"parcorels/dataset/cell"
	"parcorels/table"

	"github.com/bits-and-blooms/bitset"
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

// Feature is a binary property of samples.
type Feature struct {
	Name   string         // what people read: "head_shape = round", "age > 21"; for .out the given name
	Column string         // name of the column; "" for .out
	Group  int            // features of one group exclude one another; -1: of no group, as thresholds are
	Test   Test           // how to evaluate it on a cell of a new table
	Bits   *bitset.BitSet // samples that have it
}

// valueName names the feature of one text or number of a column.
func valueName(column, value string) string { return column + " = " + table.Printable(value) }

// missingName names the feature of a column's missing values.
func missingName(column string) string { return column + " missing" }

// negations turn the relation in a name into its opposite.
var negations = []struct {
	relation, opposite string
	ordered            bool
}{
	{" = ", " ≠ ", false},
	{" ≤ ", " > ", true},
	{" > ", " ≤ ", true},
	{" < ", " ≥ ", true},
	{" ≥ ", " < ", true},
	{" missing", " not missing", false},
}

// NegatedName is what people read of the samples without the feature:
// "not is_smiling", "head_shape ≠ round", "priors ≤ 3".
// Where missing values are a category, which lack the feature too, the last
// would say too little, and is "not (priors > 3)".
func (f Feature) NegatedName() string {
	if f.Test.Kind == True || f.Test.Kind == Given {
		return "not " + f.Name
	}
	for _, n := range negations {
		operand, found := strings.CutPrefix(f.Name, f.Column+n.relation)
		switch {
		case !found:
		case n.ordered && !f.Test.Complete:
			return "not (" + f.Name + ")"
		default:
			return f.Column + n.opposite + operand
		}
	}
	return "not " + f.Name
}

// TwoSided reports whether the samples without the feature are a feature too:
// those on the other side of a threshold of a column without missing cells.
func (f Feature) TwoSided() bool { return f.Test.Kind == Threshold && f.Test.Complete }

// The conditions of features are those of package cell.
type (
	Test  = cell.Test
	Scale = cell.Scale
	Kind  = cell.Kind
	Time  = table.Time // how dates are written
)

// The kinds of tests.
const (
	Is, Among                   = cell.Is, cell.Among
	Number, Interval, Threshold = cell.Number, cell.Interval, cell.Threshold
	True, Missing, Given        = cell.True, cell.Missing, cell.Given
)

// ISODate is the way to write dates that all ways read: 2019-03-31.
const ISODate = table.ISODate

// ParseNumber reads a decimal number, or an infinity: what counts as a number in a cell.
func ParseNumber(text string) (float64, bool) { return table.ParseNumber(text) }

// ClassHolds evaluates a class that is a threshold on the label of a row, as Options.Positive describes it.
func ClassHolds(class, label string) (holds, ok bool) { return cell.ClassHolds(class, label) }
