package cli

import (
	"fmt"
	"io"
	"math"
	"strings"

	"parcorels/rulelist/search"
)

// progressTable prints a line for each look at a search, or at a check
// (verify_progress.go), with a header every headerEvery lines. A line has 77 columns: a terminal of 80 then has room for
// the ^C that it shows when the search is interrupted.
type progressTable struct {
	out   io.Writer
	rows  int
	price float64 // λ
	brief bool    // print nothing of what ends before the first line
}

const headerEvery = 20

// progressTable returns the table that the settings ask for, nil for none.
func (e *env) progressTable(s *settings) *progressTable {
	switch {
	case s.progress == "always", s.progress == "full":
		return &progressTable{out: e.stderr, price: s.search.Lambda.Float()}
	case s.progress == "never" || s.quiet || !isTerminal(e.stderr):
		return nil
	}
	return &progressTable{out: e.stderr, brief: true, price: s.search.Lambda.Float()}
}

// line prints a line, and the header if it is time. A failure to print progress
// is no failure of the search.
func (t *progressTable) line(final bool, header, row string) {
	if final && t.rows == 0 && t.brief {
		return
	}
	if t.rows%headerEvery == 0 {
		_, _ = fmt.Fprintln(t.out, header)
	}
	t.rows++
	_, _ = fmt.Fprintln(t.out, row)
}

// show prints a line about a search.
func (t *progressTable) show(p search.Progress) {
	header := progressRow(" ", "rules", "error", "best", "bound", "gap", "left", "done", "memory", "time")
	t.line(p.Final, header, progressRow(
		string(rune(p.Source)), fmt.Sprint(p.Length), percentage(max(0, p.Objective-t.price*float64(p.Length))),
		fmt.Sprintf("%.7f", p.Objective), fmt.Sprintf("%.7f", roundedDown(p.LowerBound)), percentage(p.Gap),
		short(p.Queued), short(p.Expanded), size(p.Bytes), seconds(p.Elapsed)))
}

// roundedDown keeps a lower bound one when it is printed with seven decimals.
// What a float has too little of is no reason to print less.
func roundedDown(bound float64) float64 { return math.Floor(bound*1e7+1e-6) / 1e7 }

// progressRow aligns the cells of a line.
func progressRow(source, rules, misses, best, bound, gap, left, done, memory, time string) string {
	return strings.TrimRight(fmt.Sprintf("%s %5s %6s %9s %9s %6s %8s %8s %8s %7s",
		source, rules, misses, best, bound, gap, left, done, memory, time), " ")
}
