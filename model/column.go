package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parcorels/dataset"
)

// Column is a raw column that a model looks at. A column of .out data is a given
// antecedent, and its cells are 0 and 1.
type Column struct {
	Name string `json:"name"`
	// Cell is the test of one of the column's features. Which one does not
	// matter: it is an error for any cell that cannot be of this column.
	Cell dataset.Test `json:"cell"`
	// Values are the texts or numbers (by the kind of Cell) that have a feature
	// of their own, used by the model or not. Columns of other kinds have none.
	Values []string `json:"values,omitempty"`
}

// addColumn returns the name of the column that feature tests, and adds the column
// to the model if it is new there.
func (f *Frame) addColumn(d *dataset.Dataset, feature dataset.Feature) string {
	name := feature.Column
	if feature.Test.Kind == dataset.Given {
		name = feature.Name
	}
	if slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Name == name }) {
		return name
	}
	c := Column{Name: name, Cell: feature.Test}
	for _, g := range d.Features {
		if g.Column != feature.Column || g.Test.Kind == dataset.Missing || g.Test.Kind == dataset.Given {
			continue
		}
		// A column of few numbers has thresholds beside its values, one of texts groups.
		more := g.Test.Kind == dataset.Threshold || g.Test.Kind == dataset.Among
		if more && len(c.Values) > 0 || feature.Test.Kind == dataset.Threshold && hasValues(g.Test.Kind) {
			continue
		}
		c.Cell = g.Test
		if hasValues(g.Test.Kind) {
			c.Values = append(c.Values, g.Test.Value)
		}
	}
	f.Columns = append(f.Columns, c)
	return name
}

// hasValues reports whether a column of this kind has a feature per value.
func hasValues(k dataset.Kind) bool { return k == dataset.Is || k == dataset.Number }

// Known tells the values of a column that have a feature from those that do not.
type Known struct {
	texts   map[string]bool
	numbers []dataset.Test // none in a column of texts
}

// Known returns them, to look values up.
func (c Column) Known() Known {
	k := Known{texts: map[string]bool{}}
	for _, v := range c.Values {
		k.texts[v] = true
		if c.Cell.Kind == dataset.Number {
			k.numbers = append(k.numbers, dataset.Test{Kind: dataset.Number, Value: v, Scale: c.Cell.Scale})
		}
	}
	return k
}

// Has reports whether the cell, which is not missing, has a known value. The
// texts of numbers are only a short cut: 1.0 is 1 too.
func (k Known) Has(cell string) bool {
	if len(k.texts) == 0 || k.texts[strings.TrimSpace(cell)] {
		return true
	}
	for _, t := range k.numbers {
		if ok, err := t.Holds(cell); ok || err != nil {
			return true
		}
	}
	return false
}

func (f *Frame) checkColumns() error {
	seen := map[string]bool{}
	for i, c := range f.Columns {
		if seen[c.Name] {
			return fmt.Errorf("columns[%d] is named %q like an earlier one", i, c.Name)
		}
		if err := f.checkTest(c.Cell); err != nil {
			return fmt.Errorf("columns[%d].cell: %w", i, err)
		}
		if len(c.Values) > 0 != hasValues(c.Cell.Kind) {
			return fmt.Errorf("columns[%d] has %d values and cells of kind %q", i, len(c.Values), c.Cell.Kind)
		}
		seen[c.Name] = true
	}
	return nil
}

// checkTest reports a test that can judge no cell, or that does not belong to
// data of the model's format.
func (f *Frame) checkTest(t dataset.Test) error {
	if (t.Kind == dataset.Given) != (f.Data.Format == "out") {
		return fmt.Errorf("a test of kind %q in data of format %q", t.Kind, f.Data.Format)
	}
	if !t.Known() {
		return fmt.Errorf("levels and dates, or dates as %q", t.Time)
	}
	switch t.Kind {
	case dataset.Is, dataset.True, dataset.Missing, dataset.Given:
		return nil
	case dataset.Among:
		if len(t.Values) == 0 || !slices.IsSorted(t.Values) {
			return errors.New("texts that are not in order, or none")
		}
		return nil
	case dataset.Number:
		if ok, _ := (dataset.Test{Kind: t.Kind, Value: t.Value, Scale: t.Scale}).Holds(t.Value); !ok {
			return fmt.Errorf("%q is not a number to compare with", t.Value)
		}
		return nil
	case dataset.Interval, dataset.Threshold:
		if t.Low == nil && t.High == nil || t.Low != nil && t.High != nil && *t.Low >= *t.High {
			return errors.New("an interval of no or of all numbers")
		}
		return nil
	}
	return fmt.Errorf("unknown kind of test %q", t.Kind)
}
