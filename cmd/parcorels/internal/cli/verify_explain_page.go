package cli

import (
	"cmp"
	"fmt"
	"parcorels/cmd/internal/console"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parcorels/internal/wording"
	verifylist "parcorels/verify/rulelist"
)

// A certificate is a page, however many sets it has: those of the same weight stand
// together, several on a line, each line with the sum of its weights. What has no place on the page is
// counted there, and all is in the table of --explain-csv.

const (
	pageLines  = 60
	loadLines  = 7 // that loads above their cost take at most, of rules and of points
	pointShare = 3 // of the lines that are left, the part that points may take from sets
)

// page is the certificate.
func (t explained) page() string {
	head, sum := t.argument(), t.sum()
	left := pageLines - strings.Count(head, "\n") - strings.Count(sum, "\n")
	if len(t.x.Steps) > 1 {
		return head + t.steps(left) + sum
	}
	s := t.x.Steps[0]
	loads := t.loads(s)
	left -= strings.Count(loads, "\n") + 2 // the headings
	sets, points := packSets(t.sets(s)), packPoints(t.x)
	forPoints := max(left-len(sets), min(len(points), left/pointShare))
	return head +
		t.listed(fmt.Sprintf("POINTS: %s, by what it costs to get them wrong", wording.Thousands(int64(len(t.x.Points)))), points, forPoints, "point") +
		t.listed(fmt.Sprintf("SETS: %s, by their weights; rows of class 1 + rows of class 0; sum of the line", wording.Thousands(int64(len(s.Sets)))), sets, left-min(forPoints, len(points)), "set") +
		loads + sum
}

// argument says what is proved and why.
func (t explained) argument() string {
	x, r, d := t.x, t.list, t.set.Data
	n := wording.Thousands
	say := func(text string, args ...any) string { return wrap(fmt.Sprintf(text, args...), 0) }
	weighed := "a row"
	if d.Weights != nil {
		weighed = fmt.Sprintf("a row of weight %s", userWeight(d, 1, 4))
	}
	rows := "Rows are counted from 1, without the header."
	if d.Dropped > 0 {
		rows = fmt.Sprintf("Rows are those that were kept (%s were not), counted from 1.", n(int64(d.Dropped)))
	}
	text := "WHY NO RULE LIST HAS A SMALLER OBJECTIVE, to be checked by hand\n" +
		say("All amounts are integers: %s that a list gets wrong costs %s, a rule %s (λ = %s of what all rows would). %s Class 1 is %s, class 0 is %s.",
			weighed, n(x.Error), n(x.Rule), r.Lambda, rows, console.Escape(d.ClassName(1)), console.Escape(d.ClassName(0))) +
		say("1. Rows that satisfy the same antecedents are one point, named by its first row of the heavier class: a list gives it one class. The lighter class is wrong in any case; over all points of the table that costs %s. To get a point wrong is to give it the lighter class, for the difference of both weights.",
			n(x.Base*x.Error)) +
		say("2. Each set holds points of both classes. If a list gets all of them right, not all fall to its default. The first rule that captures some of them captures only points of the class that it predicts: it is pure on the set.") +
		say("3. So in every set a point is wrong, or a rule that is pure on it is in the list. Its weight is what it asks of each of them to pay; the load of a point or rule is what all sets ask. A list costs all weights, less loads above costs.") +
		say("4. Rules that do not pay have no load: %s of %s. The points of its class that such a rule captures, or all that it leaves, cost no more than a rule: the list without it, or that ends with it, is as good.",
			n(int64(len(x.LeftOut))), n(2*int64(len(t.set.Antecedents))))
	if len(x.Steps) > 1 {
		text += say("5. This proof needs %d steps. A step excludes rules: its bound, and what such a rule costs beyond its load, come to more than any better list costs. They have no load in later steps.", len(x.Steps))
	}
	return text
}

// pageLine is a line of things, how many they are and what they weigh.
type pageLine struct {
	text   string
	things int
	weight int64
}

// thing is a set or a point, with its weight or cost.
type thing struct {
	name   string
	weight int64
}

// sets names the sets of a step by their rows, the heaviest first.
func (t explained) sets(s verifylist.ExplainStep) (things []thing) {
	for _, set := range s.Sets {
		things = append(things, thing{t.members(set), set.Weight})
	}
	slices.SortStableFunc(things, func(a, b thing) int { return cmp.Compare(b.weight, a.weight) })
	return things
}

// members names the points of a set by their rows.
func (t explained) members(set verifylist.ExplainSet) string {
	var names [2][]string
	for _, i := range set.Points {
		p := t.x.Points[i]
		names[p.Class] = append(names[p.Class], rowOf(p))
	}
	return strings.Join(names[1], ",") + "+" + strings.Join(names[0], ",")
}

// rowOf is the number of a point's first row.
func rowOf(p verifylist.Point) string { return strconv.Itoa(p.Sample + 1) }

// packSets puts sets on lines that end with the sum of their weights.
func packSets(things []thing) []pageLine {
	const sumWidth = 14
	lines := pack(things, helpWidth-sumWidth)
	for i := range lines {
		l := &lines[i]
		l.text += strings.Repeat(" ", helpWidth-sumWidth+1-utf8.RuneCountInString(l.text)) + fmt.Sprintf("%*s", sumWidth-1, "= "+wording.Thousands(l.weight))
	}
	return lines
}

// packPoints puts the points on lines, the dearest first.
func packPoints(x *verifylist.Explanation) []pageLine {
	var things []thing
	for _, p := range x.Points {
		things = append(things, thing{rowOf(p), p.Cost() * x.Error})
	}
	slices.SortStableFunc(things, func(a, b thing) int { return cmp.Compare(b.weight, a.weight) })
	return pack(things, helpWidth)
}

// pack puts things on lines of so many columns, those of one weight behind it. A name that
// is longer than a line is cut.
func pack(things []thing, width int) (lines []pageLine) {
	var l pageLine
	for i, x := range things {
		weight := wording.Thousands(x.weight) + ": "
		name := cut(x.name, width-utf8.RuneCountInString(weight)-1)
		next := " " + name
		if l.things == 0 {
			next = weight + name
		} else if x.weight != things[i-1].weight {
			next = "; " + weight + name
		}
		if l.things > 0 && utf8.RuneCountInString(l.text+next) > width {
			lines, l, next = append(lines, l), pageLine{}, weight+name
		}
		l = pageLine{l.text + next, l.things + 1, l.weight + x.weight}
	}
	if l.things > 0 {
		lines = append(lines, l)
	}
	return lines
}

// listed is a heading with at most so many lines, the last of which counts what has no
// place.
func (t explained) listed(heading string, lines []pageLine, most int, what string) string {
	b := heading + "\n"
	if len(lines) <= most {
		most = len(lines)
	} else {
		most = max(0, most-1)
	}
	for _, l := range lines[:most] {
		b += l.text + "\n"
	}
	var left pageLine
	for _, l := range lines[most:] {
		left.things += l.things
		left.weight += l.weight
	}
	if left.things > 0 {
		b += fmt.Sprintf("and %s, %s together: --explain-csv FILE\n", wording.Count(int64(left.things), "more "+what), wording.Thousands(left.weight))
	}
	return b
}

// loads shows the loads that are above what their rules and points cost.
func (t explained) loads(s verifylist.ExplainStep) string {
	n := wording.Thousands
	var over, rest int64
	above := 0
	for above < len(s.Rules) && s.Rules[above].Load > t.x.Rule {
		over += s.Rules[above].Load - t.x.Rule
		above++
	}
	b := fmt.Sprintf("LOADS OF RULES: %s, %s of them above %s, by %s in all\n", n(int64(len(s.Rules))), n(int64(above)), n(t.x.Rule), n(over))
	rest = over
	for k, r := range s.Rules[:above] {
		if k == loadLines-1 && above > loadLines {
			b += fmt.Sprintf("and %s, by %s together: --explain-csv FILE\n", wording.Count(int64(above-k), "more rule"), n(rest))
			break
		}
		b += fmt.Sprintf("%16s  %s\n", n(r.Load), cut(t.ruleText(r.RuleOf), helpWidth-18))
		rest -= r.Load - t.x.Rule
	}
	return b + t.over(s)
}

func (t explained) ruleText(r verifylist.RuleOf) string {
	return fmt.Sprintf("if %s then %s", console.Escape(t.set.Antecedents[r.Antecedent].Name), console.Escape(t.set.Data.ClassName(r.Class)))
}

// over shows the points whose loads are more than they cost.
func (t explained) over(s verifylist.ExplainStep) string {
	var things []thing
	var over int64
	for i, load := range s.Points {
		p := t.x.Points[i]
		if by := load - p.Cost()*t.x.Error; by > 0 {
			things = append(things, thing{rowOf(p), by})
			over += by
		}
	}
	if len(things) == 0 {
		return "No load of a point is above what it costs.\n"
	}
	slices.SortStableFunc(things, func(a, b thing) int { return cmp.Compare(b.weight, a.weight) })
	return t.listed(fmt.Sprintf("LOADS OF POINTS: %s of them above what they cost, by %s in all", wording.Thousands(int64(len(things))), wording.Thousands(over)),
		pack(things, helpWidth), loadLines, "point")
}

// steps is a table of the steps of a certificate that has several.
func (t explained) steps(left int) string {
	n := wording.Thousands
	b := fmt.Sprintf("STEPS: %d; their sets, points and loads: --explain-csv FILE\n%6s %8s %16s %16s %16s %10s\n", len(t.x.Steps), "step", "sets", "all weights", "loads above", "bound", "excludes")
	for i, s := range t.x.Steps {
		if i == left-3 && len(t.x.Steps) > left-2 {
			return b + fmt.Sprintf("and %s\n", wording.Count(int64(len(t.x.Steps)-i), "more step"))
		}
		b += fmt.Sprintf("%6d %8s %16s %16s %16s %10s\n", i+1, n(int64(len(s.Sets))), n(s.Sum), n(s.Above), n(s.Value), n(int64(len(s.Excluded))))
	}
	return b
}

// sum puts the bound beside what the verified list costs.
func (t explained) sum() string {
	x, n := t.x, wording.Thousands
	b := "THE BOUND\n"
	line := func(amount, text string) { b += fmt.Sprintf("%16s  %s\n", amount, text) }
	if len(x.Steps) == 1 {
		line(n(x.Steps[0].Sum), "all weights")
		line("−"+n(x.Steps[0].Above), "less what loads are above")
	} else {
		line(n(x.Least-x.Base*x.Error), "the bound of the last step")
	}
	line(n(x.Base*x.Error), "what is wrong in any case")
	line(n(x.Least), "every list costs as much: objective "+t.share(x.Least, true))
	line(n(x.Claimed), "the list above: objective "+t.share(x.Claimed, false))
	line(n(x.Smaller), "the most that a smaller objective could cost")
	return b + wrap(fmt.Sprintf("Objectives are multiples of %s. Which of equally good lists comes first is shown by the proof alone.", n(x.Claimed-x.Smaller)), 0)
}
