package bench

import (
	"fmt"
	"slices"
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
