package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"parcorels/crossval"
	"parcorels/internal/wording"
)

// found is one list with its folds.
func (v *validated) found(s crossval.Summary, f crossval.Found) string {
	var numbers []string
	for _, fold := range f.Folds {
		numbers = append(numbers, strconv.Itoa(fold+1))
	}
	title := fmt.Sprintf("λ = %s, found by %s", s.Lambda, foldsOf(len(f.Folds), s.Done))
	if len(f.Folds) < s.Done {
		title += " (" + strings.Join(numbers, ", ") + ")"
	}
	var b strings.Builder
	b.WriteString(wrapHanging(title+":", 4))
	label := func(class int) string { return wording.Printable(v.data.Classes[class]) }
	if len(f.List.Rules) == 0 {
		return b.String() + "predict " + label(f.List.Default) + " for everyone\n"
	}
	for i, r := range f.List.Rules {
		word := "else if "
		if i == 0 {
			word = "if   "
		}
		b.WriteString(hanging(word, names(r), "then "+label(r.Class)))
	}
	return b.String() + "else " + label(f.List.Default) + "\n"
}

// names returns the literals of a rule as people read them.
func names(r crossval.Rule) []string {
	var names []string
	for _, n := range r.Names {
		names = append(names, wording.Printable(n))
	}
	return names
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
