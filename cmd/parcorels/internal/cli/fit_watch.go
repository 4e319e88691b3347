package cli

import (
	"fmt"
	"io"

	"parcorels/internal/wording"
	"parcorels/parallel"
	"parcorels/rulelist"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// What fit tells while it searches for a list. Package search calls back from one
// goroutine, for the first time a second after the start or at the end: by then
// it has found the options and the checkpoint good.

// watch returns what is to be done at each look at the search.
func (f *fitted) watch(e *env, s *settings) func(search.Progress) {
	if e.client != nil {
		return e.client.progress
	}
	f.teller = e.teller(s, "list")
	f.teller.aloud = f.aloud
	f.teller.head = f.head
	f.teller.ways = func() []string {
		if s.resume != "" { // with other options it would be another search
			return nil
		}
		return append(largerLambda(s), fewerConditions(f.set)...)
	}
	table := e.progressTable(s)
	return func(p search.Progress) {
		f.teller.saw("gap " + percentage(p.Gap))
		f.teller.begin(p.Elapsed)
		if table == nil {
			return
		}
		f.teller.tell()
		table.show(p)
		if s.progress == "full" && p.Rules != nil {
			f.showBetter(table.out, s, p)
		}
	}
}

// showBetter prints a list that is better than those before.
func (f *fitted) showBetter(to io.Writer, s *settings, p search.Progress) {
	m, err := f.modelOf(s, p.Rules, p.Default, rulelist.Meta{Status: parallel.Interrupted, Objective: p.Exact})
	if err != nil {
		return // it is shown at the end, or the error is
	}
	_, _ = fmt.Fprintf(to, "\n%s\n", m.Text(helpWidth))
}

// largerLambda advises twice the λ, where that is one.
func largerLambda(s *settings) []string {
	lambda := s.search.Lambda
	lambda.Num *= 2
	if !lambda.Within() && !s.family().anyLambda {
		return nil
	}
	return []string{fmt.Sprintf("a larger --lambda (%s instead of %s)", reduced(lambda), s.search.Lambda)}
}

// fewerConditions advises fewer conjunctions, or single features, where there are
// conjunctions.
func fewerConditions(set *rules.Set) []string {
	single := 0
	for _, a := range set.Antecedents {
		if len(a.Literals) == 1 {
			single++
		}
	}
	n := len(set.Antecedents)
	if single == n {
		return nil
	}
	var ways []string
	if !set.Informative {
		ways = append(ways, "--informative")
	}
	return append(ways, fmt.Sprintf("--max-card 1 (%s instead of %s)", wording.Thousands(int64(single)), wording.Count(int64(n), "antecedent")))
}
