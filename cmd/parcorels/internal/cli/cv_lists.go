package cli

import (
	"fmt"
	"strconv"
	"strings"

	"parcorels/crossval"
	"parcorels/internal/wording"
	"parcorels/model"
)

// found is one model with its folds.
func (v *validated) found(s crossval.Summary, f crossval.Found) string {
	var numbers []string
	for _, fold := range f.Folds {
		numbers = append(numbers, strconv.Itoa(fold+1))
	}
	title := fmt.Sprintf("λ = %s, found by %s", s.Lambda, foldsOf(len(f.Folds), s.Done))
	if s.Done == 1 {
		title = "λ = " + s.Lambda.String()
	}
	if len(f.Folds) < s.Done {
		title += " (" + strings.Join(numbers, ", ") + ")"
	}
	var b strings.Builder
	b.WriteString(wrapHanging(title+":", 4))
	label := func(class int) string { return wording.Printable(v.data.ClassName(class)) }
	if len(f.Lines) == 1 {
		return b.String() + "predict " + label(f.Lines[0].Class) + " for everyone\n"
	}
	for i, l := range f.Lines {
		if l.Text == "" {
			b.WriteString("else " + label(l.Class) + "\n")
			continue
		}
		pieces := strings.Split(l.Text, " and ") // a line may be broken there
		for k, piece := range pieces {
			pieces[k] = "and " + wording.Printable(piece)
		}
		pieces[0] = v.opening(i) + strings.TrimPrefix(pieces[0], "and ")
		b.WriteString(strings.Join(model.Fill(append(pieces, "then "+label(l.Class)), helpWidth), "\n") + "\n")
	}
	return b.String()
}

// opening returns the words before line i. Every path of a tree stands alone, and
// so does every rule of a set.
func (v *validated) opening(i int) string {
	switch {
	case i == 0 || v.family.Kind == model.Tree:
		return "if   "
	case v.family.Kind == model.RuleSet:
		return "or   "
	}
	return "else if "
}
