package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parcorels/internal/wording"
)

// table is a table of Markdown.
type table struct {
	head []string
	rows [][]string
}

func newTable(head ...string) *table { return &table{head: head} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// keep leaves the named columns alone, in that order.
func (t *table) keep(columns string) error {
	var at []int
	for name := range strings.SplitSeq(columns, ",") {
		i := slices.Index(t.head, strings.TrimSpace(name))
		if i < 0 {
			return fmt.Errorf("no column %q among %s", strings.TrimSpace(name), strings.Join(t.head, ", "))
		}
		at = append(at, i)
	}
	pick := func(row []string) (kept []string) {
		for _, i := range at {
			kept = append(kept, row[i])
		}
		return kept
	}
	t.head = pick(t.head)
	for i, row := range t.rows {
		t.rows[i] = pick(row)
	}
	return nil
}

// String aligns the columns, for those who read the source.
func (t *table) String() string {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(clean(c)))
		}
	}
	var b strings.Builder
	line := func(row []string, pad string) {
		for i := range t.head {
			c := ""
			if i < len(row) {
				c = clean(row[i])
			}
			b.WriteString("|" + pad + c + strings.Repeat(pad, widths[i]-utf8.RuneCountInString(c)) + pad)
		}
		b.WriteString("|\n")
	}
	line(t.head, " ")
	line(nil, "-")
	for _, row := range t.rows {
		line(row, " ")
	}
	return b.String()
}

// clean keeps a name of the user's from ending a cell.
func clean(cell string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(cell)
}

const textWidth = 80

// wrapped breaks a paragraph into lines of the width of the documents.
func wrapped(text string) string { return wording.Wrap(text, textWidth, 0) }

// caption says in a line which commits and days some records are from, and on which
// machine they were made. The records have the commands.
func caption(records []Record) string {
	var commits, machines []string
	for i := range records {
		o := &records[i].Origin
		for _, c := range []struct {
			list *[]string
			text string
		}{{&commits, fmt.Sprintf("%s (%s)", o.Commit, o.Date)}, {&machines, o.Machine.String()}} {
			if !slices.Contains(*c.list, c.text) {
				*c.list = append(*c.list, c.text)
			}
		}
	}
	return wrapped(fmt.Sprintf("Commit %s; %s.", strings.Join(commits, ", "), strings.Join(machines, "; "))) + "\n"
}

// String names the machine, its cores and what its user says of it.
func (m Machine) String() string {
	text := fmt.Sprintf("%s, %s, %s", m.CPU, wording.Count(int64(m.Cores), "core"), m.Go)
	if m.Note != "" {
		text += ", " + m.Note
	}
	return text
}

// figure returns a number with three digits that count, as the tables have it:
// ".00096", "1.67", "149", "12,300".
func figure(x float64) string {
	switch a := math.Abs(x); {
	case x == 0:
		return "0"
	case a >= 999.5:
		return wording.Thousands(int64(math.Round(x)))
	default:
		decimals := max(0, 2-int(math.Floor(math.Log10(a))))
		text := strconv.FormatFloat(x, 'f', decimals, 64)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		if rest, ok := strings.CutPrefix(text, "0."); ok {
			return "." + rest
		}
		if rest, ok := strings.CutPrefix(text, "-0."); ok {
			return "-." + rest
		}
		return text
	}
}

// count returns an exact count.
func count(n int64) string { return wording.Thousands(n) }

// megabytes returns bytes in MB.
func megabytes(n int64) string { return figure(float64(n) / 1e6) }
