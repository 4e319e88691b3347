package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
)

// Column is how a column of a table was read.
type Column struct {
	Name string
	As   string // what its cells are taken for: "number cut at 20, 30"
	// Missing are the samples without a value, where that is a category.
	Missing int64
}

// Columns returns the columns that have features, in the order of the table. An .out file
// has no columns.
func Columns(d *dataset.Dataset) (list []Column) {
	features := map[string][]dataset.Feature{}
	for _, f := range d.Features {
		if f.Column == "" {
			return nil
		}
		if features[f.Column] == nil {
			list = append(list, Column{Name: f.Column})
		}
		features[f.Column] = append(features[f.Column], f)
	}
	for i := range list {
		c := &list[i]
		c.As, c.Missing = readAs(features[c.Name])
	}
	return list
}

// readAs says what the cells of a column are taken for, and how many are missing.
func readAs(features []dataset.Feature) (text string, missing int64) {
	var parts, values []string
	var cuts []float64
	var scale dataset.Scale
	kind := ""
	for _, f := range features {
		scale = f.Test.Scale
		switch t := f.Test; t.Kind {
		case dataset.Missing:
			missing = int64(f.Bits.Count())
			parts = append(parts, wording.Thousands(missing)+" missing")
		case dataset.True:
			parts = append(parts, "yes or no")
		case dataset.Is:
			values = append(values, t.Value)
		case dataset.Number:
			i, _ := slices.BinarySearchFunc(values, t.Value, byNumber)
			values = slices.Insert(values, i, t.Value)
		case dataset.Interval:
			kind = "number in intervals from "
			cuts = append(cuts, bounds(t.Low)...)
		case dataset.Threshold:
			kind = "number cut at "
			cuts = append(cuts, bounds(t.Low, t.High)...)
		}
	}
	if len(cuts) > 0 {
		slices.Sort(cuts)
		var texts []string
		for _, c := range slices.Compact(cuts) {
			texts = append(texts, scale.Format(c))
		}
		parts = append(parts, kind+strings.Join(texts, ", "))
	}
	if len(values) > 0 {
		parts = append(parts, wording.Count(int64(len(values)), "value")+": "+strings.Join(values, ", "))
	}
	if len(parts) == 1 && features[0].Test.Kind == dataset.Missing {
		parts = append(parts, "no other condition")
	}
	return strings.Join(parts, "; "), missing
}

// byNumber compares texts of numbers.
func byNumber(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

// bounds returns the numbers that are there.
func bounds(list ...*float64) (there []float64) {
	for _, b := range list {
		if b != nil {
			there = append(there, *b)
		}
	}
	return there
}
