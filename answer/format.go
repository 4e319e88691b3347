// Package answer says what was answered: as text for people and as objects for programs. Begin with the type of a
// question: [Fit], [Path], [GoodModels], [Fair], [CrossValidation] or [Verified]. format.go has what they share.
package answer

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
)

// Width is how many columns a text has.
const Width = 80

// DataHead says what a file holds, before what was found in it.
func DataHead(path string, d *dataset.Dataset) string {
	return render("samples", map[string]any{"Path": path, "Data": d}) + ClassLine(d) + "\n" + Notes(d.Notes) + "\n"
}

// Stopped says why a list is not known to be optimal.
var Stopped = map[parallel.Status]string{
	parallel.TimeLimit:   "time limit reached",
	parallel.NodeLimit:   "node limit reached",
	parallel.MemoryLimit: "memory limit too small to go on",
	parallel.Interrupted: "interrupted",
	parallel.Stalled:     "ended by itself: for long neither the list nor the bound had moved",
}

// UserWeight returns an integer weight in the user's unit, rounded.
func UserWeight(d *dataset.Dataset, w int64, decimals int) string {
	return trimZeros(ratio.Over(ratio.Int(w), d.WeightUnit.Rat()).FloatString(decimals))
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

// Digits is how many decimals an objective is given with at least.
const Digits = 10

// Decimal returns num/den, an objective for the price λ, with Digits, or so many that the price shows with two;
// rounding down keeps a lower bound one.
func Decimal(num, den int64, lambda ratio.Ratio, down bool) string {
	n := Digits
	if lambda.Num > 0 {
		n = max(n, 2+int(math.Ceil(-math.Log10(lambda.Float()))))
	}
	x := new(big.Rat).SetFrac64(num, den)
	if !down {
		return x.FloatString(n)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	floor := ratio.Floor(ratio.Product(x, new(big.Rat).SetInt(scale)))
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
		return wording.Cut(strings.TrimSuffix(text, ","), Width)
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
		name := wording.Cut(wording.Escape(c.Name), width)
		lines = append(lines, wording.Cut(fmt.Sprintf("  %-*s  %s", width, name, wording.Escape(c.As)), Width))
	}
	return lines
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
