package cli

import (
	"fmt"
	"strings"

	verifylist "parcorels/verify/rulelist"
)

// showCheck prints a line about a check.
func (t *progressTable) showCheck(p verifylist.Progress) {
	of, share := "", ""
	if p.Expanded > 0 {
		of, share = short(p.Expanded), percentage(float64(p.Prefixes)/float64(p.Expanded))
	}
	t.line(p.Final, checkRow("records", "prefixes", "of", "share", "time"),
		checkRow(short(p.Records), short(p.Prefixes), of, share, seconds(p.Elapsed)))
}

// checkRow aligns the cells of a line.
func checkRow(records, prefixes, of, share, time string) string {
	return strings.TrimRight(fmt.Sprintf("%8s %8s %8s %6s %7s", records, prefixes, of, share, time), " ")
}
