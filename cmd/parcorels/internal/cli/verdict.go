package cli

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"parcorels/bayes"
	"parcorels/cmd/internal/console"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/ruleset"
)

// head says what a model is learned from: how the table is read, and the size of the
// problem.
func (f *fitRun) head() string {
	d := f.problem.Set.Data
	text := samplesLine(f.path, d) + strings.Join(append([]string{classLine(d)}, columnTable(d)...), "\n") + "\n" +
		fmt.Sprintf("%s, %s, λ = %s\n", f.questions(), wording.Count(int64(f.problem.Points), "distinct point"), f.price())
	return text + f.priceInSamples() + f.limit() + keptOf(f.problem.Set) + f.atMost() + notes(d.Notes)
}

// limit says when a search ends that nobody limits.
func (f *fitRun) limit() string {
	if !f.byDefault {
		return ""
	}
	return fmt.Sprintf("the search ends within %.0f minutes (--time none: no limit)\n", defaultTime.Minutes())
}

// questions says how many conditions and thresholds there are.
func (f *fitRun) questions() string {
	text := wording.Count(int64(len(f.problem.Set.Antecedents)), "condition")
	switch thresholds := wording.Count(int64(f.problem.Thresholds), "threshold"); {
	case f.problem.Thresholds == 0:
	case len(f.problem.Set.Antecedents) == 0:
		text = thresholds
	default:
		text += " and " + thresholds
	}
	return text
}

// priceInSamples says what λ means in samples where nobody gave it, and notes one that is
// given and so small that rules may fit single samples.
func (f *fitRun) priceInSamples() string {
	d, l := f.problem.Set.Data, f.price()
	part, whole := "rule", float64(d.N)
	switch f.family.Kind {
	case model.RuleList:
	case model.Tree:
		part = "leaf"
	default:
		return ""
	}
	saved := l.Float() * whole
	switch {
	case f.options.Lambda != "" && saved < 2:
		return notes([]string{fmt.Sprintf("λ = %s is less than 2 of %s: a %s may fit a single one", l, wording.Count(int64(d.N), "sample"), part)})
	case f.options.Lambda != "":
		return ""
	case d.Weights != nil:
		return fmt.Sprintf("a %s must save more than %s of the weight\n", part, wording.Percentage(l.Float()))
	}
	return fmt.Sprintf("a %s must save more than %s\n", part, wording.Count(l.Num*int64(d.N)/l.Den, "sample"))
}

// atMost notes which accuracy no list exceeds, as rows that satisfy the same antecedents
// differ in class, unless that is above 99%.
func (f *fitRun) atMost() string {
	p, of := f.problem, "of the samples"
	if p.Unavoidable < (p.Weight+99)/100 || p.Weight == 0 {
		return ""
	}
	if p.Set.Data.Weights != nil {
		of = "by weight"
	}
	return notes([]string{fmt.Sprintf("rows that are alike in all conditions differ in class: no %s is right on more than %s %s",
		f.family.Noun(), wording.Percentage(1-float64(p.Unavoidable)/float64(p.Weight)), of)})
}

// samplesLine says how many samples a file has.
func samplesLine(path string, d *dataset.Dataset) string {
	text := fmt.Sprintf("%s: %s", console.Escape(path), wording.Count(int64(d.N), "sample"))
	if d.Dropped > 0 {
		text += fmt.Sprintf(" (%s dropped)", wording.Count(int64(d.Dropped), "row"))
	}
	if d.Target != "" {
		text += ", target " + console.Escape(d.Target)
	}
	return text + "\n"
}

// dataHead says what a file holds, before what was found in it.
func dataHead(path string, d *dataset.Dataset) string {
	return samplesLine(path, d) + classLine(d) + "\n" + notes(d.Notes) + "\n"
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
	return notes([]string{fmt.Sprintf(text, wording.Thousands(set.Mined))})
}

// text is what fit prints for people once the search has ended.
func (f *fitRun) text() string {
	text := f.model.Text(helpWidth) + "\n" + f.verdict() + askForeknown(f.model) + holdoutText(f.holdout) + hint(f.model.Model, f.problem.Set, f.read, f.options.Time)
	if f.announcer.aloud {
		return f.opening + text
	}
	return text
}

// askForeknown is foreknown as a paragraph.
func askForeknown(m model.Model) string {
	if text := foreknown(m); text != "" {
		return "\n" + notes([]string{console.Escape(text)})
	}
	return ""
}

// verdict says how good the model is and what is proven about it.
func (f *fitRun) verdict() string {
	switch m := f.model.Model.(type) {
	case *ruleset.Model:
		return f.ruleSetVerdict(m)
	case *bayes.Model:
		return f.bayesVerdict(m)
	}
	c, kind, lambda := f.model.Certificate(), f.kind(), f.price()
	among := onThose(f.problem.Set)
	text := objectiveLine(f.problem.Set.Data, f.model, lambda)
	if c.Status == parallel.Optimal {
		return text + optimal(f.problem, kind) + "(proved in " + f.effort + ")\n" + f.ending
	}
	left := "a better " + kind + " may exist"
	if c.Bound.Num >= c.Objective.Num {
		left = "no " + kind + among + " has a smaller objective, but one that ties may come first in the order"
	}
	return text + wrapHanging(stopped[c.Status]+": "+left, 4) + fmt.Sprintf("lower bound %s on every %s%s, gap %s\n(stopped after %s)\n",
		decimal(c.Bound.Num, c.Bound.Den, lambda, true), kind, among, wording.Percentage(c.Gap), f.effort) + f.ending
}

// depths says which trees are proved to be no better, depth by depth, where the depth has no limit.
func (f *fitRun) depths() string {
	if f.options.Depth > 0 || len(f.model.Search.Steps) == 0 {
		return ""
	}
	var parts []string
	for _, s := range f.model.Search.Steps {
		parts = append(parts, fmt.Sprintf("%d below %.6f", s.Depth, s.Objective))
	}
	return wrapHanging("(proved: no tree of depth "+strings.Join(parts, ", ")+")", 1)
}

// kind names the models among which the best is sought.
func (f *fitRun) kind() string {
	kind := string(f.family.Kind)
	if n := f.options.Depth; n > 0 {
		kind += fmt.Sprintf(" of depth at most %d", n)
	}
	if n := f.options.MaxRules; n > 0 {
		kind += " of at most " + wording.Count(int64(n), "rule")
	}
	if n := len(f.options.First); n > 0 {
		kind += " that begins with " + family.ItsFirst(n)
	}
	return kind
}

// onThose says of which models a bound is, if some antecedents were given up.
func onThose(set *rules.Set) string {
	if set.Pruned() {
		return " on the conditions kept"
	}
	return ""
}

// objectiveLine tells of what parts an objective is the sum.
func objectiveLine(d *dataset.Dataset, m model.Model, lambda ratio.Ratio) string {
	c := m.Certificate()
	return fmt.Sprintf("objective %s = %s + %s × %s\n", decimal(c.Objective.Num, c.Objective.Den, lambda, false),
		errorTerm(d, model.ErrorWeight(m.Cases()), m.About().Data.Weight), wording.Count(int64(c.Size), c.Part), lambda)
}

// stopped says why a list is not known to be optimal.
var stopped = map[parallel.Status]string{
	parallel.TimeLimit:   "time limit reached",
	parallel.NodeLimit:   "node limit reached",
	parallel.MemoryLimit: "memory limit too small to go on",
	parallel.Interrupted: "interrupted",
}

// errorTerm is the share of errors, in the user's weights.
func errorTerm(d *dataset.Dataset, errors, total int64) string {
	if d.Weights == nil {
		return fmt.Sprintf("%s of %s", wording.Count(errors, "error"), wording.Thousands(total))
	}
	return fmt.Sprintf("errors weighing %s of %s", userWeight(d, errors, 4), userWeight(d, total, 4))
}

// userWeight returns an integer weight in the user's unit, rounded.
func userWeight(d *dataset.Dataset, w int64, decimals int) string {
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

// optimal says among which models one is proved to be optimal.
func optimal(p *family.Problem, kind string) string {
	set := p.Set
	switch {
	case len(p.Set.Antecedents) == 0 && p.Thresholds == 0:
		return wrapHanging("optimal: without conditions no "+kind+" has a smaller objective", 4)
	case !set.Pruned():
		return wrapHanging("optimal: no "+kind+" on these conditions has a smaller objective", 4)
	}
	return fmt.Sprintf("optimal among the %s kept of %s:\n%s",
		wording.Count(int64(len(set.Antecedents)), "condition"), wording.Thousands(set.Mined), wrapHanging("no "+kind+" on them has a smaller objective", 4))
}

// lambdaOf returns λ of a model, 1 of a family without.
func lambdaOf(c model.Certificate) ratio.Ratio {
	if l, err := ratio.Parse(c.Lambda); err == nil {
		return l
	}
	return ratio.New(1, 1)
}

// price is λ, or the expected number of rules.
func (f *fitRun) price() ratio.Ratio {
	price, _ := f.problem.Price(f.options) // the options were found good
	return price
}

// ruleSetVerdict says what a rule set is worth and what is proved of it.
func (f *fitRun) ruleSetVerdict(m *ruleset.Model) string {
	c, p, g := m.Certificate(), m.Prices, m.Guarantee
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	text := fmt.Sprintf("value %s (β0 = %s, β1 = %s, β2 = %s, λ = %s a literal)\n", number(c.Objective.Value), p.Beta0, p.Beta1, p.Beta2, p.Lambda) +
		m.Metrics().String() + "\n"
	sets := fmt.Sprintf("rule set of at most %s", wording.Count(int64(m.MaxRules), "rule"))
	if m.MaxLiterals > 0 {
		sets += fmt.Sprintf(" of up to %s", wording.Count(int64(m.MaxLiterals), "literal"))
	}
	if c.Status == parallel.Optimal {
		return text + "optimal: no " + sets + " has a larger value\n(proved in " + f.effort + ")\n"
	}
	if c.Status != parallel.Finished {
		text += stopped[c.Status] + ": a better rule set may exist\n"
	}
	best := fmt.Sprintf("no %s has a value above %s", sets, number(c.Bound.Value))
	if c.Objective.Num > 0 {
		best += fmt.Sprintf(": this has at least %s of what the best one has", wording.Percent(c.Objective.Num, c.Bound.Num))
	}
	return text + wrapHanging(best, 4) + wrapHanging(fmt.Sprintf("(%s; %d of %d steps solved exactly)", f.effort, g.Proved(), len(g.Subproblems)), 4)
}

// bayesVerdict says what the posterior of a list is and what is proved of it.
func (f *fitRun) bayesVerdict(m *bayes.Model) string {
	text := posteriorLine(m)
	if m.Status == parallel.Optimal {
		return text + "optimal: no list on these conditions has a larger posterior\n(proved in " + f.effort + ")\n" + f.chainsNote(m) + f.ending
	}
	bound := fmt.Sprintf("no list%s has a log posterior above %.4f, gap %.4f nats", onThose(f.problem.Set), m.Bound.Value, m.Bound.Value-m.Posterior.Value)
	return text + fmt.Sprintf("%s: a better list may exist\n%s(stopped after %s)\n", stopped[m.Status], wrapHanging(bound, 4), f.effort) + f.chainsNote(m) + f.ending
}

// posteriorLine tells the posterior of a list and its prior.
func posteriorLine(m *bayes.Model) string {
	p := m.Prior
	return fmt.Sprintf("log posterior %.4f (λ = %s rules, η = %s conditions, α = %s, %s)\n", m.Posterior.Value, p.Length, p.Width, p.Alpha[0], p.Alpha[1])
}

// chainsNote says how far the chains agree.
func (f *fitRun) chainsNote(m *bayes.Model) string {
	c := m.Chains
	text := fmt.Sprintf("(%d of %s of %s found a list of this posterior", c.Agree,
		wording.Count(int64(c.Count), "chain"), wording.Count(int64(c.Iterations), "step"))
	if !math.IsNaN(f.model.Search.RHat) {
		text += fmt.Sprintf("; R-hat %.2f", f.model.Search.RHat)
	}
	text += ")\n"
	if f.model.Search.RHat > mostRHat {
		text += wrapHanging("note: the chains disagree (R-hat above 1.05): where nothing is proved, more --iterations may find a better list", 6)
	}
	return text
}

// mostRHat is the potential scale reduction up to which chains are taken to agree.
const mostRHat = 1.05

// digits is how many decimals an objective is given with at least.
const digits = 10

// digitsFor returns as many, or so many that the price of a rule shows with two.
func digitsFor(lambda ratio.Ratio) int {
	if lambda.Num == 0 {
		return digits
	}
	return max(digits, 2+int(math.Ceil(-math.Log10(lambda.Float()))))
}

// decimal returns num/den, an objective for the price λ, with so many digits;
// rounding down keeps a lower bound one.
func decimal(num, den int64, lambda ratio.Ratio, down bool) string {
	digits := digitsFor(lambda)
	x := new(big.Rat).SetFrac64(num, den)
	if !down {
		return x.FloatString(digits)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	floor := new(big.Int).Mul(x.Num(), scale)
	floor.Quo(floor, x.Denom())
	return new(big.Rat).SetFrac(floor, scale).FloatString(digits)
}

// How the table was read, for people: the classes, and each column with what
// its cells are taken for.

// columnsShown is how many columns are told of one by one.
const columnsShown = 40

// classLine says which class is which, and how many samples each has.
func classLine(d *dataset.Dataset) string {
	list := report.Classes(d)
	if len(list) > 2 {
		text := strconv.Itoa(len(list)) + " classes:"
		for _, c := range list {
			text += fmt.Sprintf(" %s (%s),", console.Escape(c.Label), percentOf(c.Samples, int64(d.N)))
		}
		return cut(strings.TrimSuffix(text, ","), helpWidth)
	}
	count := func(c report.Class) string {
		return fmt.Sprintf("%s: %s (%s)", console.Escape(cmp.Or(c.Label, "no label")), wording.Count(c.Samples, "sample"), percentOf(c.Samples, int64(d.N)))
	}
	text := "class 1 is " + count(list[1]) + ", class 0 is " + count(list[0])
	return strings.TrimSuffix(wrapHanging(text, 2), "\n")
}

// percentOf is a share as a percentage.
func percentOf(part, whole int64) string {
	return wording.Percentage(float64(part) / float64(max(whole, 1)))
}

// columnTable has a line for each column that has features. An .out file has
// no columns.
func columnTable(d *dataset.Dataset) (lines []string) {
	columns := report.Columns(d)
	width := 0
	for _, c := range columns[:min(len(columns), columnsShown)] {
		width = max(width, utf8.RuneCountInString(console.Escape(c.Name)))
	}
	width = min(width, 24)
	for i, c := range columns {
		if i == columnsShown {
			return append(lines, fmt.Sprintf("  and %s more", wording.Count(int64(len(columns)-i), "column")))
		}
		lines = append(lines, cut("  "+padded(cut(console.Escape(c.Name), width), width)+"  "+console.Escape(c.As), helpWidth))
	}
	return lines
}

// cut shortens a text to so many characters.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// padded fills a text with spaces to so many characters.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
