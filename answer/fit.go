package answer

import (
	"fmt"
	"math"
	"math/big"
	"parcorels/bayes"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/evaluate"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/ruleset"
	"strconv"
	"strings"
	"time"
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
func (f *Fit) Head() string {
	d := f.Problem.Set.Data
	text := SamplesLine(f.Path, d) + strings.Join(append([]string{ClassLine(d)}, ColumnTable(d)...), "\n") + "\n" +
		fmt.Sprintf("%s, %s, λ = %s\n", f.questions(), wording.Count(int64(f.Problem.Points), "distinct point"), f.Price())
	return text + f.priceInSamples() + f.limit() + keptOf(f.Problem.Set) + f.atMost() + Notes(d.Notes)
}

// limit says when a search ends that nobody limits.
func (f *Fit) limit() string {
	if f.Limit == 0 {
		return ""
	}
	return fmt.Sprintf("the search ends within %.0f s (--time none: no limit)\n", f.Limit.Seconds())
}

// questions says how many conditions and thresholds there are.
func (f *Fit) questions() string {
	text := wording.Count(int64(len(f.Problem.Set.Antecedents)), "condition")
	switch thresholds := wording.Count(int64(f.Problem.Thresholds), "threshold"); {
	case f.Problem.Thresholds == 0:
	case len(f.Problem.Set.Antecedents) == 0:
		text = thresholds
	default:
		text += " and " + thresholds
	}
	return text
}

// priceInSamples says what λ means in samples where nobody gave it, and notes one that is
// given and so small that rules may fit single samples.
func (f *Fit) priceInSamples() string {
	d, l := f.Problem.Set.Data, f.Price()
	part, whole := "rule", float64(d.Rows())
	switch f.Family.Kind {
	case model.RuleList:
	case model.Tree:
		part = "leaf"
	default:
		return ""
	}
	saved := l.Float() * whole
	switch {
	case f.Options.Lambda != "" && saved < 2:
		return Notes([]string{fmt.Sprintf("λ = %s is less than 2 of %s: a %s may fit a single one", l,
			wording.Count(int64(d.Rows()), "sample"),
			part)})
	case f.Options.Lambda != "":
		return ""
	case d.Weighted():
		text := fmt.Sprintf("a %s must save more than %s of the weight", part, wording.Percentage(l.Float()))
		heavy, _ := d.Heaviest()
		if n := heavy.Quo(big.NewRat(l.Num, l.Den), heavy); n.IsInt() {
			text += fmt.Sprintf(", %s of the heaviest samples", n.Num())
		}
		return text + "\n"
	}
	return fmt.Sprintf("a %s must save more than %s\n", part, wording.Count(l.Num*int64(d.Rows())/l.Den, "sample"))
}

// atMost notes which accuracy no list exceeds, as rows that satisfy the same antecedents
// differ in class, unless that is above 99%.
func (f *Fit) atMost() string {
	p, of := f.Problem, "of the samples"
	if p.Unavoidable < (p.Weight+99)/100 || p.Weight == 0 {
		return ""
	}
	if p.Set.Data.Weighted() {
		of = "by weight"
	}
	return Notes([]string{fmt.Sprintf("rows that are alike in all conditions differ in class: no %s is right on more than %s %s",
		f.Family.Noun(), wording.Percentage(1-float64(p.Unavoidable)/float64(p.Weight)), of)})
}

// keptOf notes which antecedents are kept where some were given up.
func keptOf(set *rules.Set) string {
	text := "those of most gain are kept of %s conditions; --max-card, --min-support and --max-antecedents say which there are"
	switch {
	case !set.Pruned():
		return ""
	case set.Informative:
		text = "the informative ones are kept of %s conditions, as --informative asks"
	}
	return Notes([]string{fmt.Sprintf(text, wording.Thousands(set.Mined))})
}

// AskForeknown is foreknown as a paragraph.
func AskForeknown(m model.Model) string {
	if text := Foreknown(m); text != "" {
		return "\n" + Notes([]string{wording.Escape(text)})
	}
	return ""
}

// Verdict says how good the model is and what is proven about it.
func (f *Fit) Verdict() string {
	switch m := f.Model.Model.(type) {
	case *ruleset.Model:
		return f.ruleSetVerdict(m)
	case *bayes.Model:
		return f.bayesVerdict(m)
	}
	c, kind, lambda := f.Model.Certificate(), f.Kind(), f.Price()
	among := onThose(f.Problem.Set)
	if f.Model.F1 != nil {
		return f.f1Verdict(kind + among)
	}
	text := ObjectiveLine(f.Problem.Set.Data, f.Model, lambda) + CostLine(f.Model)
	if c.Status == parallel.Optimal {
		return text + optimal(f.Problem, kind) + "(proved in " + f.Effort + ")\n" + f.Ending
	}
	if f.Model.Proved().Small() != "" && c.Bound.Num < c.Objective.Num {
		return text + Stopped[c.Status] + "\n" + f.small(c) + "(stopped after " + f.Effort + ")\n" + f.Ending
	}
	left := "a better " + kind + " may exist"
	if c.Bound.Num >= c.Objective.Num {
		left = "no " + kind + among + " has a smaller objective, but one that ties may come first in the order"
	}
	return text + Hanging(Stopped[c.Status]+": "+left, 4) + fmt.Sprintf("lower bound %s on every %s%s, gap %s\n(stopped after %s)\n",
		Decimal(c.Bound.Num, c.Bound.Den, lambda, true), kind, among, wording.Percentage(c.Gap), f.Effort) + f.Ending
}

// f1Verdict says how large F1 is, and what is proved of it.
func (f *Fit) f1Verdict(kind string) string {
	x, end := f.Model.F1, "(stopped after "
	text := fmt.Sprintf("F1 %s, or %s where each %s counts as %s\n", wording.Percentage(x.Value), wording.Percentage(x.Score),
		f.Model.Certificate().Part, wording.Count(x.Price, "error"))
	if x.Proved() {
		end = "(proved in "
		text += Hanging("optimal: no "+kind+" has more, so counted", 4)
	} else {
		text += Hanging(fmt.Sprintf("not proved: no %s has more than %.3f%%, so counted", kind, 100*x.Bound), 4)
	}
	return text + CostLine(f.Model) + end + f.Effort + ")\n" + f.Ending
}

// small says which small lists or trees are proved to be no better, and what is not proved of others.
func (f *Fit) small(c model.Certificate) string {
	p, d, kind := f.Model.Proved(), f.Problem.Set.Data, ""
	if n := len(f.Options.First); n > 0 {
		kind = " that begins with " + family.ItsFirst(n)
	}
	took, others := f.Model.Search.Short.Time, "lists of "
	switch n := f.Options.MaxRules; {
	case p.Depth > 0:
		took, others = f.Model.Search.Steps[len(f.Model.Search.Steps)-1].Elapsed, "deeper trees"
	case n > p.Rules+1:
		others += fmt.Sprintf("%d to %d rules", p.Rules+1, n)
	case n > 0:
		others += wording.Count(int64(n), "rule")
	default:
		others += wording.Count(int64(p.Rules+1), "rule") + " and more"
	}
	gap := "gap " + wording.Percentage(c.Gap)
	if d.Weights == nil {
		gap += fmt.Sprintf(": %s of %s samples at most", wording.Thousands(int64(math.Ceil(c.Gap*c.Objective.Value*float64(d.N)))),
			wording.Thousands(int64(d.N)))
	}
	small := strings.Replace(p.Small(), "list", "rule list", 1) + kind
	return Hanging(fmt.Sprintf("proved: no %s is better (%s, %s)", small, f.questions(), wording.Seconds(took)), 4) +
		Hanging(fmt.Sprintf("not proved: %s; none has an objective below %s (%s)", others,
			Decimal(c.Bound.Num, c.Bound.Den, f.Price(), true), gap), 4)
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

// optimal says among which models one is proved to be optimal.
func optimal(p *family.Problem, kind string) string {
	set := p.Set
	switch {
	case len(p.Set.Antecedents) == 0 && p.Thresholds == 0:
		return Hanging("optimal: without conditions no "+kind+" has a smaller objective", 4)
	case !set.Pruned():
		return Hanging("optimal: no "+kind+" on these conditions has a smaller objective", 4)
	}
	return fmt.Sprintf("optimal among the %s kept of %s:\n%s",
		wording.Count(int64(len(set.Antecedents)), "condition"), wording.Thousands(set.Mined),
		Hanging("no "+kind+" on them has a smaller objective", 4))
}

// Price is λ, or the expected number of rules.
func (f *Fit) Price() ratio.Ratio {
	price, _ := f.Problem.Price(f.Options) // the options were found good
	return price
}

// ruleSetVerdict says what a rule set is worth and what is proved of it.
func (f *Fit) ruleSetVerdict(m *ruleset.Model) string {
	c, p, g := m.Certificate(), m.Prices, m.Guarantee
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	text := fmt.Sprintf("value %s (β0 = %s, β1 = %s, β2 = %s, λ = %s a literal)\n", number(c.Objective.Value), p.Beta0, p.Beta1, p.Beta2,
		p.Lambda) +
		m.Metrics().String() + "\n"
	sets := fmt.Sprintf("rule set of at most %s", wording.Count(int64(m.MaxRules), "rule"))
	if m.MaxLiterals > 0 {
		sets += fmt.Sprintf(" of up to %s", wording.Count(int64(m.MaxLiterals), "literal"))
	}
	if c.Status == parallel.Optimal {
		return text + "optimal: no " + sets + " has a larger value\n(proved in " + f.Effort + ")\n"
	}
	if c.Status != parallel.Finished {
		text += Stopped[c.Status] + ": a better rule set may exist\n"
	}
	best := fmt.Sprintf("no %s has a value above %s", sets, number(c.Bound.Value))
	if c.Objective.Num > 0 {
		best += fmt.Sprintf(": this has at least %s of what the best one has", wording.Percent(c.Objective.Num, c.Bound.Num))
	}
	return text + Hanging(best, 4) + Hanging(fmt.Sprintf("(%s; %d of %d steps solved exactly)", f.Effort, g.Proved(), len(g.Subproblems)),
		4)
}

// bayesVerdict says what the posterior of a list is and what is proved of it.
func (f *Fit) bayesVerdict(m *bayes.Model) string {
	text := PosteriorLine(m)
	if m.Status == parallel.Optimal {
		return text + "optimal: no list on these conditions has a larger posterior\n(proved in " + f.Effort + ")\n" + f.chainsNote(m) +
			f.Ending
	}
	bound := fmt.Sprintf("no list%s has a log posterior above %.4f, gap %.4f nats", onThose(f.Problem.Set), m.Bound.Value,
		m.Bound.Value-m.Posterior.Value)
	return text + fmt.Sprintf("%s: a better list may exist\n%s(stopped after %s)\n", Stopped[m.Status], Hanging(bound, 4),
		f.Effort) + f.chainsNote(m) + f.Ending
}

// chainsNote says how far the chains agree.
func (f *Fit) chainsNote(m *bayes.Model) string {
	c := m.Chains
	text := fmt.Sprintf("(%d of %s of %s found a list of this posterior", c.Agree,
		wording.Count(int64(c.Count), "chain"), wording.Count(int64(c.Iterations), "step"))
	if !math.IsNaN(f.Model.Search.RHat) {
		text += fmt.Sprintf("; R-hat %.2f", f.Model.Search.RHat)
	}
	text += ")\n"
	if f.Model.Search.RHat > mostRHat {
		text += Hanging("note: the chains disagree (R-hat above 1.05): where nothing is proved, more --iterations may find a better list",
			6)
	}
	return text
}

// mostRHat is the potential scale reduction up to which chains are taken to agree.
const mostRHat = 1.05

// Holdout sets the figures on both parts beside the base rate, with F1 where that is asked for.
func Holdout(h *report.Holdout, f1 bool) string {
	if h == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-14s  %7s  %7s  %s\n", "", "right", "base", "AUC")
	between := ""
	row := func(name string, m evaluate.Measures) {
		fmt.Fprintf(&b, "%-14s  %7s  %7s  %s\n", name, m.Accuracy.Percent(), m.Majority.Percent(), m.AUC.Decimal(3))
		if in := m.Intervals; in != nil && in.Accuracy != nil {
			between = fmt.Sprintf("(%s: of %s, so %.1f–%.1f%% right on rows like these)\n", name, wording.Count(m.Rows, "row"),
				100*in.Accuracy.Low, 100*in.Accuracy.High)
		}
	}
	row("learned from", h.Train)
	row("kept back", h.Test)
	b.WriteString(between)
	if f1 {
		fmt.Fprintf(&b, "F1: %s learned from, %s kept back\n", h.Train.F1.Percent(), h.Test.F1.Percent())
	}
	if h.Refit {
		b.WriteString(Wrap("These are of a model learned without the rows kept back; the model above is learned from all rows.", 0))
	}
	return b.String()
}

// Origin says what a model was learned from, and how good it is there.
func Origin(m model.Model) string {
	c, data := m.Certificate(), m.About().Data
	lambda, with := LambdaOf(c), ""
	if c.Lambda != "" {
		with = " with λ = " + c.Lambda
	}
	measure := "objective   "
	switch m.Family() {
	case model.RuleSet:
		measure = "value       "
	case model.BayesianRuleList:
		measure = "posterior   ln "
	}
	lines := []string{
		"model       " + string(m.Family()) + " of " + wording.Count(int64(c.Size), c.Part),
		measure + Decimal(c.Objective.Num, c.Objective.Den, lambda, false) + with,
		"status      " + c.Status.String(),
	}
	if data.Mined > 0 {
		lines = append(lines, fmt.Sprintf("            among the %s kept of %s", wording.Count(data.Kept, "condition"),
			wording.Thousands(data.Mined)))
	}
	if set, ok := m.(*ruleset.Model); ok {
		lines = append(lines, "metrics     "+set.Metrics().String())
	}
	if c.Status != parallel.Optimal {
		lines = append(lines, "bound       "+boundOf(c, lambda))
	}
	lines = append(lines,
		fmt.Sprintf("errors      %s of %s samples", wording.Thousands(c.Errors), wording.Thousands(data.Samples)),
		fmt.Sprintf("data        %s, target %s", wording.Escape(data.Source), wording.Escape(m.About().Target)),
		"            "+data.Hash,
		"learned by  "+wording.Escape(c.Software))
	return strings.Join(lines, "\n") + "\n"
}

// boundOf returns the bound of a model and its gap.
func boundOf(c model.Certificate, lambda ratio.Ratio) string {
	gap := wording.Percentage(c.Gap)
	if c.GapUnit != "" {
		gap = fmt.Sprintf("%.4g %s", c.Gap, c.GapUnit)
	}
	return Decimal(c.Bound.Num, c.Bound.Den, lambda, !c.Maximize) + ", gap " + gap
}
