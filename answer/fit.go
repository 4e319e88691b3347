package answer

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"parcorels/bayes"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/ruleset"
)

// Fit is what a search has found, as people read it.
type Fit struct {
	Path    string // of the table
	Family  *family.Family
	Problem *family.Problem
	Options family.Options
	Limit   time.Duration // that nobody gave; 0: somebody did
	Model   *family.Model
	Effort  string // "0.01 s, 9,626 prefixes expanded"
	Ending  string // is printed at the end
}

// Head says what a model is learned from: how the table is read, and the size of the
// problem.
func (f *Fit) Head() string { return render("head", fitText{f}) }

// Verdict says how good the model is and what is proven about it.
func (f *Fit) Verdict() string {
	switch f.Model.Model.(type) {
	case *ruleset.Model:
		return render("set verdict", fitText{f})
	case *bayes.Model:
		return render("bayes verdict", fitText{f})
	}
	return render("verdict", fitText{f})
}

// Advice says what would end a search in some state sooner. With other options than those of a checkpoint that it resumes it would
// be another search. A client counts in seconds.
func (f *Fit) Advice(took time.Duration, state string, resumes, client bool) string {
	ways := SimplerThan(f.Family, &f.Options)
	if resumes {
		ways = nil
	}
	return render("advice", map[string]any{"Fit": f, "Took": took, "State": state, "Ways": ways, "Client": client})
}

// AskForeknown is Foreknown as a paragraph, about the first of the models of which there is something to ask: the others are like it.
func AskForeknown(models ...model.Model) string {
	for _, m := range models {
		if text := Foreknown(m); text != "" {
			return "\n" + Notes([]string{wording.Escape(text)})
		}
	}
	return ""
}

// Kind names the models among which the best is sought.
func (f *Fit) Kind() string {
	kind := string(f.Family.Kind)
	if n := f.Options.Depth; n > 0 {
		kind += fmt.Sprintf(" of depth at most %d", n)
	}
	if n := f.Options.MaxRules; n > 0 {
		kind += " of at most " + wording.Count(int64(n), "rule")
	}
	if n := len(f.Options.First); n > 0 {
		kind += " that begins with " + family.ItsFirst(n)
	}
	return kind + f.Options.RestrictionText()
}

// Price is λ, or the expected number of rules.
func (f *Fit) Price() ratio.Ratio {
	price, _ := f.Problem.Price(f.Options) // the options were found good
	return price
}

// fitText is what the templates in fit.txt say of a fit.
type fitText struct{ *Fit }

func (f fitText) Set() *rules.Set                { return f.Problem.Set }
func (f fitText) Data() *dataset.Dataset         { return f.Problem.Set.Data }
func (f fitText) Certificate() model.Certificate { return f.Model.Certificate() }
func (f fitText) Optimal() bool                  { return f.Certificate().Status == parallel.Optimal }
func (f fitText) Finished() bool                 { return f.Certificate().Status == parallel.Finished }
func (f fitText) Stopped() string                { return Stopped[f.Certificate().Status] }
func (f fitText) F1() *report.F1                 { return f.Model.F1 }
func (f fitText) F1Bound() float64               { return 100 * f.Model.F1.Bound }

// Columns are a line about the classes, and one for each column.
func (f fitText) Columns() []string {
	return append([]string{ClassLine(f.Data())}, ColumnTable(f.Data())...)
}

// Saved is how many samples are worth λ.
func (f fitText) Saved() float64 { return f.Price().Float() * float64(f.Data().Rows()) }

// LeastSaved is Saved, exactly and rounded down.
func (f fitText) LeastSaved() int64 { return f.Price().Num * int64(f.Data().Rows()) / f.Price().Den }

// Heaviest is how many of the heaviest samples are worth λ; "" if that is no integer.
func (f fitText) Heaviest() string {
	heavy, _ := f.Data().Heaviest()
	if n := heavy.Quo(big.NewRat(f.Price().Num, f.Price().Den), heavy); n.IsInt() {
		return n.Num().String()
	}
	return ""
}

// MostRight is the accuracy that no model exceeds, as rows that satisfy the same antecedents
// differ in class; 0 if it is above 99%.
func (f fitText) MostRight() float64 {
	p := f.Problem
	if p.Unavoidable < (p.Weight+99)/100 || p.Weight == 0 {
		return 0
	}
	return 1 - float64(p.Unavoidable)/float64(p.Weight)
}

// Tied reports that no model is smaller, but one that ties may come first.
func (f fitText) Tied() bool { return f.Certificate().Bound.Num >= f.Certificate().Objective.Num }

// Bound is the lower bound on the objective.
func (f fitText) Bound() string {
	b := f.Certificate().Bound
	return Decimal(b.Num, b.Den, f.Price(), true)
}

// Short names the small lists or trees that are proved to be no better, where that is all that is proved.
func (f fitText) Short() string {
	small := f.Model.Proved().Small()
	if small == "" || f.Tied() {
		return ""
	}
	small = strings.Replace(small, "list", "rule list", 1)
	if n := len(f.Options.First); n > 0 {
		small += " that begins with " + family.ItsFirst(n)
	}
	return small
}

// ShortTime is what that proof took.
func (f fitText) ShortTime() time.Duration {
	if f.Model.Proved().Depth > 0 {
		return f.Model.Search.Steps[len(f.Model.Search.Steps)-1].Elapsed
	}
	return f.Model.Search.Short.Time
}

// Longer names the models of which nothing is proved.
func (f fitText) Longer() string {
	p := f.Model.Proved()
	switch n := f.Options.MaxRules; {
	case p.Depth > 0:
		return "deeper trees"
	case n > p.Rules+1:
		return fmt.Sprintf("lists of %d to %d rules", p.Rules+1, n)
	case n > 0:
		return "lists of " + wording.Count(int64(n), "rule")
	}
	return "lists of " + wording.Count(int64(p.Rules+1), "rule") + " and more"
}

// FewerErrors is how many samples the gap stands for; 0 of samples with weights.
func (f fitText) FewerErrors() int64 {
	if f.Data().Weights != nil {
		return 0
	}
	c := f.Certificate()
	return int64(math.Ceil(c.Gap * c.Objective.Value * float64(f.Data().N)))
}

// ShareOfBest is how much of the largest value a rule set has at least.
func (f fitText) ShareOfBest() string {
	return wording.Percent(f.Certificate().Objective.Num, f.Certificate().Bound.Num)
}

// Holdout sets the figures of a model on both parts beside the base rate.
func Holdout(h *report.Holdout, m *family.Model) string {
	if h == nil {
		return ""
	}
	return render("holdout", map[string]any{"Holdout": h, "Model": m})
}

// Origin says what a model was learned from, and how good it is there.
func Origin(m model.Model) string {
	c := m.Certificate()
	return render("origin", map[string]any{"Model": m, "Certificate": c, "Price": LambdaOf(c)})
}

// A model that predicts one class for all may be optimal, and is of no use to most
// who get it: they are told why, and what would give another.

// Hint says what to try if the model predicts one class for all. The options are those of the search.
func Hint(m model.Model, p *family.Problem, o family.Options) string {
	set := p.Set
	d, cases := set.Data, m.Cases()
	if slices.ContainsFunc(cases, func(c model.Case) bool { return c.Class != cases[0].Class }) {
		return ""
	}
	c := m.Certificate()
	others := func(c report.Class) bool { return 0 < c.Samples && c.Samples < int64(d.Rows()) } // there are of another class as well
	if c.Status != parallel.Optimal && c.Status != parallel.Finished || len(set.Antecedents) == 0 ||
		!slices.ContainsFunc(report.Classes(d), others) {
		return ""
	}
	h := hint{Model: m, Certificate: c, Options: o, Data: d}
	if f := m.Family(); f == model.RuleList || f == model.Tree {
		h.ByLuck = p.ByLuck(o)
		h.Saved, h.Told = mostSaved(set)
	}
	if d.ClassCount() == 2 {
		few := int(d.InClass(1).Count())
		if h.Rarer = d.Classes[1]; 2*few > d.N {
			h.Rarer, few = d.Classes[0], d.N-few
		}
		h.Rare = !d.Weighted() && rareShare*few < d.N
	}
	return render("hint", h)
}

// hint is what a hint is about.
type hint struct {
	Model       model.Model
	Certificate model.Certificate
	Options     family.Options
	Data        *dataset.Dataset
	ByLuck      bool        // the price is that of conditions on shuffled labels
	Saved       ratio.Ratio // the most that a rule or split saves
	Told        bool        // it is known
	Rarer       string      // of two classes
	Rare        bool        // very much so
}

// Part is what is worth no price.
func (h hint) Part() string {
	return map[bool]string{true: "split", false: "rule"}[h.Certificate.Part == "leaf"]
}

// None reports that nothing is saved, and Enough that more is than λ asks for.
func (h hint) None() bool { return h.Told && h.Saved.Num == 0 }

func (h hint) Enough() bool { return h.Told && !LambdaOf(h.Certificate).Less(h.Saved) }

// Below is a short λ that is less than what is saved, and at least half of it; Smaller is half the λ.
func (h hint) Below() string {
	text := fmt.Sprintf("%.1g", 0.9*h.Saved.Float())
	if short, err := ratio.Parse(text); err == nil && short.Num > 0 && short.Less(h.Saved) {
		return short.String()
	}
	return ratio.New(h.Saved.Num, 2*h.Saved.Den).String()
}

func (h hint) Smaller() string { return smaller(h.Certificate.Lambda) }

// Foreknown asks whether what a model looks at was known before the label, where one or two
// rules on one or two columns leave less than a tenth of the errors of the base rate, or one rule on one column
// a fifth; "" otherwise. In tables of R's packages half of the single rules between a tenth and a fifth look at
// what came with the label or after it, as the time until an event.
func Foreknown(m model.Model) string {
	cases := m.Cases()
	if len(cases) < 2 || len(cases) > 3 {
		return ""
	}
	all, wrong := model.Totals(cases)
	rows, errors := all.Captured(), wrong.Captured()
	var columns []string
	for _, k := range cases {
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
	if columns == nil || len(columns) > 2 || times*errors >= rows-slices.Max(all.Samples) {
		return ""
	}
	part, names := "rule", option.Join(columns)
	if m.Family() == model.Tree {
		part = "split"
	}
	return fmt.Sprintf("%s right by %s on %s: was this known beforehand? If it came with the label, or after it, leave it out: --ignore %s",
		PercentOf(rows-errors, rows), wording.Count(int64(len(cases)-1), part), names, wording.ShellWord(names))
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

// smaller advises half the λ.
func smaller(lambda string) string {
	l, err := ratio.Parse(lambda)
	if err != nil {
		return "a smaller --lambda"
	}
	return fmt.Sprintf("a smaller --lambda (%s)", ratio.New(l.Num, l.Den*2))
}

// These words are known to a person who has never searched for a model.

// stillOpen says how much better a model may be that was not found, in rows: "" where nothing is known.
func stillOpen(f *family.Family, objective, bound, rows float64) string {
	if f.Kind != model.RuleList && f.Kind != model.Tree || !(objective >= bound) || math.IsInf(bound, 0) {
		return ""
	}
	n := int64((objective-bound)*rows + 1e-9)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("A better %s may exist: counting each rule as rows, it would save at most %s of %s.", f.Noun(),
		wording.Thousands(n), wording.Count(int64(rows), "row"))
}

// ProgressWords says how a search goes: how far the proof is, and whether it is worth waiting for.
func ProgressWords(f *family.Family, l report.Look, rows float64, limit time.Duration) (lines []string) {
	if l.Bound != nil {
		if text := stillOpen(f, l.Objective, *l.Bound, rows); text != "" {
			lines = append(lines, text)
		}
	}
	switch {
	case l.Remain != nil && *l.Remain > hopeless && limit > 0:
		lines = append(lines, fmt.Sprintf("A proof is not likely within %s. Use this %s, or ask for a simpler one.", wording.Seconds(limit),
			f.Noun()))
	case l.Steps > 0:
		lines = append(lines, fmt.Sprintf("Step %d of %d is done.", l.Step, l.Steps))
	}
	return lines
}

// hopeless is the logarithm of a number of prefixes that no minute is enough for. The bound on what is left is loose: searches
// that end have shown up to 10¹² a while before.
const hopeless = 15

// PlainVerdict says what is proved of a model in words of rows.
func PlainVerdict(f *family.Family, r *report.Result) string {
	return render("plain verdict", map[string]any{"Kind": f.Kind, "Noun": f.Noun(), "End": r.Status, "Small": r.Proved.Small(),
		"Open": stillOpen(f, r.Objective, r.LowerBound, r.Weight)})
}

// Simpler is an option that asks for less, with what a button says of it.
type Simpler struct{ Text, Name, Value string }

// SimplerThan returns questions of less work, and of models that are easier to read.
func SimplerThan(f *family.Family, o *family.Options) (list []Simpler) {
	priced := false
	switch f.Kind {
	case model.RuleList:
		priced = true
		for _, k := range []int{2, 3} {
			if o.MaxRules == 0 || o.MaxRules > k {
				list = append(list, Simpler{fmt.Sprintf("No more than %d rules", k), "max-rules", strconv.Itoa(k)})
			}
		}
		if o.MaxCard != 1 {
			list = append(list, Simpler{"No conditions joined by “and”", "max-card", "1"})
		}
	case model.Tree:
		priced = true
		if o.Depth == 0 || o.Depth > 2 {
			list = append(list, Simpler{"No more than 2 questions in a row", "depth", "2"})
		}
	}
	if priced && o.Lambda == "" {
		list = append(list, Simpler{"A rule must save 1% of the rows", "lambda", "0.01"})
	}
	return list
}
