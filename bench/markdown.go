package bench

import (
	"parcorels/internal/wording"
	"strings"
	"unicode/utf8"
)

// table is a table of Markdown.
type table struct {
	head []string
	rows [][]string
}

func newTable(head ...string) *table { return &table{head: head} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

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
