package cli

import (
	"fmt"
	"math/big"
	"parcorels/cmd/internal/console"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
)

// head says what a model is learned from: how the table is read, and the size of the
// problem.
func (f *fitted) head() string {
	d := f.set.Data
	text := samplesLine(f.path, d) + strings.Join(append([]string{classLine(d)}, columnTable(d)...), "\n") + "\n" +
		fmt.Sprintf("%s, %s, λ = %s\n", wording.Count(int64(len(f.set.Antecedents)), "antecedent"),
			wording.Count(int64(f.teller.points), "distinct point"), f.settings.search.Lambda)
	return text + keptOf(f.set) + f.atMost() + notes(d.Notes)
}

// atMost notes which accuracy no list exceeds, as rows that satisfy the same antecedents
// differ in class, unless that is above 99%.
func (f *fitted) atMost() string {
	t, of := f.teller, "of the samples"
	if t.unavoidable < (t.weight+99)/100 || t.weight == 0 {
		return ""
	}
	if f.set.Data.Weights != nil {
		of = "by weight"
	}
	return notes([]string{fmt.Sprintf("rows that are alike in all antecedents differ in class: no %s is right on more than %s %s",
		t.what, percentage(1-float64(t.unavoidable)/float64(t.weight)), of)})
}

// samplesLine says how many samples a file has.
func samplesLine(path string, d *dataset.Dataset) string {
	text := fmt.Sprintf("%s: %s", console.Escape(path), wording.Count(int64(d.N), "sample"))
	if d.Dropped > 0 {
		text += fmt.Sprintf(" (%s dropped)", wording.Count(int64(d.Dropped), "row"))
	}
	if d.Target != "" {
		text += ", target " + console.Escape(d.Target)
	}
	return text + "\n"
}

// keptOf notes which antecedents are kept where some were given up.
func keptOf(set *rules.Set) string {
	text := "those of most gain are kept of %s antecedents; --max-card, --min-support and --max-antecedents say which there are"
	switch {
	case !set.Pruned():
		return ""
	case set.Informative:
		text = "the informative ones are kept of %s antecedents, as --informative asks"
	}
	return notes([]string{fmt.Sprintf(text, wording.Thousands(set.Mined))})
}

// text is what fit prints for people once the search has ended.
func (f *fitted) text() string {
	text := f.model.Text(helpWidth) + "\n" + f.verdict() + hint(f.model, f.set, f.read, f.settings.search.Time)
	if f.teller.aloud {
		return f.opening + text
	}
	return text
}

// verdict says how good the model is and what is proven about it.
func (f *fitted) verdict() string {
	if f.family.verdict != nil {
		return f.family.verdict(f)
	}
	c, kind, lambda := f.model.Certificate(), string(f.family.kind), f.settings.search.Lambda
	among := onThose(f.set)
	text := objectiveLine(f.set.Data, f.model, lambda)
	if c.Status == parallel.Optimal {
		return text + optimal(f.set, kind) + "(proved in " + f.effort + ")\n" + f.ending
	}
	left := "a better " + kind + " may exist"
	if c.Bound.Num >= c.Objective.Num {
		left = "no " + kind + among + " has a smaller objective, but one that ties may come first in the order"
	}
	return text + wrapHanging(stopped[c.Status]+": "+left, 4) + fmt.Sprintf("lower bound %s on every %s%s, gap %s\n(stopped after %s)\n",
		decimal(c.Bound.Num, c.Bound.Den, lambda, true), kind, among, percentage(c.Gap), f.effort) + f.ending
}

// onThose says of which models a bound is, if some antecedents were given up.
func onThose(set *rules.Set) string {
	if set.Pruned() {
		return " on the antecedents kept"
	}
	return ""
}

// objectiveLine tells of what parts an objective is the sum.
func objectiveLine(d *dataset.Dataset, m model.Model, lambda ratio.Ratio) string {
	c := m.Certificate()
	return fmt.Sprintf("objective %s = %s + %s × %s\n", decimal(c.Objective.Num, c.Objective.Den, lambda, false),
		errorTerm(d, model.ErrorWeight(m.Cases()), m.About().Data.Weight), wording.Count(int64(c.Size), c.Part), lambda)
}

// stopped says why a list is not known to be optimal.
var stopped = map[parallel.Status]string{
	parallel.TimeLimit:   "time limit reached",
	parallel.NodeLimit:   "node limit reached",
	parallel.MemoryLimit: "memory limit too small to search at all",
	parallel.Interrupted: "interrupted",
}

// errorTerm is the share of errors, in the user's weights.
func errorTerm(d *dataset.Dataset, errors, total int64) string {
	if d.Weights == nil {
		return fmt.Sprintf("%s of %s", wording.Count(errors, "error"), wording.Thousands(total))
	}
	return fmt.Sprintf("errors weighing %s of %s", userWeight(d, errors, 4), userWeight(d, total, 4))
}

// userWeight returns an integer weight in the user's unit, rounded.
func userWeight(d *dataset.Dataset, w int64, decimals int) string {
	unit := d.WeightUnit
	x := new(big.Rat).SetFrac64(unit.Den, unit.Num)
	x.Mul(x, new(big.Rat).SetInt64(w))
	return trimZeros(x.FloatString(decimals))
}

// trimZeros removes the zeros that end a decimal fraction.
func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// optimal says among which models one is proved to be optimal.
func optimal(set *rules.Set, kind string) string {
	if !set.Pruned() {
		return "optimal: no " + kind + " has a smaller objective\n"
	}
	return fmt.Sprintf("optimal among the %s kept of %s:\nno %s on them has a smaller objective\n",
		wording.Count(int64(len(set.Antecedents)), "antecedent"), wording.Thousands(set.Mined), kind)
}

// lambdaOf returns λ of a model, 1 of a family without.
func lambdaOf(c model.Certificate) ratio.Ratio {
	if l, err := ratio.Parse(c.Lambda); err == nil {
		return l
	}
	return ratio.New(1, 1)
}
