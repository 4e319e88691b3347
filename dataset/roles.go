package dataset

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parcorels/optionerr"
	"parcorels/table"
	"parcorels/weights"
)

// assignParts checks that parts are of columns that can have them.
func (r *reading) assignParts(f *finder) error {
	for _, name := range slices.Sorted(maps.Keys(r.o.DateParts)) {
		i, err := f.findOne(name, "of dates", "DateParts")
		switch {
		case err != nil:
			return err
		case r.columns[i] == nil || i == r.targetAt || r.columns[i].categories:
			return optionerr.Errorf("DateParts", "column %s cannot have parts of dates: it is the target, the weight or of categories",
				table.Quote(name))
		}
		for _, part := range r.o.DateParts[name] {
			p := Part{Of: name, Part: part}
			if _, taken := f.at[p.Name()]; taken {
				return optionerr.Errorf("DateParts", "the table has a column %s already: rename one", table.Quote(p.Name()))
			}
		}
	}
	return nil
}

// finder finds the columns that options name.
type finder struct {
	header []string
	at     map[string]int
	twice  map[string]bool // names that more than one column has
}

func newFinder(header []string, twice map[string]bool) *finder {
	f := &finder{header: header, at: make(map[string]int, len(header)), twice: twice}
	for i, name := range header {
		f.at[name] = i
	}
	return f
}

// find returns the position of the column that is to play a role.
func (f *finder) find(name, role, option string) (int, error) {
	i, ok := f.at[name]
	if !ok {
		like := "the columns are " + table.QuoteSome(f.header)
		for _, other := range f.header {
			if strings.EqualFold(other, name) {
				like = "did you mean " + table.Quote(other) + "?"
			}
		}
		return 0, optionerr.Errorf(option, "no column %s (%s); %s", table.Quote(name), role, like)
	}
	return i, nil
}

// findOne is find for a role that makes no sense if the name is ambiguous.
func (f *finder) findOne(name, role, option string) (int, error) {
	if f.twice[name] {
		return 0, optionerr.Errorf(option, "more than one column is called %s (%s): rename one", table.Quote(name), role)
	}
	return f.find(name, role, option)
}

// assign gives each column its part as the options say.
func (r *reading) assign(f *finder) error {
	if len(r.header) == 1 {
		return fmt.Errorf("only one column, %s, is found: expected at least two; if they are separated by another sign than , ; | or "+
			"tab, name it with option Comma", table.Quote(r.header[0]))
	}
	if err := r.assignTarget(f); err != nil {
		return err
	}
	ignored, err := r.ignored(f)
	if err != nil {
		return err
	}
	attributes := 0
	r.columns = make([]*column, len(r.header))
	for i, name := range r.header {
		if ignored[i] && r.o.DateParts[name] == nil || i == r.weightAt || r.isCost(i) {
			continue
		}
		c := &column{name: name, at: i, missing: r.o.Missing, keep: table.KeepCells, scale: Scale{Levels: r.o.Ordered[name]}}
		c.comma = r.rows.DecimalComma
		if c.categories = slices.Contains(r.o.Categories, name) || r.o.Ordered[name] != nil; c.categories {
			c.keep = table.KeepCategories
		}
		if i == r.targetAt || r.o.DateParts[name] != nil {
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
	if err := r.assignParts(f); err != nil {
		return err
	}
	return r.checkCuts(f)
}

// assignTarget finds the columns of labels and of weights.
func (r *reading) assignTarget(f *finder) (err error) {
	r.targetAt, r.weightAt = len(r.header)-1, -1
	if r.o.Costs != nil {
		return r.findCosts(f)
	}
	if r.o.Target != "" {
		if r.targetAt, err = f.findOne(r.o.Target, "the target", "Target"); err != nil {
			return err
		}
	}
	if r.o.Weight != "" {
		if r.weightAt, err = f.findOne(r.o.Weight, "the weights", "Weight"); err != nil {
			return err
		}
	}
	if r.weightAt == r.targetAt {
		return optionerr.Errorf("Weight", "column %s cannot be both target and weight", table.Quote(r.header[r.targetAt]))
	}
	return nil
}

// findCosts finds the columns of costs, class 0 first. The decision of the first one given is class 1.
func (r *reading) findCosts(f *finder) error {
	for i, c := range r.o.Costs {
		at, err := f.findOne(c.Column, "costs of "+c.Decision, "Costs")
		if err != nil {
			return err
		}
		r.costAt[1-i] = at
	}
	r.targetAt = len(r.header)
	return nil
}

// isCost reports whether a column has costs.
func (r *reading) isCost(at int) bool { return r.o.Costs != nil && slices.Contains(r.costAt[:], at) }

// ignored finds the columns to leave out.
func (r *reading) ignored(f *finder) (map[int]bool, error) {
	set := make(map[int]bool, len(r.o.Ignore))
	if i := slices.Index(r.header, r.o.Target); i >= 0 && r.o.Costs != nil {
		set[i] = true // labels that costs take the place of
	}
	for _, name := range r.o.Ignore {
		i, err := f.find(name, "to ignore", "Ignore")
		if err != nil {
			return nil, err
		}
		if i == r.targetAt || i == r.weightAt || r.isCost(i) {
			return nil, optionerr.Errorf("Ignore", "column %s cannot be ignored: it is the target, the weight or a cost", table.Quote(name))
		}
		set[i] = true
	}
	for _, name := range r.o.Use {
		i, err := f.find(name, "to use", "Use")
		if err != nil {
			return nil, err
		}
		if set[i] {
			return nil, optionerr.Errorf("Use", "column %s cannot be used and ignored", table.Quote(name))
		}
	}
	for _, name := range r.o.Categories {
		i, err := f.find(name, "of categories", "Categories")
		switch {
		case err != nil:
			return nil, err
		case set[i] || i == r.targetAt || i == r.weightAt:
			return nil, optionerr.Errorf("Categories", "column %s cannot be of categories: it is the target, the weight or ignored",
				table.Quote(name))
		case r.o.Cuts[name] != nil:
			return nil, optionerr.Errorf("Categories", "column %s cannot be of categories and have cuts", table.Quote(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.o.Ordered)) {
		i, err := f.findOne(name, "of ordered categories", "Ordered")
		switch {
		case err != nil:
			return nil, err
		case set[i] || i == r.targetAt || i == r.weightAt:
			return nil, optionerr.Errorf("Ordered", "column %s cannot be ordered: it is the target, the weight or ignored",
				table.Quote(name))
		case r.o.Cuts[name] != nil || slices.Contains(r.o.Categories, name):
			return nil, optionerr.Errorf("Ordered", "column %s cannot be ordered and have cuts, or categories without order",
				table.Quote(name))
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

// checkCuts checks that cuts are of attributes.
func (r *reading) checkCuts(f *finder) error {
	for _, name := range slices.Sorted(maps.Keys(r.o.Cuts)) {
		i, err := f.findOne(name, "with cuts", "Cuts")
		if err != nil {
			return err
		}
		if r.columns[i] == nil || i == r.targetAt || slices.Contains(r.o.Ignore, name) {
			return optionerr.Errorf("Cuts", "column %s cannot have cuts: it is the target, the weight or ignored", table.Quote(name))
		}
	}
	return nil
}

// reading is a table in the course of its one pass.
type reading struct {
	o        Options
	rows     *table.Rows
	name     string
	header   []string
	targetAt int
	weightAt int             // -1: none
	costAt   [2]int          // by class, with Options.Costs
	columns  []*column       // by position; nil: ignored, or the weights
	weights  *weights.Column // nil: none
	n        int             // rows
	notes    []string
	leftOut  []string // the first column, if it has no name
}
