package cli

import (
	"fmt"
	"io"
	"math"
	"parcorels/cmd/internal/console"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"strings"
	"time"
)

// progressTable prints a line for each look at a search, or at a check
// (verify_progress.go), with a header every headerEvery lines. A line has 77 columns: a terminal of 80 then has room for
// the ^C that it shows when the search is interrupted.
type progressTable struct {
	out   io.Writer
	rows  int
	price float64   // λ
	brief bool      // on a terminal: print nothing of what ends before the first line
	last  time.Time // of the line before, or the start
}

const headerEvery = 20

// progressTable returns the table that the output asks for, nil for none.
func (e *env) progressTable(o *output) *progressTable {
	switch {
	case o.progress == "always", o.progress == "full":
		return &progressTable{out: e.stderr, last: e.start}
	case o.progress == "never" || o.quiet || !console.IsTerminal(e.stderr):
		return nil
	}
	return &progressTable{out: e.stderr, brief: true, last: e.start}
}

// event prints a line about a look at a search.
func (t *progressTable) event(e family.Event) {
	part := "rules"
	if e.Family == model.Tree {
		part = "leaves"
	}
	value, bound, gap := fmt.Sprintf("%.7f", e.Value), fmt.Sprintf("%.7f", roundedDown(e.Bound)), wording.Percentage(e.Gap)
	first := cell{" ", 1, strings.ToUpper((e.Source + " ")[:1])}
	second := cell{"error", 6, wording.Percentage(max(0, e.Value-t.price*float64(e.Length)))}
	switch e.Family {
	case model.RuleSet: // its bound is known at the end
		first, second = cell{"step", -6, e.Source}, cell{"solved", 9, fmt.Sprintf("%d/%d", e.Step, e.Steps)}
		value, bound, gap = fmt.Sprintf("%.2f", e.Value), "–", "–"
	case model.BayesianRuleList:
		second = cell{"chains", 6, fmt.Sprint(e.Step)}
		if value, bound, gap = fmt.Sprintf("%.4f", e.Value), "–", "–"; !math.IsInf(e.Bound, 1) { // chains run before
			bound, gap = fmt.Sprintf("%.4f", e.Bound), fmt.Sprintf("%.4f", e.Gap)
		}
	}
	t.line(e.Final, first, cell{part, len(part), fmt.Sprint(e.Length)}, second, cell{"best", 9, value}, cell{"bound", 9, bound},
		cell{"gap", 6, gap},
		cell{"left", 7, wording.Short(e.Open)}, cell{"done", 8, wording.Short(e.Nodes)}, cell{"memory", 8, wording.Size(e.Bytes)},
		cell{"time", 7, wording.Seconds(e.Elapsed)})
}

// verifyEvent prints a line about a look at a check.
func (t *progressTable) verifyEvent(e family.VerifyEvent) {
	of, share := "", ""
	if e.Of > 0 {
		of, share = wording.Short(e.Of), wording.Percentage(float64(e.Checked)/float64(e.Of))
	}
	if !e.Final && time.Since(t.last) < time.Second {
		return // looks come more often
	}
	t.last = time.Now()
	t.line(e.Final, cell{"records", 8, wording.Short(e.Records)}, cell{"checked", 8, wording.Short(e.Checked)}, cell{"of", 8, of},
		cell{"share", 6, share}, cell{"time", 7, wording.Seconds(e.Elapsed)})
}

// cell is a part of a line under its heading, as wide as a width says; a negative one
// aligns to the left.
type cell struct {
	heading string
	width   int
	text    string
}

// line prints a line, and the header if it is time. A failure to print progress
// is no failure of the search.
func (t *progressTable) line(final bool, cells ...cell) {
	if final && t.rows == 0 && t.brief {
		return
	}
	header, row := "", ""
	for _, c := range cells {
		header += fmt.Sprintf(" %*s", c.width, c.heading)
		row += fmt.Sprintf(" %*s", c.width, c.text)
	}
	if t.rows%headerEvery == 0 {
		_, _ = fmt.Fprintln(t.out, strings.TrimRight(header[1:], " "))
	}
	t.rows++
	_, _ = fmt.Fprintln(t.out, strings.TrimRight(row[1:], " "))
}

// roundedDown keeps a lower bound one when it is printed with seven decimals.
// What a float has too little of is no reason to print less.
func roundedDown(bound float64) float64 { return math.Floor(bound*1e7+1e-6) / 1e7 }
