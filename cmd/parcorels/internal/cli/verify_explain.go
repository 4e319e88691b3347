package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"parcorels/instance"
	"parcorels/internal/wording"
	"parcorels/ratio"
	"parcorels/rulelist/separation"
	verifylist "parcorels/verify/rulelist"
)

// explainWork bounds the search for weights, in entries of vectors touched: some seconds.
const explainWork = 1 << 31

// weights returns a function that looks for weights by which one bound of the empty
// prefix suffices. The check evaluates them by itself.
func (v *verified) weights(ctx context.Context, lambda ratio.Ratio) func(int64) *verifylist.Weights {
	return func(smaller int64) *verifylist.Weights {
		in, err := instance.FromSet(v.set)
		if err != nil || in.Points == 0 {
			return nil
		}
		p := separation.New(in.Columns, in.Planes, in.Costs, lambda.Den, lambda.Num*in.Total, in.Total)
		room := p.Value(smaller-lambda.Den*in.Base, 0) + p.Scale/8 // what rounding may lose
		w := &verifylist.Weights{Scale: p.ScaleBits()}
		for _, set := range p.Certificate(room, separation.Effort{Work: explainWork, GoOn: func() bool { return ctx.Err() == nil }}) {
			var groups []uint32
			for _, e := range set.Points {
				groups = append(groups, uint32(p.Number(e)))
			}
			w.Sets, w.Each = append(w.Sets, groups), append(w.Each, set.Y)
		}
		return w
	}
}

// certificate is what a person needs to check the verdict; "" unless asked for.
func (v *verified) certificate() string {
	x := v.result.Explanation
	if x == nil {
		return ""
	}
	if !x.Holds() {
		return "\n" + wrap(fmt.Sprintf("No certificate by hand: bounds of the empty prefix show %s at least. The proof needs its %s and %s as well.",
			v.share(x.Least, true), wording.Count(v.result.Records, "record"), wording.Count(v.result.Prefixes, "prefix")), 0)
	}
	t := explained{v, x}
	var b strings.Builder
	b.WriteString("\n" + t.argument() + "\n" + t.points())
	for i := range x.Steps {
		b.WriteString("\n" + t.step(i))
	}
	return b.String() + "\n" + t.sum()
}

// share returns an amount of an explanation as a share of all samples.
func (v *verified) share(amount int64, down bool) string {
	r, x := v.result, v.result.Explanation
	return decimal(amount, r.Scale*(x.Rule/(r.Lambda.Num*(r.Scale/r.Lambda.Den))), r.Lambda, down)
}

// explained is an explanation that holds, for reading.
type explained struct {
	*verified
	x *verifylist.Explanation
}

// argument says what is proved and why.
func (t explained) argument() string {
	x, r := t.x, t.result
	n := wording.Thousands
	say := func(text string, args ...any) string { return wrap(fmt.Sprintf(text, args...), 0) }
	weighed := "a row"
	if d := t.set.Data; d.Weights != nil {
		weighed = fmt.Sprintf("a row of weight %s", userWeight(d, 1, 4))
	}
	rows := "Rows are those of the table, counted from 1 without the header."
	if t.set.Data.Dropped > 0 {
		rows = fmt.Sprintf("Rows are those of the table that were kept (%s were not), counted from 1.", n(int64(t.set.Data.Dropped)))
	}
	text := "WHY NO RULE LIST HAS A SMALLER OBJECTIVE, to be checked by hand\n\n" +
		say("All amounts are integers: %s that a list gets wrong costs %s, a rule costs %s (λ = %s of what all rows would). The list above costs %s.",
			weighed, n(x.Error), n(x.Rule), r.Lambda, n(x.Claimed)) +
		say("1. Rows that satisfy the same antecedents get the same class from every list. They are one point, named by its first row of the heavier class. A list gets the lighter class of each point wrong at least: over all points of the table that costs %s in any case. To get a point wrong from here on is to give it the lighter class; that costs the difference of both weights more.",
			n(x.Base*x.Error)) +
		say("2. Each set below holds points of both classes. Say that a list gets all of them right. Then a rule captures some of them, else the default would give all one class. The first such rule captures all points of the set that satisfy its antecedent, and is right: they have the class that it predicts. Call such a rule pure on the set.") +
		say("3. So in every set a point is wrong, or a rule that is pure on it is in the list. The set's weight is what it asks of each of them to pay.") +
		say("4. The load of a rule is the weight of all sets on which it is pure, that of a point the weight of all sets that hold it. Where no load is more than its rule or point costs, a list costs at least all weights together. What loads are above that is subtracted.") +
		say("5. Rules that do not pay have no load: %s of all %s. The points of the class that such a rule predicts and captures cost no more than a rule, so that a list without it is as good; or so do all points that it does not capture, so that a list that ends with it is.",
			n(int64(len(x.LeftOut))), n(2*int64(len(t.set.Antecedents))))
	if len(x.Steps) > 1 {
		text += say("6. This proof needs %d steps. A step excludes rules: its bound, and what such a rule costs beyond its load, come to more than any better list costs. They have no load in later steps.", len(x.Steps))
	}
	return text + say("%s", rows)
}

// points is a table of the points.
func (t explained) points() string {
	n := wording.Thousands
	d := t.set.Data
	b := fmt.Sprintf("POINTS: %s; class 1 is %s, class 0 is %s\n", wording.Thousands(int64(len(t.x.Points))), onTerminal(d.ClassName(1)), onTerminal(d.ClassName(0)))
	b += fmt.Sprintf("%10s %6s %10s %10s %16s", "row", "class", "weight 1", "weight 0", "wrong costs")
	one := len(t.x.Steps) == 1
	if one {
		b += fmt.Sprintf(" %16s", "load")
	}
	b += "\n"
	for i, p := range t.x.Points {
		b += fmt.Sprintf("%10s %6d %10s %10s %16s", rowOf(p), p.Class, n(p.Weight[1]), n(p.Weight[0]), n(p.Cost()*t.x.Error))
		if one {
			b += fmt.Sprintf(" %16s", n(t.x.Steps[0].Points[i]))
		}
		b += "\n"
	}
	return b
}

// rowOf is the number of a point's first row.
func rowOf(p verifylist.Point) string { return strconv.Itoa(p.Sample + 1) }

// step is the sets of a step with its largest loads.
func (t explained) step(i int) string {
	n := wording.Thousands
	s := t.x.Steps[i]
	head := fmt.Sprintf("SETS: %s", n(int64(len(s.Sets))))
	if len(t.x.Steps) > 1 {
		head = fmt.Sprintf("STEP %d, SETS: %s", i+1, n(int64(len(s.Sets))))
	}
	b := head + fmt.Sprintf("\n%6s %16s  rows of class 1 | rows of class 0\n", "set", "weight")
	for k, set := range s.Sets {
		b += fmt.Sprintf("%6d %16s  ", k+1, n(set.Weight)) + wrapHanging(t.members(set), 25)
	}
	b += t.rules(s) + t.over(s)
	b += fmt.Sprintf("\n%16s  all weights\n%16s  less what loads are above\n%16s  the bound beyond what is wrong in any case\n", n(s.Sum), "−"+n(s.Above), n(s.Value))
	if len(s.Excluded) > 0 {
		b += fmt.Sprintf("%16s  rules excluded\n", n(int64(len(s.Excluded))))
	}
	return b
}

// members names the points of a set by their rows.
func (t explained) members(set verifylist.ExplainSet) string {
	var names [2][]string
	for _, i := range set.Points {
		p := t.x.Points[i]
		names[p.Class] = append(names[p.Class], rowOf(p))
	}
	return strings.Join(names[1], " ") + " | " + strings.Join(names[0], " ")
}

// mostLoads is how many loads are shown that are no larger than allowed.
const mostLoads = 20

// rules shows the largest loads of rules.
func (t explained) rules(s verifylist.ExplainStep) string {
	n := wording.Thousands
	shown := 0
	for shown < len(s.Rules) && (shown < mostLoads || s.Rules[shown].Load > t.x.Rule) {
		shown++
	}
	b := fmt.Sprintf("\nLOADS OF RULES: %s, each may have %s\n", n(int64(len(s.Rules))), n(t.x.Rule))
	for _, r := range s.Rules[:shown] {
		b += fmt.Sprintf("%16s%s ", n(r.Load), above(r.Load-t.x.Rule)) + wrapHanging(fmt.Sprintf("if %s then %s",
			onTerminal(t.set.Antecedents[r.Antecedent].Name), onTerminal(t.set.Data.ClassName(r.Class))), 18)
	}
	if left := len(s.Rules) - shown; left > 0 {
		b += fmt.Sprintf("%16s  or less: %s\n", n(s.Rules[shown].Load), wording.Count(int64(left), "other rule"))
	}
	return b
}

// above marks a load that is more than allowed.
func above(by int64) string {
	if by > 0 {
		return "!"
	}
	return " "
}

// over shows the points whose loads are more than they cost.
func (t explained) over(s verifylist.ExplainStep) string {
	var rows []string
	for i, load := range s.Points {
		if p := t.x.Points[i]; load > p.Cost()*t.x.Error {
			rows = append(rows, rowOf(p)+" by "+wording.Thousands(load-p.Cost()*t.x.Error))
		}
	}
	if len(rows) == 0 {
		return "No load of a point is above what it costs.\n"
	}
	return wrap("Loads of points above what they cost: "+strings.Join(rows, ", "), 0)
}

// sum puts the bound beside what the verified list costs.
func (t explained) sum() string {
	x, n := t.x, wording.Thousands
	text := fmt.Sprintf("THE BOUND\n%16s  the bound of the sets\n%16s  what is wrong in any case\n%16s  every list costs as much: objective %s\n%16s  the list above: objective %s\n%16s  the most that a smaller objective could cost\n",
		n(x.Least-x.Base*x.Error), n(x.Base*x.Error), n(x.Least), t.share(x.Least, true), n(x.Claimed), t.share(x.Claimed, false), n(x.Smaller))
	return text + wrap(fmt.Sprintf("All objectives are multiples of %s, so that a smaller one would be at most %s, which is less than the bound %s. Which of equally good lists comes first is not shown here; the proof does.",
		n(x.Claimed-x.Smaller), n(x.Smaller), n(x.Least)), 0)
}
