// Package answer says what was answered: as text for people and as objects for programs. Begin with the type of a
// question: [Fit], [Path], [GoodModels], [Fair], [CrossValidation] or [Verified]. format.go has what they share.
package answer

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Width is how many columns a text has.
const Width = 80

// SamplesLine says how many samples a file has.
func SamplesLine(path string, d *dataset.Dataset) string {
	text := fmt.Sprintf("%s: %s", wording.Escape(path), wording.Count(int64(d.Rows()), "sample"))
	if d.Dropped > 0 {
		text += fmt.Sprintf(" (%s dropped)", wording.Count(int64(d.Dropped), "row"))
	}
	if d.Target != "" {
		text += ", target " + wording.Escape(d.Target)
	}
	return text + "\n"
}

// DataHead says what a file holds, before what was found in it.
func DataHead(path string, d *dataset.Dataset) string {
	return SamplesLine(path, d) + ClassLine(d) + "\n" + Notes(d.Notes) + "\n"
}

// onThose says of which models a bound is, if some antecedents were given up.
func onThose(set *rules.Set) string {
	if set.Pruned() {
		return " on the conditions kept"
	}
	return ""
}

// ObjectiveLine tells of what parts an objective is the sum.
func ObjectiveLine(d *dataset.Dataset, m model.Model, lambda ratio.Ratio) string {
	c := m.Certificate()
	return fmt.Sprintf("objective %s = %s + %s × %s\n", Decimal(c.Objective.Num, c.Objective.Den, lambda, false),
		errorTerm(d, model.ErrorWeight(m.Cases()), m.About().Data.Weight), wording.Count(int64(c.Size), c.Part), lambda)
}

// CostLine says what the decisions of a model cost, and what one decision costs for everyone; "" without costs of all rows.
func CostLine(m model.Model) string {
	f := m.About()
	if f.Costs == nil || f.Costs.Each == nil {
		return ""
	}
	everyone := forEveryone(f.Labels(), func(class int) string { return f.Costs.Each[class] })
	return Hanging(fmt.Sprintf("cost %s (%s; the best decision of each row %s)", model.Cost(m), everyone, f.Costs.Least), 4)
}

// forEveryone lists what single decisions cost, that of the last class first.
func forEveryone(classes []string, cost func(class int) string) string {
	var each []string
	for class, label := range slices.Backward(classes) {
		each = append(each, fmt.Sprintf("%s for everyone %s", wording.Printable(label), cost(class)))
	}
	return strings.Join(each, ", ")
}

// regret says what decisions cost in a part of the rows.
func regret(part, cost string, labels []string, each func(class int) float64) string {
	everyone := forEveryone(labels, func(class int) string { return fmt.Sprintf("%.4g", each(class)) })
	return fmt.Sprintf("%s: decisions cost %s a row more than the best one of each row (%s)", part, cost, everyone)
}

// Stopped says why a list is not known to be optimal.
var Stopped = map[parallel.Status]string{
	parallel.TimeLimit:   "time limit reached",
	parallel.NodeLimit:   "node limit reached",
	parallel.MemoryLimit: "memory limit too small to go on",
	parallel.Interrupted: "interrupted",
	parallel.Stalled:     "ended by itself: for long neither the list nor the bound had moved",
}

// errorTerm is the share of errors, in the user's weights.
func errorTerm(d *dataset.Dataset, errors, total int64) string {
	if !d.Weighted() {
		return fmt.Sprintf("%s of %s", wording.Count(errors, "error"), wording.Thousands(total))
	}
	return fmt.Sprintf("errors weighing %s of %s", UserWeight(d, errors, 4), UserWeight(d, total, 4))
}

// UserWeight returns an integer weight in the user's unit, rounded.
func UserWeight(d *dataset.Dataset, w int64, decimals int) string {
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

// LambdaOf returns λ of a model, 1 of a family without.
func LambdaOf(c model.Certificate) ratio.Ratio {
	if l, err := ratio.Parse(c.Lambda); err == nil {
		return l
	}
	return ratio.New(1, 1)
}

// PosteriorLine tells the posterior of a list and its prior.
func PosteriorLine(m *bayes.Model) string {
	p := m.Prior
	return fmt.Sprintf("log posterior %.4f (λ = %s rules, η = %s conditions, α = %s, %s)\n", m.Posterior.Value, p.Length, p.Width,
		p.Alpha[0], p.Alpha[1])
}

// Digits is how many decimals an objective is given with at least.
const Digits = 10

// digitsFor returns as many, or so many that the price of a rule shows with two.
func digitsFor(lambda ratio.Ratio) int {
	if lambda.Num == 0 {
		return Digits
	}
	return max(Digits, 2+int(math.Ceil(-math.Log10(lambda.Float()))))
}

// Decimal returns num/den, an objective for the price λ, with as many digits as its price asks for;
// rounding down keeps a lower bound one.
func Decimal(num, den int64, lambda ratio.Ratio, down bool) string {
	n := digitsFor(lambda)
	x := new(big.Rat).SetFrac64(num, den)
	if !down {
		return x.FloatString(n)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	floor := new(big.Int).Mul(x.Num(), scale)
	floor.Quo(floor, x.Denom())
	return new(big.Rat).SetFrac(floor, scale).FloatString(n)
}

// columnsShown is how many columns are told of one by one.
const columnsShown = 40

// ClassLine says which class is which, and how many samples each has.
func ClassLine(d *dataset.Dataset) string {
	list := report.Classes(d)
	if len(list) > 2 {
		text := strconv.Itoa(len(list)) + " classes:"
		for _, c := range list {
			text += fmt.Sprintf(" %s (%s),", wording.Escape(c.Label), PercentOf(c.Samples, int64(d.Rows())))
		}
		return Cut(strings.TrimSuffix(text, ","), Width)
	}
	count := func(c report.Class) string {
		return fmt.Sprintf("%s: %s (%s)", wording.Escape(cmp.Or(c.Label, "no label")), wording.Count(c.Samples, "sample"),
			PercentOf(c.Samples, int64(d.Rows())))
	}
	text := "class 1 is " + count(list[1]) + ", class 0 is " + count(list[0])
	return strings.TrimSuffix(Hanging(text, 2), "\n")
}

// PercentOf is a share as a percentage.
func PercentOf(part, whole int64) string {
	return wording.Percentage(float64(part) / float64(max(whole, 1)))
}

// ColumnTable has a line for each column that has features. An .out file has
// no columns.
func ColumnTable(d *dataset.Dataset) (lines []string) {
	columns := report.Columns(d)
	width := 0
	for _, c := range columns[:min(len(columns), columnsShown)] {
		width = max(width, utf8.RuneCountInString(wording.Escape(c.Name)))
	}
	width = min(width, 24)
	for i, c := range columns {
		if i == columnsShown {
			return append(lines, fmt.Sprintf("  and %s more", wording.Count(int64(len(columns)-i), "column")))
		}
		lines = append(lines, Cut(fmt.Sprintf("  %-*s  %s", width, Cut(wording.Escape(c.Name), width), wording.Escape(c.As)), Width))
	}
	return lines
}

// Cut shortens a text to so many characters.
func Cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// Right is the share of the training weight that a model gets right.
func Right(m model.Model) float64 {
	return 1 - float64(model.ErrorWeight(m.Cases()))/float64(m.About().Data.Weight)
}

// Lambda is a λ as an exact fraction, with its value where that is not the same.
func Lambda(l *big.Rat) string {
	if !l.Num().IsInt64() || !l.Denom().IsInt64() {
		return l.FloatString(7)
	}
	text := ratio.Ratio{Num: l.Num().Int64(), Den: l.Denom().Int64()}.String()
	if strings.Contains(text, "/") {
		f, _ := l.Float64()
		text += fmt.Sprintf(" (%.3g)", f)
	}
	return text
}

// Hanging is wrap for a text whose first line is not indented.
func Hanging(text string, indent int) string {
	return Wrap(text, indent)[indent:]
}

// Wrap breaks text into lines of at most Width columns, each indented.
func Wrap(text string, indent int) string { return wording.Wrap(text, Width, indent) }

// Notes returns a paragraph for each of some texts.
func Notes(texts []string) (lines string) {
	for _, text := range texts {
		lines += Hanging("note: "+text, 6)
	}
	return lines
}
