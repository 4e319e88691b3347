package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

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
		b.WriteString(hanging(v.opening(i), pieces(l.Text), "then "+label(l.Class)))
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

// pieces returns what stands between the "and" of a text, for it to be broken there.
func pieces(text string) []string {
	var list []string
	for piece := range strings.SplitSeq(text, " and ") {
		list = append(list, wording.Printable(piece))
	}
	return list
}

// hanging sets a rule on one line, or breaks it before an "and" or "then".
func hanging(word string, names []string, then string) string {
	text, used := word+names[0], utf8.RuneCountInString(word+names[0])
	for i, name := range append(names[1:len(names):len(names)], then) {
		if i < len(names)-1 {
			name = "and " + name
		}
		n := utf8.RuneCountInString(name)
		if used+1+n > helpWidth {
			text, used = text+"\n    "+name, 4+n
			continue
		}
		text, used = text+" "+name, used+1+n
	}
	return text + "\n"
}
