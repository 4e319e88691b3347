// Package answer says what was answered: as text for people and as objects for programs. Begin with the type of a
// question: [Fit], [Path], [GoodModels], [Fair], [CrossValidation] or [Verified]. format.go has what they share.
package answer

import (
	"cmp"
	"embed"
	"fmt"
	"iter"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"
	"unicode/utf8"

	"parcorels/ask/crossval"
	"parcorels/dataset"
	"parcorels/internal/interval"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
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

// Texts are templates in the folder texts. A paragraph in them begins with {{p N}}: it is broken at Width, and its
// lines but the first are indented by N, with {{w N}} the first as well. A table begins with {{t "N M"}}, where the columns N and M
// stand to the left. Its lines are those with a tab between cells.

//go:embed texts
var textFiles embed.FS

// These begin a line that is to be broken, or the first of a table. No text has them: what does not print is escaped.
const (
	paragraph = "\x00"
	indented  = "\x01"
	tabular   = "\x02"
)

var texts = sync.OnceValue(func() *template.Template {
	integer := func(v any) int64 {
		x := reflect.Indirect(reflect.ValueOf(v))
		if x.CanUint() {
			return int64(x.Uint())
		}
		return x.Int()
	}
	float := func(v any) float64 { return reflect.ValueOf(v).Float() }
	return template.Must(template.New("").Funcs(template.FuncMap{
		"p":       func(indent int) string { return paragraph + string(rune('0'+indent)) },
		"w":       func(indent int) string { return indented + string(rune('0'+indent)) },
		"t":       func(left string) string { return tabular + left + tabular },
		"n":       func(v any) string { return wording.Thousands(integer(v)) },
		"count":   func(v any, noun string) string { return wording.Count(integer(v), noun) },
		"plural":  func(noun string) string { return wording.Plural(2, noun) },
		"lambda":  Lambda,
		"percent": func(share any) string { return wording.Percentage(float(share)) },
		"amount":  func(v any) string { return fmt.Sprintf("%.4g", math.Round(1e9*float(v))/1e9) },
		"share":   func(part, whole any) string { return PercentOf(integer(part), integer(whole)) },
		"seconds": func(d time.Duration) string { return wording.Seconds(d) },
		"escape":  func(v any) string { return wording.Escape(fmt.Sprint(v)) },
		"trimmed": func(text string) string { return strings.TrimRight(text, "\n") },
		"sub":     func(a, b int) int { return a - b },
		"after":   func(i int) int { return i + 1 },
		"blank":   func(text string) bool { return strings.TrimSpace(text) == "" },

		"objective": func(v float64) string { return strconv.FormatFloat(v, 'f', 7, 64) },
		"grouped":   wording.Grouped,

		"between": between,
		"around":  plusMinus,
		"part":    partText,
		"rare":    func(majority evaluate.Rate) bool { return evaluate.RareBeside(float64(majority)) },
		"few":     func() int64 { return evaluate.FewRows },
		"points":  func(share evaluate.Rate) string { return strings.TrimSuffix(share.Percent(), "%") },
		"weight":  evaluate.WeightText,
		"errors":  errorsOf,
		"rate":    share,
		"right":   func(share float64) string { return evaluate.Rate(share).Percent() },

		"decimal":     Decimal,
		"userweight":  UserWeight,
		"errorweight": model.ErrorWeight,
		"cost":        model.Cost,
		"number":      func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) },
		"list":        func(items ...any) []any { return items },
		"backward":    func(labels []string) iter.Seq2[int, string] { return slices.Backward(labels) },
		"printable":   wording.Printable,
		"folds":       foldsOf,
		"hundredths":  func(share any) string { return fmt.Sprintf("%.2f%%", 100*float(share)) },
		"conjunction": model.Conjunction,
	}).ParseFS(textFiles, "texts/*.txt"))
})

// render returns what a template says of some data. It tells its own error, which is one of the program.
func render(name string, data any) string {
	var b, set strings.Builder
	if err := texts().ExecuteTemplate(&b, name, data); err != nil {
		return err.Error() + "\n"
	}
	var table [][]string
	left := ""
	end := func() {
		if table != nil {
			set.WriteString(wording.Table(table, left))
		}
		table = nil
	}
	for line := range strings.Lines(b.String()) {
		if text, is := strings.CutPrefix(line, tabular); is {
			end()
			left, line, _ = strings.Cut(text, tabular)
			table = [][]string{}
		}
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); table != nil && len(cells) > 1 {
			table = append(table, cells)
			continue
		}
		end()
		switch {
		case strings.HasPrefix(line, paragraph):
			line = Hanging(line[2:], int(line[1]-'0'))
		case strings.HasPrefix(line, indented):
			line = Wrap(line[2:], int(line[1]-'0'))
		}
		set.WriteString(line)
	}
	end()
	return set.String()
}

// Figures as the templates write them.

// between is an interval of shares; "" for none.
func between(in *interval.Interval) string {
	if in == nil {
		return ""
	}
	return fmt.Sprintf("%.1f–%.1f%%", 100*in.Low, 100*in.High)
}

// share writes a rate; "none" where nothing is predicted to be of class 1.
func share(rate evaluate.Rate) string {
	if math.IsNaN(float64(rate)) {
		return "none"
	}
	return wording.Percentage(float64(rate))
}

// errorsOf writes a weight of errors; that of rows without weights is their number.
func errorsOf(weight float64) string {
	if weight == math.Trunc(weight) {
		return wording.Thousands(int64(weight))
	}
	return trimZeros(strconv.FormatFloat(weight, 'f', 4, 64))
}

// foldsOf is "all 10 folds" or "3 of 10 folds".
func foldsOf(n, all int) string {
	if n == all && all > 1 {
		return fmt.Sprintf("all %d folds", all)
	}
	return fmt.Sprintf("%d of %s", n, wording.Count(int64(all), "fold"))
}

// partText is a measure on test parts ± its standard error, with its name.
func partText(name string, e crossval.Estimate, scale float64, decimals int, unit string) string {
	if math.IsNaN(float64(e.Mean)) {
		return name + " undefined"
	}
	text := fmt.Sprintf("%s %.*f", name, decimals, scale*float64(e.Mean))
	if e.Values > 1 {
		text += fmt.Sprintf(" ± %.*f", decimals, scale*e.Error)
	}
	return text + unit
}

// plusMinus is mean ± standard deviation, in units of 1/scale.
func plusMinus(e crossval.Estimate, scale float64, decimals int) string {
	if math.IsNaN(float64(e.Mean)) {
		return "undefined"
	}
	return fmt.Sprintf("%.*f ± %.*f", decimals, scale*float64(e.Mean), decimals, scale*e.Deviation)
}
