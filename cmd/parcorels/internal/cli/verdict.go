package cli

import (
	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
)

// text is what fit prints for people once the search has ended.
func (f *fitRun) text() string {
	text := f.model.Text(answer.Width) + "\n" + f.answer().Verdict() + answer.AskForeknown(f.model) + answer.Holdout(f.holdout) +
		answer.Hint(f.model.Model, f.problem.Set, f.read, f.Options.Time)
	if f.announcer.aloud {
		return f.opening + text
	}
	return text
}

// How the table was read, for people: the classes, and each column with what
// its cells are taken for.

// answer is what the search has found so far, as people read it.
func (f *fitRun) answer() *answer.Fit {
	a := &answer.Fit{Path: f.path, Family: f.family, Problem: f.problem, Options: f.Options, Model: f.model, Effort: f.effort,
		Ending: f.ending}
	if f.byDefault {
		a.Limit = process.DefaultTime
	}
	return a
}
