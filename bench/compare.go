package bench

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/aclements/go-moremath/stats"
)

// Comparison of two files of records, case by case.
//
// Runs are compared by the Mann–Whitney U test, which assumes nothing of how
// times are distributed (package stats of go-moremath, which benchstat uses). A change counts as one when p <
// significance; with fewer than fewRuns
// runs on either side no change could reach that, and the verdict says so.

const (
	significance = 0.05
	fewRuns      = 4
)

// ErrDisagree reports two certified optima of one problem that differ: one of
// the runs is wrong.
var ErrDisagree = errors.New("certified objectives disagree")

// Compare returns, as tables of Markdown, what changed from the records a to
// the records b. The error is ErrDisagree, beside the tables, or one that says
// that nothing can be compared.
func Compare(a, b []Record) (string, error) {
	before := map[Case]*summary{}
	for _, s := range summarize(a) {
		before[s.key()] = s
	}
	seconds := newTable("case", "before s", "now s", "change", "p", "runs", "verdict")
	memory := newTable("case", "before MB", "now MB", "change", "p", "runs", "verdict")
	nodes := newTable("case", "expanded before", "now", "change")
	var only []string
	for _, s := range summarize(b) {
		name, old := s.Case.Name(), before[s.key()]
		if old == nil {
			only = append(only, name)
			continue
		}
		if old.failed() || s.failed() {
			seconds.add(name, old.time(), s.time(), "", "", "", "failed")
			continue
		}
		time := wallSeconds
		if s.SecondsSearch > 0 && old.SecondsSearch > 0 {
			time = searchSeconds
		}
		seconds.add(append([]string{name}, change(old.of(time), s.of(time), 1, "faster", "slower")...)...)
		memory.add(append([]string{name}, change(old.of(peakBytes), s.of(peakBytes), 1e6, "less", "more")...)...)
		if x, y := old.median(expanded), s.median(expanded); x != y {
			nodes.add(name, figure(x), figure(y), signed(x, y))
		}
	}
	if len(seconds.rows) == 0 {
		return "", errors.New("the two files have no case in common")
	}
	text := seconds.String() + "\n" + memory.String()
	if len(nodes.rows) > 0 {
		text += "\n" + nodes.String()
	}
	if len(only) > 0 {
		text += "\n" + wrapped("Only in the second file: "+strings.Join(only, "; "))
	}
	text += "\n" + wrapped(fmt.Sprintf(
		"Medians; p by the Mann–Whitney U test, a change is called one if p < %v. Of %d rows one in %.0f does so by chance.",
		significance, len(seconds.rows), 1/significance))
	return text, Check(append(append([]Record{}, a...), b...))
}

// change returns the cells that compare two samples, in a unit.
func change(before, now []float64, unit float64, less, more string) []string {
	cx, cy := stats.Sample{Xs: before}.Quantile(0.5), stats.Sample{Xs: now}.Quantile(0.5)
	p := 1.0 // if all runs took the same, which the test reports as an error
	if test, err := stats.MannWhitneyUTest(before, now, stats.LocationDiffers); err == nil {
		p = test.P
	}
	verdict := "the same within noise"
	switch {
	case min(len(before), len(now)) < fewRuns:
		verdict = "too few runs to tell"
	case p < significance && cy < cx:
		verdict = less
	case p < significance && cy > cx:
		verdict = more
	}
	return []string{figure(cx / unit), figure(cy / unit), signed(cx, cy), fmt.Sprintf("%.3f", p),
		fmt.Sprintf("%d, %d", len(before), len(now)), verdict}
}

// signed is the change from x to y as a share of x.
func signed(x, y float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f%%", 100*(y-x)/x)
}

// rounding is more than what records of earlier commits, of ten decimals, lost.
const rounding = 1e-10

// Check reports ErrDisagree if two runs certified different objectives for one
// problem. Problems are the same if name, λ, size and limits on the model agree.
func Check(records []Record) error {
	type problem struct {
		instance, model, lambda     string
		samples, antecedents, depth int
	}
	known := map[problem]Record{}
	for _, r := range records {
		if r.Status != optimal {
			continue
		}
		p := problem{r.Instance, r.Case.Model, r.Lambda, int(r.Samples), r.Antecedents, r.Depth}
		old, seen := known[p]
		if seen && (math.Abs(old.Objective-r.Objective) > rounding || old.Length != r.Length) {
			return fmt.Errorf("%w: %s has %.10f with %d rules and %.10f with %d rules",
				ErrDisagree, r.Case.Name(), old.Objective, old.Length, r.Objective, r.Length)
		}
		known[p] = r
	}
	return nil
}
