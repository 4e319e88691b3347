package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"parcorels/crossval"
	"parcorels/instance"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/rulelist"
	"parcorels/rulelist/search"
	"parcorels/rules"
)

// listFamily is fit --model list.
func listFamily() *family {
	return &family{
		name: "list", kind: model.RuleList, learn: learnList, faster: fasterList,
		knows: []string{"lambda", "nodes", "memory", "policy", "symmetry", "without", "checkpoint", "every", "resume", "proof"},
		cross: func(s *settings) crossval.Family { return crossval.RuleLists{Search: s.search} },
	}
}

// listSearch is a search for a rule list.
type listSearch struct {
	*fitted
	instance *instance.Instance
	options  search.Options
	result   search.Result
	trace    []report.Look // nil unless --json asks for it
}

func learnList(ctx context.Context, f *fitted) (*finding, error) {
	in, err := await(ctx, func() (*instance.Instance, error) { return instance.FromSet(f.set) })
	if err != nil {
		return nil, err
	}
	f.teller.points, f.teller.unavoidable, f.teller.weight = in.Points, in.Base, in.Total
	l := &listSearch{fitted: f, instance: in, options: f.settings.search}
	solve := l.solveProving
	if f.keeper.part != nil {
		solve = l.solveKeeping
	}
	proved, fault, err := solve(ctx)
	if err != nil {
		return nil, err
	}
	r := l.result
	m, err := l.model(&r)
	if err != nil {
		return nil, err
	}
	found := &finding{
		model: m, effort: fmt.Sprintf("%s, %s expanded", seconds(r.Stats.Search), wording.Count(r.Stats.Expanded, "prefix")),
		stats: l.stats(), proved: proved, faults: []error{fault, r.CheckpointErr},
		finish: func() error { return f.keeper.finish(r) },
	}
	if f.keeper.from != "" {
		found.opening = f.keeper.resumed(r.Stats) + "\n\n"
	}
	if r.Status != parallel.Optimal || r.ProofErr != nil && r.ProofKept && f.keeper.part != nil { // the proof can be completed
		found.ending = f.keeper.advice(r, f.settings.proof)
	}
	return found, nil
}

// solveProving searches, with a proof if one is asked for.
func (l *listSearch) solveProving(ctx context.Context) (proved bool, fault, err error) {
	return l.prove(func(to io.Writer, settings []byte) (bool, error, error) {
		if to != nil {
			l.options.Proof = &search.Proof{To: to, Digest: l.set.Digest(), Settings: settings}
		}
		err := l.solve(ctx)
		return l.result.Status == parallel.Optimal, l.result.ProofErr, err
	})
}

// solve searches.
func (l *listSearch) solve(ctx context.Context) (err error) {
	o := &l.options
	o.Memory, o.Time = l.memory.Search(o.Memory), l.remaining()
	if o.Progress = l.watch; l.client != nil {
		o.Progress = l.tellClient
	}
	if l.settings.json != "" {
		o.Progress = l.record(o.Progress)
	}
	if o.Checkpoint, err = l.keeper.open(l.set); err != nil {
		return err
	}
	l.result, err = search.Solve(ctx, l.instance, *o)
	l.teller.end()
	var opening partError
	switch {
	case errors.Is(err, search.ErrCheckpoint):
		return fmt.Errorf("%s: %w", l.settings.resume, err)
	case errors.As(err, &opening):
		return opening.error
	case errors.Is(err, search.ErrProof):
		return fmt.Errorf("%s: %w", l.keeper.part.from, err)
	case err != nil:
		return l.about(err)
	}
	return nil
}

// model returns the list of a result as a model.
func (l *listSearch) model(r *search.Result) (*rulelist.Model, error) {
	return r.Model(l.set, l.options.Lambda, "parcorels "+version(), l.settings.reading())
}

// stats is what the search took.
func (l *listSearch) stats() report.Stats {
	s, o := report.SearchStats(l.instance, &l.result.Stats), l.options
	s.MemoryBytes = o.Memory
	s.Policy, s.Symmetry, s.Without = o.Policy.String(), o.Symmetry.String(), o.Without.String()
	if len(l.trace) > 1 { // not the last look alone
		s.Trace = l.trace
	}
	return s
}

// watch tells people of a look at the search. Package search calls back from one
// goroutine, for the first time a second after the start or at the end: by then it has
// found the options and the checkpoint good.
func (l *listSearch) watch(p search.Progress) {
	l.teller.begin(p.Elapsed)
	l.look("gap "+percentage(p.Gap), func(t *progressTable) { t.showList(p) })
	if l.settings.progress == "full" && p.Rules != nil {
		m, err := l.model(&search.Result{Status: parallel.Interrupted, Rules: p.Rules, Default: p.Default, Objective: p.Exact})
		if err == nil { // otherwise it is shown at the end, or the error is
			l.better(m.Text(helpWidth))
		}
	}
}

// tellClient tells a client of a look at the search.
func (l *listSearch) tellClient(p search.Progress) {
	l.teller.begin(p.Elapsed)
	l.teller.saw("gap " + percentage(p.Gap))
	l.client.progress(p)
}

// showList prints a line about a search for a rule list.
func (t *progressTable) showList(p search.Progress) {
	t.line(p.Final, cell{" ", 1, string(rune(p.Source))}, cell{"rules", 5, fmt.Sprint(p.Length)},
		cell{"error", 6, percentage(max(0, p.Value-t.price*float64(p.Length)))}, cell{"best", 9, fmt.Sprintf("%.7f", p.Value)},
		cell{"bound", 9, fmt.Sprintf("%.7f", roundedDown(p.Bound))}, cell{"gap", 6, percentage(p.Gap)},
		cell{"left", 8, short(p.Open)}, cell{"done", 8, short(p.Nodes)}, cell{"memory", 8, size(p.Bytes)}, cell{"time", 7, seconds(p.Elapsed)})
}

// mostLooks bounds the trace of a search: a longer one keeps every second look.
const mostLooks = 1000

// record keeps what the search shows of its progress, for the JSON object, and
// passes it on to next.
func (l *listSearch) record(next func(search.Progress)) func(search.Progress) {
	every, seen := 1, 0
	return func(p search.Progress) {
		if seen++; p.Final || seen%every == 0 {
			l.trace = append(l.trace, report.Look{Seconds: report.Seconds(p.Elapsed), Objective: p.Value, Gap: p.Gap})
		}
		if len(l.trace) > mostLooks {
			every *= 2
			for i := range len(l.trace) / 2 {
				l.trace[i] = l.trace[2*i+1]
			}
			l.trace = l.trace[:len(l.trace)/2]
		}
		next(p)
	}
}

// fasterList lists what would end a search for a rule list sooner. With other options
// than those of its checkpoint it would be another search.
func fasterList(s *settings, set *rules.Set) []string {
	if s.resume != "" {
		return nil
	}
	return append(largerLambda(s), fewerConditions(set)...)
}

// largerLambda advises twice the λ, where that is one.
func largerLambda(s *settings) []string {
	l := s.search.Lambda
	twice := ratio.New(2*l.Num, l.Den)
	if !twice.Within() && !s.family().anyLambda {
		return nil
	}
	return []string{fmt.Sprintf("a larger --lambda (%s instead of %s)", twice, l)}
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
