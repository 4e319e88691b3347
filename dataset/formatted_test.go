package dataset

import (
	"fmt"
	"strings"
	"testing"

	tables "parcorels/table"
)

// TestFormattedNumbers: amounts that are read as texts are remarked on. Other texts and numbers are not.
func TestFormattedNumbers(t *testing.T) {
	for _, c := range []struct {
		column string // of a format with %d from 1 to 9
		want   string // in a note
	}{
		{"$1,00%d.50", "write them as 1234.5"}, {"%d %%", "write them as 1234.5"}, {"%d0k", "write them as 1234.5"},
		{"1.00%d EUR", "write them as 1234.5"}, {"EUR 1%d", "write them as 1234.5"},
		{"A%d", ""}, {"%d:30", ""}, {"%d", ""}, {"0%d", ""}, {"0.12%d", ""}, {"route %d", ""}, {"192.168.0.%d", ""},
	} {
		table := rowsOf("v,y", 60, func(i int) string { return fmt.Sprintf("\"%s\",%d", fmt.Sprintf(c.column, i%9+1), i%9/5) })
		notes := strings.Join(read(t, table, Options{}).Notes, "\n")
		if note := "write them as 1234.5"; strings.Contains(notes, note) != (c.want == note) {
			t.Errorf("column of %s: notes %q, want %q", c.column, notes, c.want)
		}
	}
}

// TestSignsOfThousands: a point or a decimal comma before three digits is remarked on and quoted as it stands, a point among
// decimal commas in columns of many numbers and in weights too.
func TestSignsOfThousands(t *testing.T) {
	const one, both = "before three digits everywhere", "beside decimal commas a point is read as a decimal point too"
	for _, c := range []struct {
		x, w string // cells in turn
		want map[string]string
	}{
		{"1,000 2,000 3,000 4,000", "1", map[string]string{one: `: "x" ("1,000")`}},
		{"1.000 2.000 3.000 4.000", "1", map[string]string{one: `: "x" ("1.000")`}},
		{"1.000 2,000 3.000 4,000", "1", map[string]string{both: `: "x" ("1.000")`}},
		{"1,5 2,75 1.500 3.250", "1", map[string]string{both: `: "x" ("1.500")`}},
		{"%d,5 2.500", "1", map[string]string{both: `: "x" ("2.500")`}},
		{"1 2 3", "0,5 1,25 1.000", map[string]string{both: `: "w" ("1.000")`}},
		{"1,5 2,75 1.5 0.125 1250.125", "1", map[string]string{both: `: "x" ("1.5")`}},
		{"2.5 1,5 1.500", "1", map[string]string{both: `: "x" ("1.500")`}},
		{"1.5 2.75 1.500 3.250", "0.5 1.000", nil},
		{"1,5 a 1.500 3.250", "1", map[string]string{both: `: "x" ("1.500")`}},
		{"1,5 a.b", "1", nil},
	} {
		xs, ws, rows := strings.Fields(c.x), strings.Fields(c.w), 60
		if xs[0] == "%d,5" {
			rows = 3 * tables.MaxCodedNumbers
		}
		table := rowsOf("x\tw\ty", rows, func(i int) string {
			x := xs[i%len(xs)]
			if xs[0] == "%d,5" {
				x = fmt.Sprintf(xs[0], i)
			}
			if i == rows-1 {
				x = xs[len(xs)-1] // of many, behind all others
			}
			return fmt.Sprintf("%s\t%s\t%d", x, ws[i%len(ws)], i%2)
		})
		notes := read(t, table, Options{DecimalComma: true, Weight: "w"}).Notes
		for _, note := range []string{one, both} {
			var got string
			for _, n := range notes {
				if strings.Contains(n, note) {
					_, got, _ = strings.Cut(n, "take it out)")
				}
			}
			if got != c.want[note] {
				t.Errorf("x of %s, w of %s: notes %q, want %q", c.x, c.w, notes, c.want)
			}
		}
	}
}
