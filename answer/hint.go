package answer

import (
	"fmt"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rules"
	"slices"
	"strings"
)

// A model that predicts one class for all may be optimal, and is of no use to most
// who get it: they are told why, and what would give another.

// Hint says what to try if the model predicts one class for all. The options are those of the search.
func Hint(m model.Model, p *family.Problem, o family.Options) string {
	set := p.Set
	d, cases := set.Data, m.Cases()
	for _, c := range cases {
		if c.Class != cases[0].Class {
			return ""
		}
	}
	c := m.Certificate()
	if c.Status != parallel.Optimal && c.Status != parallel.Finished || occurring(d) < 2 || len(set.Antecedents) == 0 {
		return ""
	}
	text := fmt.Sprintf("every sample is predicted %s: ", wording.Escape(m.About().Label(cases[0].Class)))
	fewer := "" // rows, where that helps
	if o.MinRows > 1 {
		fewer = fmt.Sprintf("fewer than --min-rows %d", o.MinRows)
	}
	switch m.Family() {
	case model.RuleSet:
		text += "no rule covers enough samples of class 1 to be worth its price. Try " +
			orElse(fewer, smaller(c.Lambda), "other conditions")
	case model.BayesianRuleList:
		text += "no rule makes another class likelier. "
		if len(cases) > 1 {
			text += fmt.Sprintf("But P(%s) differs: compare it with a limit of your own.", wording.Escape(d.Classes[1]))
		} else {
			text += "Try " + orElse(fewer, "rules of more conditions (--max-card 3, --width 2)") + "."
		}
	default:
		if p.ByLuck(o) {
			text += "conditions save no more than they do of shuffled labels, by luck. A smaller --lambda finds rules all the same, and " +
				"--chance 99 says how often luck does as well"
			break
		}
		text += worthless(c, set, o, fewer)
	}
	return "\n" + Hanging("hint: "+text, 6)
}

// Foreknown asks whether what a model looks at was known before the label, where one or two
// rules on one or two columns leave less than a tenth of the errors of the base rate, or one rule on one column
// a fifth; "" otherwise. In tables of R's packages half of the single rules between a tenth and a fifth look at
// what came with the label or after it, as the time until an event.
func Foreknown(m model.Model) string {
	cases := m.Cases()
	if len(cases) < 2 || len(cases) > 3 {
		return ""
	}
	var rows, right int64
	each := make([]int64, len(m.About().Classes))
	var columns []string
	for _, k := range cases {
		right += k.Samples[k.Class]
		for c, n := range k.Samples {
			rows, each[c] = rows+n, each[c]+n
		}
		for _, l := range k.Literals() {
			if l.Test.Kind != dataset.Given && !slices.Contains(columns, l.Column) {
				columns = append(columns, l.Column)
			}
		}
	}
	times := int64(10)
	if len(columns) == 1 && len(cases) == 2 {
		times = 5
	}
	if columns == nil || len(columns) > 2 || times*(rows-right) >= rows-slices.Max(each) {
		return ""
	}
	part, names := "rule", option.Join(columns)
	if m.Family() == model.Tree {
		part = "split"
	}
	quoted := names
	if strings.ContainsAny(names, " ()$&;'\"`\\") { // what a shell would take apart
		quoted = "'" + strings.ReplaceAll(names, "'", `'\''`) + "'"
	}
	return fmt.Sprintf("%s right by %s on %s: was this known beforehand? If it came with the label, or after it, leave it out: --ignore %s",
		PercentOf(right, rows), wording.Count(int64(len(cases)-1), part), names, quoted)
}

// worthless says why a list or a tree has no rule or split of use.
func worthless(c model.Certificate, set *rules.Set, o family.Options, fewer string) string {
	part, price := "rule", "its price λ"
	if c.Part == "leaf" {
		part, price = "split", "the price λ of a leaf"
	}
	allowed := part
	if o.MinRows > 1 {
		allowed += fmt.Sprintf(" within --min-rows %d", o.MinRows)
	}
	why := fmt.Sprintf("no %s saves enough errors to be worth %s. ", allowed, price)
	weighted, rare := "", "" // a label of few samples
	if !set.Data.Weighted() {
		weighted = "--class-weights balanced, which counts errors on rare classes more"
		if set.Data.ClassCount() == 2 {
			rarer, few := 1, int(set.Data.InClass(1).Count())
			if 2*few > set.Data.N {
				rarer, few = 0, set.Data.N-few
			}
			label := wording.Escape(set.Data.Classes[rarer])
			weighted = fmt.Sprintf("--class-weights balanced, which counts errors on %s more", label)
			if rareShare*few < set.Data.N {
				rare, weighted = label, fmt.Sprintf("--model bayes, whose rules say where %s is likelier, or %s", label, weighted)
				if c.Part == "rule" && rarer == 1 && o.Maximise == "" {
					weighted = fmt.Sprintf("--recall 80%%, which finds the best list that predicts so much of %s, or %s", label, weighted)
				}
			}
		}
	}
	saved, ok := mostSaved(set)
	switch {
	case rare != "" && (!ok || saved.Num == 0): // a smaller λ would fit chance
		return why + "Few samples are " + rare + ": try " + orElse(fewer, weighted)
	case ok && saved.Num == 0:
		return fmt.Sprintf("no single %s saves an error, however small λ is. Try %s; or, as several may save some together, %s", part,
			orElse(fewer, weighted), smaller(c.Lambda))
	case ok && !LambdaOf(c).Less(saved):
		why += fmt.Sprintf("The best single %s saves %.5f of the samples: try ", part, saved.Float())
		return why + orElse(fewer, orElse("--lambda "+below(saved), weighted))
	}
	return why + "Try " + orElse(fewer, smaller(c.Lambda), weighted)
}

// below returns a short number that is less than r, and at least half of it.
func below(r ratio.Ratio) string {
	text := fmt.Sprintf("%.1g", 0.9*r.Float())
	if short, err := ratio.Parse(text); err == nil && short.Num > 0 && short.Less(r) {
		return short.String()
	}
	return ratio.New(r.Num, 2*r.Den).String()
}

// mostWords is the work that a hint may take: a second.
const mostWords = 1 << 30

// mostSaved returns the largest share of errors that one rule or split saves, compared with a model without. It returns false
// if samples have weights, or if that takes too long.
func mostSaved(set *rules.Set) (saved ratio.Ratio, ok bool) {
	d := set.Data
	if d.Weights != nil || len(set.Antecedents)*(d.N/64+1) > mostWords/d.ClassCount() {
		return saved, false
	}
	classes := rules.ClassSets(d)
	none, best := 0, 0
	for _, members := range classes {
		none = max(none, int(members.Count()))
	}
	for _, a := range set.Antecedents {
		in, out := 0, 0 // right, on each side
		for _, members := range classes {
			n := int(members.IntersectionCardinality(a.Captured()))
			in, out = max(in, n), max(out, int(members.Count())-n)
		}
		best = max(best, in+out-none)
	}
	return ratio.New(int64(best), int64(d.N)), true
}

// rareShare: a class with less than 1/rareShare of the samples is rare.
const rareShare = 10

// orElse joins what may be tried, without what is "".
func orElse(ways ...string) string {
	return strings.Join(slices.DeleteFunc(ways, func(w string) bool { return w == "" }), ", or ")
}

// smaller advises half the λ.
func smaller(lambda string) string {
	l, err := ratio.Parse(lambda)
	if err != nil {
		return "a smaller --lambda"
	}
	return fmt.Sprintf("a smaller --lambda (%s)", ratio.New(l.Num, l.Den*2))
}

// occurring returns how many classes have a sample.
func occurring(d *dataset.Dataset) (n int) {
	for _, members := range rules.ClassSets(d) {
		if members.Any() {
			n++
		}
	}
	return n
}
