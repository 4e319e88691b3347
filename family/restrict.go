package family

import (
	"fmt"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/rulelist/problem"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Which rules a list may have: rules that decide enough rows, and that keep the directions of columns.
//
// Let a column increase the chance of class 1. A rule that predicts class 1 asks of it only whether it is large, one that
// predicts class 0 only whether it is small. Raise the column in a row that a list predicts to be of class 1. The rules for
// class 0 that did not hold do not hold now, so the first rule that holds is for class 1 still, or none is and the default.

// restriction returns the rules that lists on a set may have. Its errors are *optionerr.Error.
func (o *Options) restriction(set *rules.Set) (problem.Restriction, error) {
	labels, err := o.directed(set)
	return problem.Restriction{
		MinRows: o.MinRows, Labels: labels,
		Captured: func(a int) *bitset.BitSet { return set.Antecedents[a].Captured() },
	}, err
}

// directed returns the labels that rules of each antecedent may predict, nil where any may.
func (o *Options) directed(set *rules.Set) ([]uint8, error) {
	if len(o.Increasing)+len(o.Decreasing) == 0 {
		return nil, nil
	}
	d := set.Data
	if d.ClassCount() != 2 {
		return nil, optionerr.Errorf("Increasing", "option Increasing is for two classes, there are %d: choose one by option Positive",
			d.ClassCount())
	}
	up := map[string]bool{}
	for _, column := range o.Increasing {
		up[column] = true
	}
	for _, column := range o.Decreasing {
		if up[column] {
			return nil, optionerr.Errorf("Decreasing", "option Decreasing has the column %q, which option Increasing has as well", column)
		}
		up[column] = false
	}
	for column, up := range up {
		of := func(f dataset.Feature) bool { return f.Column == column }
		some := slices.ContainsFunc(d.Features, of) // none of numbers that these labels do not cut, as shuffled ones may not
		directed := slices.ContainsFunc(d.Features, func(f dataset.Feature) bool { return of(f) && f.Test.Direction() != 0 })
		if some && !directed || !some && (column == d.Target || !slices.Contains(d.Columns, column)) {
			option := map[bool]string{true: "Increasing", false: "Decreasing"}[up]
			return nil, optionerr.Errorf(option, "option %s: column %q has no thresholds, so that it has no direction", option, column)
		}
	}
	labels := make([]uint8, len(set.Antecedents))
	for i, a := range set.Antecedents {
		labels[i] = 3
		for _, l := range a.Literals {
			f := &d.Features[l.Feature]
			rises, is := up[f.Column]
			if !is || f.Test.Kind == dataset.Missing {
				continue
			}
			direction := f.Test.Direction()
			if l.Negated {
				direction = -direction
			}
			switch { // bit 1 is class 1
			case direction == 0:
				labels[i] = 0
			case rises == (direction > 0):
				labels[i] &= 2
			default:
				labels[i] &= 1
			}
		}
	}
	return labels, nil
}

// RestrictionText says in parentheses which rules the lists have that a claim is about; "" where any.
func (o *Options) RestrictionText() string {
	var parts []string
	if o.MinRows > 1 || o.MinRows == 1 && o.Family == model.BayesianRuleList {
		parts = append(parts, fmt.Sprintf("at least %s a %s", wording.Count(int64(o.MinRows), "row"), o.Family.Part()))
	}
	if o.Falling {
		parts = append(parts, "each at most as likely as the one before")
	}
	for i, columns := range [][]string{o.Increasing, o.Decreasing} {
		if len(columns) > 0 {
			parts = append(parts, []string{"increasing", "decreasing"}[i]+" in "+strings.Join(columns, ", "))
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// sortedNames reads columns with commas between them, each of them once.
func sortedNames(text string) ([]string, error) {
	names, err := option.SplitNames(text)
	slices.Sort(names)
	return slices.Compact(names), err
}

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
