package cli

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"time"

	"parcorels"
	"parcorels/choice/rashomon"
	"parcorels/cmd/internal/console"
	"parcorels/internal/wording"
	"parcorels/model"
)

// treesJSON is what was found of trees, for programs.
type treesJSON struct {
	Model     model.Family    `json:"model"`
	Lambda    string          `json:"lambda"`
	Optimum   float64         `json:"optimum"`
	Threshold float64         `json:"threshold"`
	Complete  bool            `json:"complete"`
	Asked     float64         `json:"threshold_asked"`
	States    int             `json:"states"`
	Trees     string          `json:"trees"`
	Without   string          `json:"without_column,omitempty"`
	ByLeaves  []byLeavesJSON  `json:"trees_by_leaves"`
	Seconds   float64         `json:"seconds_search"`
	Shown     []alternateTree `json:"shown"`
	answersJSON
}

type byLeavesJSON struct {
	Leaves int    `json:"leaves"`
	Trees  string `json:"trees"`
}

type alternateTree struct {
	Objective float64 `json:"objective"`
	Leaves    int     `json:"leaves"`
	Errors    int64   `json:"errors"`
	Text      string  `json:"text"`
}

// findTrees finds all good trees and writes about them.
func (s *alternativesSettings) findTrees(ctx context.Context, e *env, file string, p *parcorels.Problem, o parcorels.AlternativesOptions) error {
	start := time.Now()
	a, err := foundModels(ctx, e, s.output.modelFile, o, p.AlternativeTrees)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if s.ask.without != "" {
		if a, err = a.Without(s.ask.without); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	counts := a.Count()
	x := &treesJSON{
		Model: model.Tree, Lambda: a.Lambda.String(), Optimum: a.Optimum.Certificate().Objective.Value, Threshold: a.Objective(a.Threshold()), Complete: a.Complete, Asked: a.Objective(a.Asked),
		States: a.States(), Trees: counts.Trees().String(), Without: s.ask.without, ByLeaves: []byLeavesJSON{}, Seconds: time.Since(start).Seconds(), Shown: []alternateTree{},
	}
	text := ""
	if _, some := a.Least(); some {
		if text, err = s.aboutTrees(ctx, e, file, &asking{&s.ask, s.reading, p, "leaf", a}, a, counts, x); err != nil {
			return err
		}
	} else {
		text = noneWithout(file, s.ask.without, x.Threshold)
	}
	var errs []error
	if s.json != "" {
		errs = append(errs, e.writeJSON(s.json, x))
	}
	if s.json != "-" {
		errs = append(errs, e.print(text))
	}
	return errors.Join(errs...)
}

// aboutTrees fills in what there is to say of trees, and returns it as text.
func (s *alternativesSettings) aboutTrees(ctx context.Context, e *env, file string, ask *asking, a *parcorels.AlternativeTrees, counts *rashomon.TreeCounts, x *treesJSON) (string, error) {
	for _, n := range byRules(counts.Entries()) {
		x.ByLeaves = append(x.ByLeaves, byLeavesJSON{n.Rules, n.Lists})
	}
	shown := []*parcorels.Model{}
	if s.sample == 0 && s.show > 0 {
		shown = append(shown, a.Optimum)
	}
	rng := rand.New(rand.NewPCG(s.seed, 0))
	for range s.sample {
		m, err := a.Sample(counts, rng)
		if err != nil {
			return "", err
		}
		shown = append(shown, m)
	}
	for _, m := range shown {
		c := m.Certificate()
		x.Shown = append(x.Shown, alternateTree{c.Objective.Value, c.Size, model.Errors(m.Cases()), m.Text(helpWidth)})
	}
	answers, inJSON, err := ask.answer(ctx, e, file)
	x.answersJSON = inJSON
	d := ask.problem.Set.Data
	return samplesLine(file, d) + classLine(d) + "\n" + notes(d.Notes) + "\n" + s.treesText(x, a.Best) + answers, err
}

func (s *alternativesSettings) treesText(x *treesJSON, best *parcorels.Model) string {
	var b strings.Builder
	b.WriteString(thresholdText(x.Optimum, x.Threshold, x.Asked, x.Lambda, x.Complete))
	b.WriteString(withoutText(s.ask.without, x.Optimum, best))
	rows := [][]string{{"leaves", "trees"}}
	for _, n := range x.ByLeaves {
		rows = append(rows, []string{fmt.Sprint(n.Leaves), grouped(n.Trees)})
	}
	b.WriteString("\n" + columns(append(rows, []string{"all", grouped(x.Trees)})))
	fmt.Fprintf(&b, "\n(found in %s, %s of the graph)\n", wording.Seconds(time.Duration(x.Seconds*float64(time.Second))), wording.Count(int64(x.States), "set"))
	if s.quiet {
		return b.String()
	}
	for i, t := range x.Shown {
		name := "the optimum"
		if s.sample > 0 {
			name = fmt.Sprintf("tree %d", i+1)
		}
		fmt.Fprintf(&b, "\n%s, objective %.7f:\n\n%s\n", name, t.Objective, strings.TrimRight(t.Text, "\n"))
	}
	return b.String()
}

// byRules adds up the numbers of models of so many rules or leaves.
func byRules(entries []rashomon.Entry) (list []byRulesJSON) {
	sums, most := map[int]*big.Int{}, 0
	for _, e := range entries {
		if sums[e.Rules] == nil {
			sums[e.Rules] = new(big.Int)
		}
		sums[e.Rules].Add(sums[e.Rules], e.Lists)
		most = max(most, e.Rules)
	}
	for k := range most + 1 {
		if n := sums[k]; n != nil {
			list = append(list, byRulesJSON{k, n.String()})
		}
	}
	return list
}

// thresholdText says what is good, and what a limit left.
func thresholdText(optimum, threshold, asked float64, lambda string, complete bool) string {
	text := fmt.Sprintf("optimum %.7f (λ = %s), good up to %.7f\n", optimum, lambda, threshold)
	if !complete {
		text += fmt.Sprintf("%.7f was asked for: a limit on time, memory or --limit allows no more, so there are at least as many up to there\n", asked)
	}
	return text
}

// withoutText says what it costs to do without a column; "" for none.
func withoutText(column string, optimum float64, best *parcorels.Model) string {
	if column == "" {
		return ""
	}
	c := best.Certificate().Objective
	return fmt.Sprintf("all models here are without column %s: the best is worse by %.7f than that of all columns\n", console.Escape(column), optimum-float64(c.Num)/float64(c.Den))
}

// noneWithout says that no good model is without a column.
func noneWithout(file, column string, threshold float64) string {
	return fmt.Sprintf("%s: no good model is without column %s: the best is worse than %.7f\n", console.Escape(file), console.Escape(column), threshold)
}
