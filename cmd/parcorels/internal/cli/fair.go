package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parcorels/answer"
	"parcorels/ask/fair"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	runs "parcorels/run"
)

// fairness is the limits on differences between groups.
type fairness struct {
	group       string // --fair
	parity      string // --parity
	opportunity string // --equal-opportunity
	odds        string // --equal-odds
}

func (s *fairness) options() group {
	share := func(to *string) option.Value {
		return option.Number(to, "a number from 0 to 1", func(r ratio.Ratio) bool { return r.Num >= 0 && r.Num <= r.Den })
	}
	lists := []string{"list"}
	return group{"Fairness", []*option.Option{
		{Name: "fair", Holder: "COLUMN", Families: lists, Help: "find the best list that treats two groups alike: a column of two values, COLUMN=VALUE for one against all others, or an antecedent of an .out file. Rules may use it unless --ignore names it", Value: option.Text(&s.group, "a column, or column=value")},
		{Name: "parity", Holder: "SHARE", Families: lists, Help: "the groups' shares that are predicted to be of class 1 differ by at most this", Value: share(&s.parity)},
		{Name: "equal-opportunity", Holder: "SHARE", Families: lists, Help: "the same among those who are of class 1", Value: share(&s.opportunity)},
		{Name: "equal-odds", Holder: "SHARE", Families: lists, Help: "the same among those who are of class 1, and among those who are of class 0", Value: share(&s.odds)},
	}}
}

// check finds what is wrong with the options before any work.
func (s *fairness) check(given map[string]bool, family *family.Family) error {
	limits := 0
	for _, l := range []string{s.parity, s.opportunity, s.odds} {
		if l != "" {
			limits++
		}
	}
	switch {
	case s.group == "" && limits == 0:
		return nil
	case s.group == "":
		return errors.New("--parity, --equal-opportunity and --equal-odds compare groups: say which by --fair")
	case limits != 1:
		return errors.New("--fair needs a limit: one of --parity, --equal-opportunity and --equal-odds")
	case family.Kind != model.RuleList:
		return fmt.Errorf("--fair is an option of rule lists, not of a %s", family.Kind)
	}
	for _, other := range []string{"checkpoint", "resume", "holdout", "chance", "first", "max-rules", "compare"} {
		if given[other] {
			return fmt.Errorf("--%s does not go with --fair", other)
		}
	}
	return nil
}

// limits returns what --fair asks for.
func (s *fairness) limits() []fair.Limit {
	number := func(text string) ratio.Ratio { r, _ := ratio.Parse(text); return r } // was checked
	switch {
	case s.parity != "":
		return []fair.Limit{{Measure: family.SelectionRate, Most: number(s.parity)}}
	case s.opportunity != "":
		return []fair.Limit{{Measure: family.TPR, Most: number(s.opportunity)}}
	}
	return []fair.Limit{{Measure: family.TPR, Most: number(s.odds)}, {Measure: family.FPR, Most: number(s.odds)}}
}

// fitFair learns the best list within the limits, and the best without.
func (s *fitSettings) fitFair(ctx context.Context, e *env, path string) error {
	p, err := e.problem(ctx, s.learning, s.given, path, reader{noHash: s.output.modelFile+s.json+s.keeping.proof == "", limited: true})
	if err != nil {
		return err
	}
	inside, name, err := e.membership(ctx, s.reading, path, s.fair.group, p.Set)
	if err != nil {
		return err
	}
	o := e.ofSearch(s.options)
	o.Time = e.left(o.Time)
	start, limits := time.Now(), s.fair.limits()
	f, fault, err := s.solveFair(ctx, p, o, family.Group{Name: s.fair.group, Inside: inside}, limits)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	took := time.Since(start)
	c, b := f.Certificate(), f.Best.Certificate()
	x := answer.Fair{
		Group: name, Proved: f.Proved, Bound: f.Bound, Objective: c.Objective.Value, Errors: model.Errors(f.Cases()), Rules: c.Size, Text: f.Text(answer.Width), Seconds: took.Seconds(),
		Unconstrained: answer.FairFree{Objective: b.Objective.Value, Errors: model.Errors(f.Best.Cases()), Rules: b.Size, Differences: f.BestDifferences, Text: f.Best.Text(answer.Width)},
	}
	for i, l := range limits {
		x.Limits = append(x.Limits, answer.FairLimit{Measure: l.Measure, Most: l.Most.Float(), Difference: f.Differences[i]})
	}
	errs := []error{fault}
	if s.output.modelFile != "" {
		errs = append(errs, e.writeFile(s.output.modelFile, f.Encode))
	}
	if e.client != nil {
		r := fairResult{report.New(f.Model.Model, path, flaggedAll(p.Set.Data.Notes)), x}
		if r.LowerBound, r.Gap = f.Bound, (r.Objective-f.Bound)/r.Objective; f.Proved {
			r.Status, r.LowerBound, r.Gap = parallel.Optimal, r.Objective, 0
		}
		errs = append(errs, e.client.result(r, f.Model, p.Set.Data.Columns))
	}
	stopped := ctx.Err() != nil && !f.Proved
	text := x.Describe(took, stopped, b.Status == parallel.Optimal)
	if !s.output.quiet {
		text = answer.DataHead(path, p.Set.Data) + text
	}
	if s.keeping.proof != "" && fault == nil {
		text += fmt.Sprintf("\n(proof in %s)\n", wording.Escape(s.keeping.proof))
	}
	if stopped && fault != nil {
		e.note("%v", fault)
		errs[0] = nil
	}
	err = errors.Join(append(errs, s.tell(e, x, text))...)
	if stopped && err == nil {
		err = errStopped
	}
	return err
}

// fairResult is what a client gets: the result of a fit, and what is said of the groups.
type fairResult struct {
	report.Result
	Fair answer.Fair `json:"fair"`
}

// solveFair finds the best list, and writes the proof of it if one is asked for. What goes wrong with that
// is the fault.
func (s *fitSettings) solveFair(ctx context.Context, p *family.Problem, o family.Options, group family.Group, limits []fair.Limit) (f *fair.Answer, fault, err error) {
	solve := func() (*fair.Answer, error) {
		return fair.Ask(ctx, p, fair.Options{Options: o, Group: group, Limits: limits})
	}
	if s.keeping.proof == "" {
		f, err = solve()
		return f, nil, err
	}
	fault, err = runs.Proving(s.keeping.proof, func(to *family.Proof) (missing, err error) {
		o.Proof = to
		if f, err = solve(); err == nil && !f.Proved {
			missing = runs.ErrNoProof
		}
		return missing, err
	})
	switch {
	case err != nil:
		return nil, nil, err
	case fault == runs.ErrNoProof:
		fault = fmt.Errorf("%w in %s: a limit ended the search before the list was proved to be optimal", runs.ErrNoProof, wording.Escape(s.keeping.proof))
	}
	return f, fault, nil
}
