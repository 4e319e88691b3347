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

// namer makes names different. It maps a name that is taken to the number that
// the next of the same name gets.
type namer map[string]int

// unique takes name if it is free, or else name, mark and a number that makes
// it free: the smallest from first on that was not tried before.
func (taken namer) unique(name, mark string, first int) string {
	k, ok := taken[name]
	if !ok {
		taken[name] = first
		return name
	}
	for {
		other := name + mark + strconv.Itoa(k)
		k++
		if _, ok := taken[other]; !ok {
			taken[name], taken[other] = k, first
			return other
		}
	}
}

// printable is text as it is if it can be shown, and quoted if not.
func printable(text string) string {
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return strconv.Quote(text)
		}
	}
	return text
}

// quote quotes text for a message, shortened to what fits on a line.
func quote(text string) string {
	const limit = 60
	if len(text) <= limit {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(strings.ToValidUTF8(text[:limit], "")), len(text))
}

// quoteSome lists texts for a message: the first few, and how many more.
func quoteSome(texts []string) string {
	quoted := make([]string, min(len(texts), listed))
	for i := range quoted {
		quoted[i] = quote(texts[i])
	}
	return some(append(quoted, texts[len(quoted):]...))
}

// listed is how many things a message lists.
const listed = 8

// some lists the first of what is already fit to print, and how many more.
func some(items []string) string {
	list := strings.Join(items[:min(len(items), listed)], ", ")
	if more := len(items) - listed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
