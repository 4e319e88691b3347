package dataset

import (
	"fmt"
	"math"
	"parcorels/table"
	"slices"
	"strings"
	"time"
)

// Scale says which numbers the texts of a column stand for, where they are not decimal
// numbers. At most one field is set; the zero value stands for decimal numbers.
type Scale struct {
	Levels []string `json:"levels,omitempty"` // texts in ascending order; each stands for its index
	Time   Time     `json:"time,omitempty"`   // texts are dates and times: days since 1970-01-01 00:00
}

// Time is how dates are written. All read dates of ISO 8601 as well.
type Time string

// The ways to write dates. Of ISO 8601 they are 2019-03-31, and with a time of day
// behind T or a blank 08:30, 08:30:15 or either with a Z.
const (
	ISODate      Time = "iso"
	DayMonthYear Time = "d/m/y" // 31/3/2019
	MonthDayYear Time = "m/d/y" // 3/31/2019
	DottedDate   Time = "d.m.y" // 31.3.2019
)

const secondsOfDay = 24 * 60 * 60

// plain reports whether the texts are decimal numbers.
func (s Scale) plain() bool { return s.Levels == nil && s.Time == "" }

// Known reports whether the scale is one that this package reads.
func (s Scale) Known() bool {
	return s.Levels == nil && slices.Contains([]Time{"", ISODate, DayMonthYear, MonthDayYear, DottedDate}, s.Time) || s.Levels != nil && s.Time == ""
}

// Parse returns the number that a text without space around it stands for.
func (s Scale) Parse(text string) (v float64, ok bool) {
	switch {
	case s.Levels != nil:
		i := slices.Index(s.Levels, text)
		return float64(i), i >= 0
	case s.Time != "":
		return s.Time.parse(text)
	}
	return table.ParseNumber(text)
}

// Format returns a text that stands for v: of levels the last up to v, of dates the
// second next to v.
func (s Scale) Format(v float64) string {
	switch {
	case s.Levels != nil:
		return s.Levels[int(math.Max(0, math.Min(math.Floor(v), float64(len(s.Levels)-1))))]
	case s.Time != "":
		return formatTime(v)
	}
	return table.FormatNumber(v)
}

// formatTime writes days since 1970 as a date, with the time of day unless it is 0:00.
func formatTime(days float64) string {
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).Unix()
	t := timeAt(math.Max(float64(first)/secondsOfDay, math.Min(days, float64(last)/secondsOfDay)))
	switch {
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format("2006-01-02")
	case t.Second() == 0:
		return t.Format("2006-01-02 15:04")
	}
	return t.Format("2006-01-02 15:04:05")
}

// timeAt returns the second that is nearest to days since 1970.
func timeAt(days float64) time.Time {
	return time.Unix(int64(math.Round(days*secondsOfDay)), 0).UTC()
}

// isoLayouts are the ways to write a date of ISO 8601 with a time of day or without.
var isoLayouts = []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05"}

// layouts are the ways to write dates that are not of ISO 8601.
var layouts = map[Time]string{DayMonthYear: "2/1/2006", MonthDayYear: "1/2/2006", DottedDate: "2.1.2006"}

// parse reads a date, as days since 1970.
func (w Time) parse(text string) (days float64, ok bool) {
	if len(text) > len("2006-01-02Z") {
		text = strings.TrimSuffix(text, "Z")
	}
	for _, layout := range append(isoLayouts, layouts[w]) {
		if strings.HasPrefix(layout, "2006") && len(text) != len(layout) {
			continue // package time would also take fractions of a second
		}
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 {
			return float64(t.Unix()) / secondsOfDay, true
		}
	}
	return 0, false
}

// timeOf returns how the texts, of which there are some, are written if all are dates,
// and "" if not all are. It is "" as well if they may be days and months or months and days,
// and then they are ambiguous.
func timeOf(texts []string) (written Time, ambiguous bool) {
	var fits []Time
	for _, w := range []Time{ISODate, DottedDate, DayMonthYear, MonthDayYear} {
		all := !slices.ContainsFunc(texts, func(t string) bool {
			_, ok := w.parse(t)
			return !ok
		})
		if all {
			fits = append(fits, w)
		}
		if all && w == ISODate {
			return w, false // the others read it, too
		}
	}
	if len(fits) != 1 {
		return "", len(fits) > 1
	}
	return fits[0], false
}

// readTimes finds out whether the texts of a column are dates.
func (c *column) readTimes() {
	if !c.isCoded() || c.categories || c.oddLine == 0 || !c.scale.plain() {
		return
	}
	var texts []string
	for _, t := range c.texts {
		if !c.missing.Has(t) {
			texts = append(texts, t)
		}
	}
	c.scale.Time, c.ambiguousDates = timeOf(texts)
}

// outside returns the first text of a column of levels that is none of them.
func (c *column) outside() (text string, line int) {
	if c.scale.Levels == nil {
		return "", 0
	}
	for code, t := range c.texts {
		if _, ok := c.scale.Parse(t); !ok && !c.missing.Has(t) {
			return t, c.lines[code]
		}
	}
	return "", 0
}

// checkLevels reports levels that cannot be in order.
func checkLevels(column string, levels []string) error {
	for i, text := range levels {
		if text == "" || text != table.Clean(text) || slices.Contains(levels[:i], text) {
			return fmt.Errorf("the levels of column %s are %s: expected different texts", table.Quote(column), table.QuoteSome(levels))
		}
	}
	if len(levels) < 2 {
		return fmt.Errorf("column %s has %d levels, expected at least 2", table.Quote(column), len(levels))
	}
	return nil
}
