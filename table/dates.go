package table

import (
	"math"
	"slices"
	"strings"
	"time"
)

// Time is how dates are written. All read dates of ISO 8601 as well.
type Time string

// The ways to write dates. In ISO 8601 they are 2019-03-31, and with a time of day
// behind T or a blank 08:30, 08:30:15 or either with a Z.
const (
	ISODate      Time = "iso"
	DayMonthYear Time = "d/m/y" // 31/3/2019
	MonthDayYear Time = "m/d/y" // 3/31/2019
	DottedDate   Time = "d.m.y" // 31.3.2019
)

// FormatTime writes days since 1970 as a date, with the time of day unless it is 0:00.
func FormatTime(days float64) string {
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).Unix()
	t := TimeAt(math.Max(float64(first)/secondsOfDay, math.Min(days, float64(last)/secondsOfDay)))
	switch {
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format("2006-01-02")
	case t.Second() == 0:
		return t.Format("2006-01-02 15:04")
	}
	return t.Format("2006-01-02 15:04:05")
}

// TimeAt returns the second that is nearest to days since 1970.
func TimeAt(days float64) time.Time {
	return time.Unix(int64(math.Round(days*secondsOfDay)), 0).UTC()
}

// isoLayouts are the ways to write a date of ISO 8601 with a time of day or without.
var isoLayouts = []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05"}

// layouts are the ways to write dates that are not of ISO 8601.
var layouts = map[Time]string{DayMonthYear: "2/1/2006", MonthDayYear: "1/2/2006", DottedDate: "2.1.2006"}

// Parse reads a date, as days since 1970.
func (w Time) Parse(text string) (days float64, ok bool) {
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

// TimeOf returns how the texts, of which there are some, are written if all are dates,
// and "" if not all are. It is "" as well if they may be days and months or months and days,
// and then they are ambiguous.
func TimeOf(texts []string) (written Time, ambiguous bool) {
	var fits []Time
	for _, w := range []Time{ISODate, DottedDate, DayMonthYear, MonthDayYear} {
		all := !slices.ContainsFunc(texts, func(t string) bool {
			_, ok := w.Parse(t)
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
