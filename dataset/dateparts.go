package dataset

import (
	"maps"
	"math"
	"slices"

	"parcorels/optionerr"
	"parcorels/table"
)

// A date is cut as a number is, which finds what changed at some day. What comes again each
// week or each year it cannot tell: Options.DateParts makes columns of it, "weekday of D" and
// "month of D". They are columns of ordered categories like any others, with their levels as
// texts, and what reads them needs to know no more than how a date becomes such a text.

// DatePart is what comes again in dates.
type DatePart string

// The parts of dates.
const (
	Weekday DatePart = "weekday"
	Month   DatePart = "month"
)

// dateParts are the levels of each part in ascending order.
var dateParts = map[DatePart][]string{
	Weekday: {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
	Month:   {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
}

// Part is a column that is made of a column of dates.
type Part struct {
	Of   string   `json:"of"`   // the column of dates
	Part DatePart `json:"part"` // what is taken of them
	Time Time     `json:"time"` // how they are written
}

// Name is the name of the column: "weekday of D".
func (p Part) Name() string { return string(p.Part) + " of " + p.Of }

// Known reports whether the part is one that this package makes.
func (p Part) Known() bool {
	return p.Time != "" && Scale{Time: p.Time}.Known() && dateParts[p.Part] != nil
}

// Text returns the text of the part for a cell with a date: "Monday", "March". Any other
// text, such as that of a missing value, stays.
func (p Part) Text(cell string) string {
	text := table.Clean(cell)
	days, ok := p.Time.parse(text)
	if !ok {
		return text
	}
	levels := dateParts[p.Part]
	if p.Part == Month {
		return levels[timeAt(days).Month()-1]
	}
	return levels[((int(math.Floor(days))+3)%7+7)%7] // 1970-01-01 was a Thursday
}

// checkParts reports parts of a column that cannot be.
func checkParts(column string, parts []DatePart) error {
	for i, p := range parts {
		if dateParts[p] == nil || slices.Contains(parts[:i], p) {
			return optionerr.Errorf("DateParts", "%s of column %s: expected %s or %s, once each", table.Quote(string(p)), table.Quote(column), Weekday, Month)
		}
	}
	return nil
}

// assignParts checks that parts are of columns that can have them.
func (r *reading) assignParts(f *finder) error {
	for _, name := range slices.Sorted(maps.Keys(r.o.DateParts)) {
		i, err := f.findOne(name, "of dates", "DateParts")
		switch {
		case err != nil:
			return err
		case r.columns[i] == nil || i == r.targetAt || r.columns[i].categories:
			return optionerr.Errorf("DateParts", "column %s cannot have parts of dates: it is the target, the weight or of categories", table.Quote(name))
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

// addParts makes the columns of parts of dates, behind all others and in their order, and
// lets go of those columns that were only read for them.
func (r *reading) addParts(d *Dataset) error {
	for i, c := range r.columns[:len(r.header)] {
		if c == nil || r.o.DateParts[c.name] == nil {
			continue
		}
		c.readTimes()
		if c.scale.Time == "" {
			return optionerr.Errorf("DateParts", "%s: column %s is not of dates, all written alike such as 2019-03-31: it has no parts", r.name, table.Quote(c.name))
		}
		for _, part := range r.o.DateParts[c.name] {
			p := Part{c.name, part, c.scale.Time}
			d.Parts = append(d.Parts, p)
			of := c.part(p)
			of.at = len(r.columns)
			r.columns = append(r.columns, of)
		}
		if slices.Contains(r.o.Ignore, c.name) {
			r.columns[i] = nil
		} else if len(c.texts) > table.MaxTexts {
			c.giveUp() // as without parts
		}
	}
	return nil
}

// part returns the column of a part of the dates of c.
func (c *column) part(p Part) *column {
	of := &column{name: p.Name(), missing: c.missing, keep: table.KeepTexts, categories: true, scale: Scale{Levels: dateParts[p.Part]}}
	to, known := make([]uint32, len(c.texts)), map[string]uint32{}
	for code, text := range c.texts {
		text = p.Text(text)
		at, ok := known[text]
		if !ok {
			at = uint32(len(of.texts))
			known[text] = at
			of.texts, of.lines = append(of.texts, text), append(of.lines, c.lines[code])
		}
		to[code] = at
	}
	of.codes = make([]uint32, len(c.codes))
	for i, code := range c.codes {
		of.codes[i] = to[code]
	}
	return of
}

// PartOf returns the part of dates that a column is; nil where it is none.
func (d *Dataset) PartOf(column string) *Part {
	i := slices.IndexFunc(d.Parts, func(p Part) bool { return p.Name() == column })
	if i < 0 {
		return nil
	}
	return &d.Parts[i]
}
