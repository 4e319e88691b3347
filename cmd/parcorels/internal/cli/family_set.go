package cli

import (
	"context"
	"fmt"
	"parcorels/cmd/internal/console"
	"strconv"
	"strings"
	"time"

	"parcorels/crossval"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rules"
	"parcorels/ruleset"
	"parcorels/ruleset/search"
)

// setFamily is fit --model set. Literals are single features of any support and
// their negations, unless options say otherwise.
func setFamily() *family {
	return &family{
		name: "set", kind: model.RuleSet, learn: learnSet, faster: fasterSet,
		knows: []string{"lambda", "rules", "beta0", "beta1", "beta2", "exact"}, anyLambda: true, verdict: setVerdict,
		cross: func(s *settings) crossval.Family { return crossval.RuleSets{Search: s.ruleSet} },
		grid: func(*settings) []ratio.Ratio {
			return []ratio.Ratio{ratio.New(16, 1), ratio.New(4, 1), ratio.New(1, 1)}
		},
		prepare: func(s *settings) {
			s.otherwise("max-card", "1", func() { s.mining.MaxCard = 1 })
			s.otherwise("min-support", "0", func() { s.mining.MinSupport = ratio.New(0, 1) })
			s.otherwise("lambda", "1", func() { s.search.Lambda = search.DefaultPrices().Literal })
			s.mining.Negations = true
		},
	}
}

// ruleSetGroup is the objective of a rule set.
func ruleSetGroup(s *settings) group {
	price := func(name, def, text string, to *ratio.Ratio) option {
		return option{name: name, value: "β", def: def, expect: "a number from 0, such as 1 or 0.1", text: text,
			set: share(to, func(r ratio.Ratio) bool { return r.Den > 0 && r.Num >= 0 })}
	}
	return group{"Rule sets (--model set)", []option{
		{name: "rules", value: "K", def: strconv.Itoa(search.DefaultRules), expect: "an integer from 1 to 1024", text: "most rules", set: whole(&s.ruleSet.Rules, 1, 1024)},
		price("beta0", "1", "price of covering a sample of class 0, once for each rule", &s.ruleSet.Prices.Beta0),
		price("beta1", "1", "price of a sample of class 1 that no rule covers", &s.ruleSet.Prices.Beta1),
		price("beta2", "0.1", "price of covering a sample of class 1 again, once for each further rule", &s.ruleSet.Prices.Beta2),
		{name: "exact", value: "WHEN", among: []string{"auto", "always", "never"}, def: "auto", expect: "auto, always or never", text: "which rules are searched for exactly: auto, within a share of --time each; always, as long as it takes; never, by local search alone",
			set: named(&s.ruleSet.Exact, map[string]search.Exact{"auto": search.Auto, "always": search.Always, "never": search.Never})},
	}}
}

func learnSet(ctx context.Context, f *fitted) (*finding, error) {
	points, err := f.points(ctx)
	if err != nil {
		return nil, err
	}
	s, o := f.settings, f.settings.ruleSet
	o.Prices.Literal, o.Workers, o.Time = s.search.Lambda, s.search.Workers, f.remaining()
	better := 0.0
	o.Progress = func(p search.Progress) {
		f.look(fmt.Sprintf("%d of %d steps so far solved exactly", p.Proved, p.Solved), func(t *progressTable) { t.showSet(p, time.Since(f.start)) })
		if s.progress == "full" && p.Value > better {
			better = p.Value
			f.better(sentence(f.set, p.Set))
		}
	}
	start := time.Now()
	m, r, err := search.Fit(ctx, f.set, points, o, "parcorels "+version(), s.reading())
	if err != nil {
		return nil, f.about(err)
	}
	took := time.Since(start)
	return &finding{
		model: m, effort: fmt.Sprintf("%s, %s looked at", seconds(took), wording.Count(r.Nodes, "rule")),
		stats: report.Stats{
			Antecedents: len(f.set.Antecedents), Points: r.Points, Expanded: r.Nodes,
			SecondsSearch: report.Seconds(took), Workers: r.Workers,
		},
	}, nil
}

// sentence returns rules, each of some antecedents, as people read them.
func sentence(set *rules.Set, list []search.Rule) string {
	var lines []string
	for i, r := range list {
		var names []string
		for _, a := range r.Literals {
			names = append(names, wording.Printable(set.Antecedents[a].Name))
		}
		word := "or   "
		if i == 0 {
			word = "if   "
		}
		lines = append(lines, strings.TrimSuffix(hanging(word, names, "then "+console.Escape(set.Data.ClassName(1))), "\n"))
	}
	return strings.Join(lines, "\n") + "\n"
}

// fasterSet lists what would end a search for a rule set sooner.
func fasterSet(s *settings, _ *rules.Set) []string {
	ways := largerLambda(s)
	if l := s.search.Lambda; l.Within() { // a literal costs less than one sample
		ways = []string{fmt.Sprintf("a larger --lambda (1 instead of %s)", l)}
	}
	if s.ruleSet.Exact != search.Never {
		ways = append(ways, "--exact never (local search alone, with a weaker guarantee)")
	}
	return ways
}

// showSet prints a line after a subproblem.
func (t *progressTable) showSet(p search.Progress, took time.Duration) {
	t.lineASecond(p.Final, cell{"step", -8, p.Phase}, cell{"rules", 5, strconv.Itoa(p.Length)}, cell{"value", 12, fmt.Sprintf("%.2f", p.Value)},
		cell{"proved", 9, fmt.Sprintf("%d/%d", p.Proved, p.Solved)}, cell{"looked", 8, short(p.Nodes)}, cell{"time", 7, seconds(took)})
}

// setVerdict says what a rule set is worth and what is proved of it.
func setVerdict(f *fitted) string {
	m := f.model.(*ruleset.Model)
	c, p, g := m.Certificate(), m.Prices, m.Guarantee
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	text := fmt.Sprintf("value %s (β0 = %s, β1 = %s, β2 = %s, λ = %s a literal)\n", number(c.Objective.Value), p.Beta0, p.Beta1, p.Beta2, p.Lambda) +
		m.Metrics().String() + "\n"
	sets := fmt.Sprintf("rule set of at most %s", wording.Count(int64(m.MaxRules), "rule"))
	if c.Status == parallel.Optimal {
		return text + "optimal: no " + sets + " has a larger value\n(proved in " + f.effort + ")\n"
	}
	if c.Status != parallel.Finished {
		text += stopped[c.Status] + ": a better rule set may exist\n"
	}
	best := fmt.Sprintf("no %s has a value above %s", sets, number(c.Bound.Value))
	if c.Objective.Num > 0 {
		best += fmt.Sprintf("; this has %s of it", model.Percent(c.Objective.Num, c.Bound.Num))
	}
	text += wrapHanging(best, 4)
	slack := ""
	if g.Slack > 0 {
		slack = fmt.Sprintf(" − %.6g", g.Slack)
	}
	guarantee := fmt.Sprintf("guarantee: value ≥ %.4f × revenue − costs%s of the best one (%d of %d steps solved exactly)", g.Rho, slack, g.Proved(), len(g.Subproblems))
	return text + wrapHanging(guarantee, 4) + "(" + f.effort + ")\n"
}
