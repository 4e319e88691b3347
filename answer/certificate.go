package answer

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"parcorels/internal/wording"
	verifylist "parcorels/verify/rulelist"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Certificate is what a person needs to check the verdict; "" unless asked for.
func (v *Verified) Certificate() string {
	switch x := v.List.Explanation; {
	case x == nil:
		return ""
	case !x.Holds():
		return render("no certificate", v.explained())
	}
	return "\n" + v.explained().page()
}

// explained is an explanation, for reading.
type explained struct {
	*Verified
	X     *verifylist.Explanation
	rows  []int // of the file, by sample
	Omits bool  // the page leaves something out
}

func (v *Verified) explained() explained {
	return explained{Verified: v, X: v.List.Explanation, rows: v.Set.Data.FileRows()}
}

// Share returns an amount as a share of all samples.
func (t explained) Share(amount int64, down bool) string {
	r := t.List
	return Decimal(amount, r.Scale*(t.X.Rule/(r.Lambda.Num*(r.Scale/r.Lambda.Den))), r.Lambda, down)
}

// Wrong is what costs whatever a list does, Rules the number of rules, and Step the least difference of objectives.
func (t explained) Wrong() int64 { return t.X.Base * t.X.Error }
func (t explained) Rules() int   { return 2 * len(t.Set.Antecedents) }
func (t explained) Step() int64  { return t.X.Claimed - t.X.Smaller }
func (t explained) Less() string { return "−" + wording.Thousands(t.X.Above) }

// Unit is the weight of a row that costs X.Error.
func (t explained) Unit() string { return UserWeight(t.Set.Data, 1, 4) }

// ByClass is what a wrong row of each class costs; nil where rows of a class differ.
func (t explained) ByClass() []int64 {
	costs := make([]int64, 2)
	for i, w := range t.Set.Data.Weights {
		switch c := t.Set.Data.Class(i); costs[c] {
		case 0, w * t.X.Error:
			costs[c] = w * t.X.Error
		default:
			return nil
		}
	}
	return costs
}

// row is the number of a point's first row in the file.
func (t explained) row(p verifylist.Point) string { return strconv.Itoa(t.rows[p.Sample]) }

// csvHeader are the columns of a certificate for spreadsheets. The first column says what a
// row is: a point; a member, which is a point in a set; a set; a rule, or one that is
// left out of the sum; and in the end an amount of the sum.
var csvHeader = []string{"kind", "set", "row", "class", "condition", "weight_1", "weight_0", "costs", "weight", "load", "above"}

// writeCSV writes the whole certificate.
func (t explained) writeCSV(w io.Writer) error {
	out, x := csv.NewWriter(w), t.X
	line := func(cells ...any) { // the others are empty
		record := make([]string, len(csvHeader))
		for i, cell := range cells {
			record[i] = fmt.Sprint(cell)
		}
		_ = out.Write(record) // Flush remembers the error
	}
	_ = out.Write(csvHeader)
	for _, p := range x.Points {
		costs := p.Cost() * x.Error
		line("point", "", t.row(p), p.Class, "", p.Weight[1], p.Weight[0], costs, "", p.Load, max(0, p.Load-costs))
	}
	for k, set := range x.Sets {
		line("set", k+1, "", "", "", "", "", "", set.Weight)
		for _, m := range set.Points {
			line("member", k+1, t.row(x.Points[m]), x.Points[m].Class, "", "", "", "", set.Weight)
		}
	}
	for _, r := range x.Rules {
		line("rule", "", "", r.Class, t.Set.Antecedents[r.Antecedent].Name, "", "", x.Rule, "", r.Load, max(0, r.Load-x.Rule))
	}
	for _, r := range x.LeftOut {
		line("left-out", "", "", r.Class, t.Set.Antecedents[r.Antecedent].Name)
	}
	for _, total := range []struct {
		what   string
		amount int64
	}{{"wrong in any case", x.Base * x.Error}, {"every list", x.Least}, {"this list", x.Claimed}, {"a better list", x.Smaller}} {
		line(total.what, "", "", "", "", "", "", total.amount)
	}
	out.Flush()
	return out.Error()
}

const (
	pageLines = 60 // that a certificate takes at most
	loadLines = 7  // of those, for rules and for points whose loads are above their costs
)

// item is a thing on the page: a set, a point or a rule, with an amount.
type item struct {
	name   string
	amount int64
}

// page is the certificate on one page. Lines without a place are counted, and all is in the
// table of --explain-csv.
func (t explained) page() string {
	x := t.X
	var points, sets, rules, over []item
	for _, p := range x.Points {
		costs := p.Cost() * x.Error
		points = append(points, item{t.row(p), costs})
		if p.Load > costs {
			over = append(over, item{t.row(p), p.Load - costs})
		}
	}
	for _, s := range x.Sets {
		var rows [2][]string
		for _, i := range s.Points {
			rows[x.Points[i].Class] = append(rows[x.Points[i].Class], t.row(x.Points[i]))
		}
		sets = append(sets, item{strings.Join(rows[1], ",") + "+" + strings.Join(rows[0], ","), s.Weight})
	}
	for _, r := range x.Rules {
		if r.Load > x.Rule {
			text := "if " + wording.Escape(t.Set.Antecedents[r.Antecedent].Name) + " then " + wording.Escape(t.Set.Data.ClassName(r.Class))
			rules = append(rules, item{text, r.Load - x.Rule})
		}
	}
	loads := onLines("RULES with loads above what a rule costs, by", rules, loadLines, true) +
		onLines("POINTS with loads above their costs, by", over, loadLines, false)
	bound := render("bound", t)
	t.Omits = true
	left := pageLines - 1 - strings.Count(render("argument", t)+loads+bound, "\n")
	setList := onLines("SETS (class 1 + class 0) and their weights", sets, left-4, false)
	pointList := onLines("POINTS (first rows) and what it costs to get them wrong", points, left-strings.Count(setList, "\n"), false)
	t.Omits = strings.Contains(pointList+setList+loads, more)
	return render("argument", t) + pointList + setList + loads + bound
}

// more begins the line that counts what a list leaves out.
const more = "and more in the table of --explain-csv: "

// onLines is a heading, with how many items there are and what they come to, and at most
// most lines of items, the largest first: one on a line, or as many as there is place for.
func onLines(heading string, items []item, most int, alone bool) string {
	n := wording.Thousands
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.amount, a.amount) })
	var total int64
	var lines []string
	var behind []int64 // what comes behind each line
	for i, x := range items {
		text := n(x.amount) + ": " + x.name
		if i > 0 && !alone && x.amount == items[i-1].amount && utf8.RuneCountInString(lines[len(lines)-1]+x.name) < Width {
			text = x.name
		}
		last := len(lines) - 1
		switch {
		case last < 0 || alone || utf8.RuneCountInString(lines[last]+text)+2 > Width:
			lines, behind = append(lines, Cut(text, Width)), append(behind, total)
		case text == x.name:
			lines[last] += " " + text
		default:
			lines[last] += "; " + text
		}
		total += x.amount
	}
	b := fmt.Sprintf("%s: %s, %s in all\n", heading, n(int64(len(items))), n(total))
	if len(lines) > most {
		shown := max(0, most-1)
		lines = append(lines[:shown:shown], more+n(total-behind[shown])+" in all")
	}
	for _, l := range lines {
		b += l + "\n"
	}
	return b
}

// WriteCSV writes everything that the certificate has, and what has no place there.
func (v *Verified) WriteCSV(w io.Writer) error { return v.explained().writeCSV(w) }
