package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"time"

	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/report"
)

// What the page says in words that a person knows who has never searched for a model.

// said is an error for people: options by the names that the page has for them.
func said(err error) string {
	text := optionerr.Rename(err.Error(), optionName)
	var path *fs.PathError
	if errors.As(err, &path) { // the folder is nobody's concern
		text = strings.ReplaceAll(text, path.Path, filepath.Base(path.Path))
	}
	if first, _, _ := strings.Cut(text, " "); strings.Contains(first, ".") {
		return text // it begins with a file
	}
	return wording.Capital(text)
}

// renamed are notes for people.
func renamed(notes []string) (list []string) {
	for _, note := range notes {
		list = append(list, optionerr.Rename(note, optionName))
	}
	return list
}

// open says how much better a model may be that was not found, in rows: "" where nothing is known.
func open(f *family.Family, objective, bound, rows float64) string {
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

// progressWords says how a search goes: how far the proof is, and whether it is worth waiting for.
func progressWords(f *family.Family, l report.Look, rows float64, limit time.Duration) (lines []string) {
	if l.Bound != nil {
		if text := open(f, l.Objective, *l.Bound, rows); text != "" {
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

// verdict says what is proved of a model in words of rows.
func verdict(f *family.Family, r *report.Result) string {
	switch {
	case r.Status == status.Optimal && f.Kind == model.BayesianRuleList:
		return "Proved: no other list of such conditions is more probable."
	case r.Status == status.Optimal:
		return fmt.Sprintf("Proved: no other %s of such conditions gets more rows right for its length.", f.Noun())
	case f.Kind == model.RuleSet || f.Kind == model.BayesianRuleList:
		return "Not proved: a better one may exist."
	}
	ended := map[status.Status]string{status.TimeLimit: "The time ran out before the proof.",
		status.Interrupted: "The search was stopped before the proof.",
		status.Stalled:     "The search ended by itself: for long neither the model nor the bound had moved."}[r.Status]
	if ended == "" {
		ended = "The search ended before the proof."
	}
	if small := r.Proved.Small(); small != "" {
		ended += " Proved: no " + small + " is better."
	}
	return ended + " " + open(f, r.Objective, r.LowerBound, r.Weight)
}
