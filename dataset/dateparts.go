package dataset

import (
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
	days, ok := p.Time.Parse(text)
	if !ok {
		return text
	}
	levels := dateParts[p.Part]
	if p.Part == Month {
		return levels[table.TimeAt(days).Month()-1]
	}
	return levels[((int(math.Floor(days))+3)%7+7)%7] // 1970-01-01 was a Thursday
}

// checkParts reports parts of a column that cannot be.
func checkParts(column string, parts []DatePart) error {
	for i, p := range parts {
		if dateParts[p] == nil || slices.Contains(parts[:i], p) {
			return optionerr.Errorf("DateParts", "%s of column %s: expected %s or %s, once each", table.Quote(string(p)),
				table.Quote(column), Weekday, Month)
		}
	}
	return nil
}
