package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parcorels/optionerr"
	"parcorels/table"
	"parcorels/weights"
)

// find returns the position of the column that is to play a role, of one for which an ambiguous name makes no sense if one is true.
func (r *reading) find(name, role, option string, one bool) (int, error) {
	if one && r.rows.Twice[name] {
		return 0, optionerr.Errorf(option, "more than one column is called %s (%s): rename one", table.Quote(name), role)
	}
	i := slices.Index(r.header, name)
	if i < 0 {
		like := "the columns are " + table.QuoteSome(r.header)
		for _, other := range r.header {
			if strings.EqualFold(other, name) {
				like = "did you mean " + table.Quote(other) + "?"
			}
		}
		return 0, optionerr.Errorf(option, "no column %s (%s); %s", table.Quote(name), role, like)
	}
	return i, nil
}

// assign gives each column its part as the options say.
func (r *reading) assign() error {
	if len(r.header) == 1 {
		return fmt.Errorf("only one column, %s, is found: expected at least two; if they are separated by another sign than , ; | or "+
			"tab, name it with option Comma", table.Quote(r.header[0]))
	}
	if err := r.assignTarget(); err != nil {
		return err
	}
	ignored, err := r.ignored()
	if err != nil {
		return err
	}
	attributes := 0
	r.columns = make([]*column, len(r.header))
	for i, name := range r.header {
		if ignored[i] || i == r.weightAt || r.isCost(i) {
			continue
		}
		c := &column{name: name, at: i, missing: r.o.Missing, keep: table.KeepCells, scale: Scale{Levels: r.o.Ordered[name]}}
		c.comma = r.rows.DecimalComma
		if c.categories = slices.Contains(r.o.Categories, name) || r.o.Ordered[name] != nil; c.categories {
			c.keep = table.KeepCategories
		}
		if i == r.targetAt {
			c.keep = table.KeepTexts
		}
		r.columns[i] = c
		if i != r.targetAt {
			attributes++
		}
	}
	if attributes == 0 {
		return errors.New("no column is left besides the target: nothing to learn from")
	}
	if fit := r.o.ColumnMemory / columnBytes; r.o.ColumnMemory > 0 && int64(attributes) > fit {
		return optionerr.Errorf("Memory", "%d columns are too many for the memory, in which %d fit: give more by option Memory, or leave "+
			"columns out by option Ignore", attributes, fit)
	}
	return nil
}

// columnBytes is about what a column of numbers takes with its features and their names, however few rows it has.
const columnBytes = 8 << 10

// assignTarget finds the columns of labels and of weights.
func (r *reading) assignTarget() (err error) {
	r.targetAt, r.weightAt = len(r.header)-1, -1
	if r.o.Costs != nil {
		return r.findCosts()
	}
	if r.o.Target != "" {
		if r.targetAt, err = r.find(r.o.Target, "the target", "Target", true); err != nil {
			return err
		}
	}
	if r.o.Weight != "" {
		if r.weightAt, err = r.find(r.o.Weight, "the weights", "Weight", true); err != nil {
			return err
		}
	}
	if r.weightAt == r.targetAt {
		return optionerr.Errorf("Weight", "column %s cannot be both target and weight", table.Quote(r.header[r.targetAt]))
	}
	return nil
}

// findCosts finds the columns of costs by class.
func (r *reading) findCosts() (err error) {
	for _, c := range r.o.decisions() {
		at := -1
		if c.Column != "" {
			if at, err = r.find(c.Column, "costs of "+c.Decision, "Costs", true); err != nil {
				return err
			}
		}
		r.costAt = append(r.costAt, at)
	}
	r.targetAt = len(r.header)
	return nil
}

// isCost reports whether a column has costs.
func (r *reading) isCost(at int) bool { return slices.Contains(r.costAt, at) }

// ignored finds the columns to leave out, and checks that columns can be what options say of them.
func (r *reading) ignored() (map[int]bool, error) {
	o, set := &r.o, make(map[int]bool, len(r.o.Ignore))
	if i := slices.Index(r.header, o.Target); i >= 0 && o.Costs != nil {
		set[i] = true // labels that costs take the place of
	}
	isTaken := func(i int) bool { return i == r.targetAt || i == r.weightAt }
	when := func(is bool, why string) string {
		if is {
			return why
		}
		return ""
	}
	for _, role := range []struct {
		option, as string
		names      []string
		one        bool                            // a name of several columns makes no sense
		cannot     func(i int, name string) string // why a column cannot be so; "": it can
	}{
		{"Ignore", "to ignore", o.Ignore, false, func(i int, _ string) string {
			set[i] = true
			return when(isTaken(i) || r.isCost(i), "be ignored: it is the target, the weight or a cost")
		}},
		{"Use", "to use", o.Use, false, func(i int, _ string) string { return when(set[i], "be used and ignored") }},
		{"Categories", "of categories", o.Categories, false, func(i int, name string) string {
			return cmp.Or(when(set[i] || isTaken(i), "be of categories: it is the target, the weight or ignored"),
				when(o.Cuts[name] != nil, "be of categories and have cuts"))
		}},
		{"Ordered", "of ordered categories", slices.Sorted(maps.Keys(o.Ordered)), true, func(i int, name string) string {
			return cmp.Or(when(set[i] || isTaken(i), "be ordered: it is the target, the weight or ignored"),
				when(o.Cuts[name] != nil || slices.Contains(o.Categories, name), "be ordered and have cuts, or categories without order"))
		}},
		{"Cuts", "with cuts", slices.Sorted(maps.Keys(o.Cuts)), true, func(i int, _ string) string {
			return when(set[i] || isTaken(i) || r.isCost(i), "have cuts: it is the target, the weight or ignored")
		}},
	} {
		for _, name := range role.names {
			i, err := r.find(name, role.as, role.option, role.one)
			if err != nil {
				return nil, err
			}
			if why := role.cannot(i, name); why != "" {
				return nil, optionerr.Errorf(role.option, "column %s cannot %s", table.Quote(name), why)
			}
		}
	}
	if name := r.header[0]; r.targetAt != 0 && r.weightAt != 0 && !set[0] && r.isNameless(name) {
		set[0] = true
		r.leftOut = []string{name}
		r.notes = append(r.notes, "the first column is not used, as it has no name and seems to number the rows (option Use keeps "+
			"it): "+table.Quote(name))
	}
	return set, nil
}

// isNameless reports whether the first column is left out as it has no name, or an earlier reading did so.
func (r *reading) isNameless(name string) bool {
	if r.o.LeftOut != nil {
		return r.rows.Nameless && slices.Contains(r.o.LeftOut, name)
	}
	return r.rows.Nameless && !slices.Contains(r.o.Use, name)
}

// reading is a table in the course of its one pass.
type reading struct {
	o        Options
	rows     *table.Rows
	name     string
	header   []string
	targetAt int
	weightAt int               // -1: none
	costAt   []int             // by class, with Options.Costs; -1: the same cost everywhere
	costs    *weights.Costs    // by class and row that is left, with costs
	columns  []*column         // by position; nil: ignored, or the weights
	weights  []weights.Decimal // nil: none
	n        int               // rows
	notes    []string
	leftOut  []string // the first column, if it has no name
}
