package process

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"parcorels/ask/goodmodels"
	"parcorels/cmd/internal/console"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/verify"
)

// ProgressTable prints a line for each look at a search, or at a check
// (cli/verify.go), with a header every headerEvery lines. A line has 77 columns: a terminal of 80 then has room for
// the ^C that it shows when the search is interrupted.
type ProgressTable struct {
	Out   io.Writer
	Rows  int
	Price float64   // λ
	Brief bool      // on a terminal: print nothing of what ends before the first line
	last  time.Time // of the line before, or the start
}

const HeaderEvery = 20

// ProgressTable returns the table that the output asks for, nil for none.
func (e *Env) ProgressTable(o *Output) *ProgressTable {
	switch {
	case o.Progress == "always", o.Progress == "full":
		return &ProgressTable{Out: e.Stderr, last: e.Start}
	case o.Progress == "never" || o.Quiet || !console.IsTerminal(e.Stderr):
		return nil
	}
	return &ProgressTable{Out: e.Stderr, Brief: true, last: e.Start}
}

// Event prints a line about a look at a search.
func (t *ProgressTable) Event(e family.Event) {
	part := wording.Plural(2, e.Family.Part())
	value, bound, gap := fmt.Sprintf("%.7f", e.Value), fmt.Sprintf("%.7f", roundedDown(e.Bound)), wording.Percentage(e.Gap)
	first := cell{" ", 1, strings.ToUpper((e.Source + " ")[:1])}
	second := cell{"error", 6, wording.Percentage(max(0, e.Value-t.Price*float64(e.Length)))}
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

// VerifyEvent prints a line about a look at a check.
func (t *ProgressTable) VerifyEvent(e verify.Progress) {
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
func (t *ProgressTable) line(final bool, cells ...cell) {
	if final && t.Rows == 0 && t.Brief {
		return
	}
	header, row := "", ""
	for _, c := range cells {
		header += fmt.Sprintf(" %*s", c.width, c.heading)
		row += fmt.Sprintf(" %*s", c.width, c.text)
	}
	if t.Rows%HeaderEvery == 0 {
		_, _ = fmt.Fprintln(t.Out, strings.TrimRight(header[1:], " "))
	}
	t.Rows++
	_, _ = fmt.Fprintln(t.Out, strings.TrimRight(row[1:], " "))
}

// roundedDown keeps a lower bound one when it is printed with seven decimals.
// A float that is too small by rounding is no reason to print less.
func roundedDown(bound float64) float64 { return math.Floor(bound*1e7+1e-6) / 1e7 }

// Growing prints a line about a graph that grows.
func (t *ProgressTable) Growing(g goodmodels.Growing) {
	t.line(false, cell{"states", 12, wording.Short(int64(g.States))}, cell{"open", 12, wording.Short(int64(g.Open))},
		cell{"bounded", 12, wording.Short(g.Nodes)}, cell{"time", 7, wording.Seconds(g.Elapsed)})
}
