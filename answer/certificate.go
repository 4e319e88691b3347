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
	x := v.List.Explanation
	if x == nil {
		return ""
	}
	if !x.Holds() {
		return "\n" + Wrap(fmt.Sprintf("No certificate by hand: one bound shows %s at least. The proof needs its %s and %s as well.",
			v.share(x.Least, true), wording.Count(v.List.Records, "record"), wording.Count(v.List.Prefixes, "prefix")), 0)
	}
	return "\n" + v.explained().page()
}

// share returns an amount of an explanation as a share of all samples.
func (v *Verified) share(amount int64, down bool) string {
	r, x := v.List, v.List.Explanation
	return Decimal(amount, r.Scale*(x.Rule/(r.Lambda.Num*(r.Scale/r.Lambda.Den))), r.Lambda, down)
}

// explained is an explanation that holds, for reading.
type explained struct {
	*Verified
	x    *verifylist.Explanation
	rows []int // of the file, by sample
}

func (v *Verified) explained() explained {
	return explained{v, v.List.Explanation, v.Set.Data.FileRows()}
}

// row is the number of a point's first row in the file.
func (t explained) row(p verifylist.Point) string { return strconv.Itoa(t.rows[p.Sample]) }

// csvHeader are the columns of a certificate for spreadsheets. The first column says what a
// row is: a point; a member, which is a point in a set; a set; a rule, or one that is
// left out of the sum; and in the end an amount of the sum.
var csvHeader = []string{"kind", "set", "row", "class", "condition", "weight_1", "weight_0", "costs", "weight", "load", "above"}

// writeCSV writes the whole certificate.
func (t explained) writeCSV(w io.Writer) error {
	out, x := csv.NewWriter(w), t.x
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
	x := t.x
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
	sum := t.sum()
	left := pageLines - 1 - strings.Count(t.argument(true)+loads+sum, "\n")
	setList := onLines("SETS (class 1 + class 0) and their weights", sets, left-4, false)
	pointList := onLines("POINTS (first rows) and what it costs to get them wrong", points, left-strings.Count(setList, "\n"), false)
	return t.argument(strings.Contains(pointList+setList+loads, more)) + pointList + setList + loads + sum
}

// argument says what is proved and why, and whether the page leaves something out.
func (t explained) argument(omits bool) string {
	x, r, d, n := t.x, t.List, t.Set.Data, wording.Thousands
	text := "WHY NO RULE LIST HAS A SMALLER OBJECTIVE, to be checked by hand\n"
	if omits {
		text += Wrap("This page has no place for all sets and points: to check it, take the table that --explain-csv FILE writes.", 0)
	}
	return text +
		Wrap(fmt.Sprintf("All amounts are whole numbers. %s A rule costs %s (λ = %s of what all rows would). Row 1 is the first one "+
			"below the header. Class 1 is %s, class 0 is %s.",
			t.costs(), n(x.Rule), r.Lambda, wording.Escape(d.ClassName(1)), wording.Escape(d.ClassName(0))), 0) +
		Wrap(fmt.Sprintf("1. Rows that satisfy the same conditions are one point: every list gives them one class. Those of the lighter "+
			"class are wrong in any case. Over the whole table that costs %s. To get a point wrong is to give it the lighter class; "+
			"that costs the difference of both classes.", n(x.Base*x.Error)), 0) +
		Wrap("2. Each set holds points of both classes. Let a list get all of them right. The default gives all rows one class, so some "+
			"rule captures points of the set. All that the first such rule captures of the set have the class that it predicts. Such a "+
			"rule is called pure on the set.", 0) +
		Wrap("3. So each list gets a point of the set wrong, or has a rule that is pure on it. The set asks each of these to pay its "+
			"weight. What all sets ask of a point or a rule is its load. Where no load is above what its point or rule costs, a list "+
			"costs all weights at least. Elsewhere subtract the difference.", 0) +
		Wrap(fmt.Sprintf("4. %s of %s rules have no load, as a best list needs none of them: the points of its class that such a rule "+
			"captures, or all that it leaves, cost no more than a rule.", n(int64(len(x.LeftOut))), n(2*int64(len(t.Set.Antecedents)))), 0)
}

// costs says what a wrong row costs, class by class where classes have weights.
func (t explained) costs() string {
	d, n := t.Set.Data, wording.Thousands
	if !d.Weighted() {
		return fmt.Sprintf("A row that a list gets wrong costs %s.", n(t.x.Error))
	}
	var weights [2]int64
	for i, w := range d.Weights {
		if c := d.Class(i); weights[c] == 0 {
			weights[c] = w
		} else if weights[c] != w {
			return fmt.Sprintf("A row of weight %s that a list gets wrong costs %s, other weights in proportion.", UserWeight(d, 1, 4),
				n(t.x.Error))
		}
	}
	return fmt.Sprintf("By the class weights, a row of class 1 that a list gets wrong costs %s, one of class 0 %s.",
		n(weights[1]*t.x.Error), n(weights[0]*t.x.Error))
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

// sum puts the bound beside what the verified list costs.
func (t explained) sum() string {
	x, n := t.x, wording.Thousands
	b := "THE BOUND\n"
	for _, l := range []struct{ amount, text string }{
		{n(x.Sum), "all weights"},
		{"−" + n(x.Above), "less what loads are above costs"},
		{n(x.Base * x.Error), "what is wrong in any case"},
		{n(x.Least), "every list costs as much: objective " + t.share(x.Least, true)},
		{n(x.Claimed), "the list above: objective " + t.share(x.Claimed, false)},
		{n(x.Smaller), "the most that a smaller objective could cost"},
	} {
		b += fmt.Sprintf("%16s  %s\n", l.amount, l.text)
	}
	return b + Wrap(fmt.Sprintf("Objectives are multiples of %s. Which of equally good lists comes first is shown by the proof alone.",
		n(x.Claimed-x.Smaller)), 0)
}

// WriteCSV writes everything that the certificate has, and what has no place there.
func (v *Verified) WriteCSV(w io.Writer) error { return v.explained().writeCSV(w) }
