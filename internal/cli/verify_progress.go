package cli

import (
	"fmt"
	"io"
	"strings"

	"parcorels/verify"
)

// checkTable prints a line for each look at a check, with a header every
// headerEvery lines.
type checkTable struct {
	out   io.Writer
	rows  int
	brief bool // print nothing of a check that ends before the first line
}

// show prints a line. A failure to print progress is no failure of the check.
func (t *checkTable) show(p verify.Progress) {
	if p.Final && t.rows == 0 && t.brief {
		return
	}
	if t.rows%headerEvery == 0 {
		_, _ = fmt.Fprintln(t.out, checkRow("records", "prefixes", "of", "share", "time"))
	}
	t.rows++
	of, share := "", ""
	if p.Expanded > 0 {
		of, share = short(p.Expanded), percentage(float64(p.Prefixes)/float64(p.Expanded))
	}
	_, _ = fmt.Fprintln(t.out, checkRow(short(p.Records), short(p.Prefixes), of, share, seconds(p.Elapsed)))
}

// checkRow aligns the cells of a line.
func checkRow(records, prefixes, of, share, time string) string {
	return strings.TrimRight(fmt.Sprintf("%8s %8s %8s %6s %7s", records, prefixes, of, share, time), " ")
}
