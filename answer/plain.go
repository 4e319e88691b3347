package answer

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
)

// These words are known to a person who has never searched for a model.

// stillOpen says how much better a model may be that was not found, in rows: "" where nothing is known.
func stillOpen(f *family.Family, objective, bound, rows float64) string {
	if f.Kind != model.RuleList && f.Kind != model.Tree || !(objective >= bound) || math.IsInf(bound, 0) {
		return ""
	}
	n := int64((objective-bound)*rows + 1e-9)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("A better %s may exist: counting each rule as rows, it would save at most %s of %s.", f.Noun(),
		wording.Thousands(n), wording.Count(int64(rows), "row"))
}

// ProgressWords says how a search goes: how far the proof is, and whether it is worth waiting for.
func ProgressWords(f *family.Family, l report.Look, rows float64, limit time.Duration) (lines []string) {
	if l.Bound != nil {
		if text := stillOpen(f, l.Objective, *l.Bound, rows); text != "" {
			lines = append(lines, text)
		}
	}
	switch {
	case l.Remain != nil && *l.Remain > hopeless && limit > 0:
		lines = append(lines, fmt.Sprintf("A proof is not likely within %s. Use this %s, or ask for a simpler one.", wording.Seconds(limit),
			f.Noun()))
	case l.Steps > 0:
		lines = append(lines, fmt.Sprintf("Step %d of %d is done.", l.Step, l.Steps))
	}
	return lines
}

// hopeless is the logarithm of a number of prefixes that no minute is enough for. The bound on what is left is loose: searches
// that end have shown up to 10¹² a while before.
const hopeless = 15

// PlainVerdict says what is proved of a model in words of rows.
func PlainVerdict(f *family.Family, r *report.Result) string {
	return render("plain verdict", map[string]any{"Kind": f.Kind, "Noun": f.Noun(), "End": r.Status, "Small": r.Proved.Small(),
		"Open": stillOpen(f, r.Objective, r.LowerBound, r.Weight)})
}

// Simpler is an option that asks for less, with what a button says of it.
type Simpler struct{ Text, Name, Value string }

// SimplerThan returns questions of less work, and of models that are easier to read.
func SimplerThan(f *family.Family, o *family.Options) (list []Simpler) {
	priced := false
	switch f.Kind {
	case model.RuleList:
		priced = true
		for _, k := range []int{2, 3} {
			if o.MaxRules == 0 || o.MaxRules > k {
				list = append(list, Simpler{fmt.Sprintf("No more than %d rules", k), "max-rules", strconv.Itoa(k)})
			}
		}
		if o.MaxCard != 1 {
			list = append(list, Simpler{"No conditions joined by “and”", "max-card", "1"})
		}
	case model.Tree:
		priced = true
		if o.Depth == 0 || o.Depth > 2 {
			list = append(list, Simpler{"No more than 2 questions in a row", "depth", "2"})
		}
	}
	if priced && o.Lambda == "" {
		list = append(list, Simpler{"A rule must save 1% of the rows", "lambda", "0.01"})
	}
	return list
}
