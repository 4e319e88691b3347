package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
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
	return ParseNumber(text)
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
	return formatNumber(v)
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

// parse reads a date, as days since 1970.
func (w Time) parse(text string) (days float64, ok bool) {
	year, month, day := 0, 0, 0
	seconds := 0
	if len(text) >= 10 && text[4] == '-' && text[7] == '-' {
		if len(text) > 10 {
			if seconds, ok = secondsOf(text[10:]); !ok {
				return 0, false
			}
		}
		year, month, day = digits(text[:4]), digits(text[5:7]), digits(text[8:10])
	} else {
		mark := "/"
		switch w {
		case ISODate:
			return 0, false
		case DottedDate:
			mark = "."
		}
		parts := strings.Split(text, mark)
		if len(parts) != 3 || len(parts[0]) > 2 || len(parts[1]) > 2 || len(parts[2]) != 4 {
			return 0, false
		}
		day, month, year = digits(parts[0]), digits(parts[1]), digits(parts[2])
		if w == MonthDayYear {
			day, month = month, day
		}
	}
	if year < 1 || month < 1 || month > 12 || day < 1 {
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return float64(t.Unix()+int64(seconds)) / secondsOfDay, t.Day() == day
}

// secondsOf reads a time of day behind a T or a blank: T08:30, 08:30:15, 08:30Z.
func secondsOf(text string) (seconds int, ok bool) {
	text = strings.TrimSuffix(text, "Z")
	if len(text) != 6 && len(text) != 9 || text[0] != 'T' && text[0] != ' ' || text[3] != ':' || len(text) == 9 && text[6] != ':' {
		return 0, false
	}
	hour, minute, second := digits(text[1:3]), digits(text[4:6]), 0
	if len(text) == 9 {
		second = digits(text[7:])
	}
	ok = 0 <= hour && hour < 24 && 0 <= minute && minute < 60 && 0 <= second && second < 60
	return hour*3600 + minute*60 + second, ok
}

// digits returns the number that a text of digits is, -1 of any other.
func digits(text string) int {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return -1
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// timeOf returns how the texts, of which there are some, are written if all are dates,
// and "" if not all are. It is "" as well if they may be days and months or months and days.
func timeOf(texts []string) Time {
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
			return w // the others read it, too
		}
	}
	if len(fits) != 1 {
		return ""
	}
	return fits[0]
}

// readTimes finds out whether the texts of a column are dates.
func (c *column) readTimes() {
	if c.free || c.floats != nil || c.categories || c.oddLine == 0 || !c.scale.plain() {
		return
	}
	var texts []string
	for _, t := range c.texts {
		if !c.missing.has(t) {
			texts = append(texts, t)
		}
	}
	c.scale.Time = timeOf(texts)
}

// outside returns the first text of a column of levels that is none of them.
func (c *column) outside() (text string, line int) {
	for code, t := range c.texts {
		if _, ok := c.scale.Parse(t); !ok && !c.missing.has(t) {
			return t, c.lines[code]
		}
	}
	return "", 0
}

// checkLevels reports levels that cannot be in order.
func checkLevels(column string, levels []string) error {
	for i, text := range levels {
		if text == "" || text != clean(text) || slices.Contains(levels[:i], text) {
			return fmt.Errorf("the levels of column %s are %s: expected different texts", quote(column), quoteSome(levels))
		}
	}
	if len(levels) < 2 {
		return fmt.Errorf("column %s has %d levels, expected at least 2", quote(column), len(levels))
	}
	return nil
}
