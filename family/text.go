package family

import (
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/rules"
)

// linesOf returns a line for each rule, of which all but the first begin with a word.
func linesOf[R any](list []R, word string, line func(R) string) (text string) {
	for i, r := range list {
		if i == 0 {
			text += hanging("if   " + line(r))
		} else {
			text += hanging(word + line(r))
		}
	}
	return text
}

// hanging is a line of at most 80 columns, and what is too long for it below.
func hanging(text string) string { return wording.Wrap(text, model.DefaultWidth, 4)[4:] }

// conditions says how many antecedents a claim is about.
func conditions(set *rules.Set) string {
	return wording.Count(int64(len(set.Antecedents)), "condition")
}

// atMost says how many rules the lists that a claim is about have, if there is a limit.
func atMost(most int) string {
	if most == 0 {
		return ""
	}
	return " of at most " + wording.Count(int64(most), "rule")
}
