package table

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Clean returns the text of a cell that everything goes by: space around it never counts.
func Clean(cell string) string {
	if n := len(cell); n == 0 || ' ' < cell[0] && cell[0] < 0x80 && ' ' < cell[n-1] && cell[n-1] < 0x80 { // as in most
		return cell
	}
	return strings.TrimSpace(cell)
}

// ParseNumber reads a decimal number, or an infinity, without space around it: what
// counts as a number in a cell, wherever cells are read. Hexadecimal numbers, NaN, digit
// separators and what exceeds a float64 are no numbers.
func ParseNumber(text string) (float64, bool) {
	if v, ok := parseDecimal(text); ok {
		return v, true
	}
	if text == "" || len(text) > 400 {
		return 0, false
	}
	switch c := text[len(text)-1]; {
	case '0' <= c && c <= '9' || c == '.':
		if len(text) > 2 && (text[1]|' ' == 'x' || text[2]|' ' == 'x') || strings.IndexByte(text, '_') >= 0 {
			return 0, false
		}
	case c != 'f' && c != 'F' && c != 'y' && c != 'Y': // inf, Infinity
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	return v + 0, true // -0 + 0 is 0
}

// FormatNumber returns the shortest text that ParseNumber reads back as v.
func FormatNumber(v float64) string {
	return strconv.FormatFloat(v, numberFormat(v), -1, 64)
}

// numberFormat returns the format of strconv in which a number is written: with an exponent if it is very small or large.
func numberFormat(v float64) byte {
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e15) {
		return 'g'
	}
	return 'f'
}

// powers of ten that are floats.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseDecimal reads a number of up to 15 digits without an exponent. Digits
// and the power of ten of its places are exact as floats then, so that their
// quotient is the float nearest to the number (Clinger, PLDI 1990).
func parseDecimal(text string) (float64, bool) {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	if len(text)-i > 16 || len(text) == i {
		return 0, false
	}
	digits, places, point := uint64(0), 0, 0
	for _, c := range []byte(text[i:]) {
		if d := uint64(c - '0'); d <= 9 {
			digits = 10*digits + d
			places += point
			continue
		}
		if c != '.' || point == 1 {
			return 0, false
		}
		point = 1
	}
	if len(text)-i-point > 15 || len(text)-i-point == 0 {
		return 0, false
	}
	v := float64(int64(digits)) / powers[places]
	if i == 1 {
		return 0 - v, true
	}
	return v, true
}

// Where a semicolon separates fields, a comma is the decimal point: that is why
// it cannot separate. A cell that is a number then, such as 12,5 or -3,1e4, is
// read as if it was written with a point. So what is learned from such a table
// is written with points, and meets tables of both kinds. Two commas, or a comma
// and a point, are no number.

// WithPoint returns a number with a decimal comma with a point in its place, and
// any other text as it is.
func WithPoint(text string) string {
	at := strings.IndexByte(text, ',')
	if at < 0 || at+1 == len(text) || text[at+1] < '0' || text[at+1] > '9' || strings.ContainsAny(text, "._") ||
		strings.IndexByte(text[at+1:], ',') >= 0 {
		return text
	}
	pointed := text[:at] + "." + text[at+1:]
	if _, ok := ParseNumber(pointed); !ok {
		return text
	}
	return pointed
}

// MaySeparateThousands reports whether the point of a number stands where it may separate thousands, as in 12.500.
func MaySeparateThousands(text string) bool {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	whole, rest, _ := strings.Cut(text, ".")
	return len(rest) == 3 && 0 < len(whole) && len(whole) <= 3 && whole[0] != '0' && strings.Trim(whole+rest, "0123456789") == ""
}

// Missing are the texts of missing values, in any case; nil are the default ones. An empty text is always missing.
type Missing []string

// DefaultMissing are the texts of missing values besides the empty one.
var DefaultMissing = Missing{"?", "NA", "N/A", "NaN", "null"}

// Has reports whether a text, without space around it, is a missing value.
func (m Missing) Has(text string) bool {
	if m == nil {
		m = DefaultMissing
	}
	return text == "" || slices.ContainsFunc(m, func(word string) bool { return strings.EqualFold(word, text) })
}

// number returns the number of a text, NaN if it is missing.
func (m Missing) number(text string) (v float64, ok bool) {
	if m.Has(text) {
		return math.NaN(), true
	}
	return ParseNumber(text)
}

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

const secondsOfDay = 24 * 60 * 60
