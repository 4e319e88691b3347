package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// valueName names the feature of one text or number of a column.
func valueName(column, value string) string { return column + " = " + printable(value) }

// missingName names the feature of a column's missing values.
func missingName(column string) string { return column + " missing" }

// intervalName names an interval: by its first and last integer if the column
// holds integers only, and by its bounds otherwise.
func (p *parts) intervalName(column string, low, high *float64, integer bool) string {
	switch {
	case !integer && low == nil:
		return column + " < " + p.scale.Format(*high)
	case !integer && high == nil:
		return column + " ≥ " + p.scale.Format(*low)
	case !integer:
		return fmt.Sprintf("%s in [%s, %s)", column, p.scale.Format(*low), p.scale.Format(*high))
	case low == nil:
		return column + " ≤ " + p.scale.Format(math.Ceil(*high)-1)
	case high == nil:
		return column + " > " + p.scale.Format(math.Ceil(*low)-1)
	}
	first, last := math.Ceil(*low), math.Ceil(*high)-1
	switch {
	case first == last:
		return column + " = " + p.scale.Format(first)
	case first < 0:
		return fmt.Sprintf("%s in %s to %s", column, p.scale.Format(first), p.scale.Format(last))
	}
	return fmt.Sprintf("%s in %s–%s", column, p.scale.Format(first), p.scale.Format(last))
}

// negations turn the relation in a name into its opposite.
var negations = []struct {
	relation, opposite string
	ordered            bool
}{
	{" = ", " ≠ ", false},
	{" in ", " not in ", false},
	{" ≤ ", " > ", true},
	{" > ", " ≤ ", true},
	{" < ", " ≥ ", true},
	{" ≥ ", " < ", true},
	{" missing", " not missing", false},
}

// NegatedName is what people read of the samples without the feature:
// "not is_smiling", "head_shape ≠ round", "age not in 21–22", "priors ≤ 3".
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

// printable is text as it is if it can be shown, and quoted if not.
func printable(text string) string {
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return strconv.Quote(text)
		}
	}
	return text
}
