package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/ask/fair"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/family/rates"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/report"
	runs "parcorels/run"
)

// fairness is the limits on differences between groups, and on an operating point.
type fairness struct {
	group       string // --fair
	parity      string // --parity
	opportunity string // --equal-opportunity
	odds        string // --equal-odds

	recall, precision, selected string // --recall, --precision, --select
}

func (s *fairness) options() process.Group {
	share := func(to *string) option.Value {
		return option.Number(to, "a number from 0 to 1", func(r ratio.Ratio) bool { return r.Num >= 0 && r.Num <= r.Den })
	}
	lists := []string{"list"}
	return process.Group{Title: "Fairness", Options: []*option.Option{
		{Name: "fair", Families: lists, Value: option.Text(&s.group, "a column, or column=value")},
		{Name: "parity", Families: lists, Value: share(&s.parity)},
		{Name: "equal-opportunity", Families: lists, Value: share(&s.opportunity)},
		{Name: "equal-odds", Families: lists, Value: share(&s.odds)},
	}}
}

// points are the options of an operating point.
func (s *fairness) points() process.Group {
	lists := []string{"list", "tree"}
	least := func(to *string) option.Value {
		return shareValue(to, "a share such as 90% or 0.9", func(r ratio.Ratio) bool { return r.Within() || r == ratio.New(1, 1) })
	}
	return process.Group{Title: "Operating point", Options: []*option.Option{
		{Name: "recall", Families: lists, Value: least(&s.recall)},
		{Name: "precision", Families: lists, Value: least(&s.precision)},
		{Name: "select", Families: lists, Value: shareValue(&s.selected, "a share below 100%, such as 90% or 0.9", ratio.Ratio.Within)},
	}}
}

// asked reports whether there are limits.
func (s *fairness) asked() bool { return s.group+s.recall+s.precision+s.selected != "" }

// check finds what is wrong with the options before any work.
func (s *fairness) check(given map[string]bool, family *family.Family) error {
	limits := 0
	for _, l := range []string{s.parity, s.opportunity, s.odds} {
		if l != "" {
			limits++
		}
	}
	point := s.recall+s.precision+s.selected != ""
	switch {
	case s.group == "" && limits == 0 && !point:
		return nil
	case point && (s.group != "" || limits > 0):
		return errors.New("--fair does not go with --recall, --precision and --select")
	case point && len(s.limits()) > 2:
		return errors.New("--recall, --precision and --select: give at most two of them")
	case point && family.Kind != model.RuleList && family.Kind != model.Tree:
		return fmt.Errorf("--recall, --precision and --select are options of rule lists and trees, not of a %s", family.Kind)
	case point:
	case s.group == "":
		return errors.New("--parity, --equal-opportunity and --equal-odds compare groups: say which by --fair")
	case limits != 1:
		return errors.New("--fair needs a limit: one of --parity, --equal-opportunity and --equal-odds")
	case family.Kind != model.RuleList:
		return fmt.Errorf("--fair is an option of rule lists, not of a %s", family.Kind)
	}
	for _, other := range []string{"checkpoint", "resume", "holdout", "chance", "first", "max-rules", "compare"} {
		if given[other] && !(point && other == "holdout") {
			return fmt.Errorf("--%s does not go with %s", other, s.name())
		}
	}
	return nil
}

// name is the option that asks for a limit.
func (s *fairness) name() string {
	switch {
	case s.recall != "":
		return "--recall"
	case s.precision != "":
		return "--precision"
	case s.selected != "":
		return "--select"
	}
	return "--fair"
}

// limits returns what is asked for.
func (s *fairness) limits() (list []fair.Limit) {
	number := func(text string) ratio.Ratio { r, _ := ratio.Parse(text); return r } // was checked
	for _, l := range []struct {
		measure rates.Measure
		text    string
	}{{rates.Recall, s.recall}, {rates.Precision, s.precision}, {rates.Selected, s.selected}} {
		if l.text != "" {
			list = append(list, fair.Limit{Measure: l.measure, Most: number(l.text)})
		}
	}
	switch {
	case list != nil:
		return list
	case s.parity != "":
		return []fair.Limit{{Measure: rates.SelectionRate, Most: number(s.parity)}}
	case s.opportunity != "":
		return []fair.Limit{{Measure: rates.TPR, Most: number(s.opportunity)}}
	}
	return []fair.Limit{{Measure: rates.TPR, Most: number(s.odds)}, {Measure: rates.FPR, Most: number(s.odds)}}
}

// fitFair learns the best list within the limits, and the best without.
func (s *fitSettings) fitFair(ctx context.Context, e *process.Env, path string) error {
	var held *crossval.Held
	var p *family.Problem
	var err error
	if s.holding.share == "" {
		p, err = e.Problem(ctx, s.Learning, s.given, path, process.Reader{NoHash: s.Output.ModelFile+s.JSON+s.Keeping.Proof == "",
			Limited: true, Quiet: s.Quiet})
	} else if held, _, err = s.keepBack(ctx, e, path); err == nil {
		p, err = family.ProblemOf(held.Set, s.Reading, s.Options)
	}
	if err != nil {
		return err
	}
	var inside []bool
	name := ""
	if s.fair.group != "" {
		if inside, name, err = e.Membership(ctx, s.Reading, path, s.fair.group, p.Set); err != nil {
			return err
		}
	}
	o := e.OfSearch(s.Options)
	o.Time = e.Left(o.Time)
	start, limits := time.Now(), s.fair.limits()
	f, fault, err := s.solveFair(ctx, p, o, rates.Group{Name: s.fair.group, Inside: inside}, limits)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	took := time.Since(start)
	x := answer.Fair{
		Kind: string(s.Family().Kind) + o.RestrictionText(), Part: f.Certificate().Part, Weighed: f.Weighed, Group: name, Proved: f.Proved,
		Bound:     f.Bound,
		FairModel: answer.FairModelOf(f.Model), Unconstrained: answer.FairFree{FairModel: answer.FairModelOf(f.Best), Rates: f.BestRates},
	}
	for i, l := range limits {
		x.Limits = append(x.Limits, answer.FairLimit{Measure: l.Measure, Most: l.Most.Float(), Rate: f.Rates[i]})
	}
	if held != nil {
		_, test := held.Evaluate(f.Model)
		x.Unseen(test)
		f.About().Options = nil // of all rows another is learned by them
	}
	errs := []error{fault}
	if s.Output.ModelFile != "" {
		errs = append(errs, e.WriteFile(s.Output.ModelFile, f.Encode))
	}
	r := fairResult{report.New(f.Model.Model, path, e.FlaggedAll(p.Set.Data.Notes)), x}
	r.Stats.SecondsSearch = report.Seconds(took)
	stopped, unproved := ctx.Err() != nil && !f.Proved, parallel.TimeLimit
	if stopped {
		unproved = parallel.Interrupted
	}
	answer.Within(&r.Result, f, unproved)
	if e.Client != nil {
		errs = append(errs, e.Client.Result(r, f.Model, p.Set.Data.Columns))
	}
	text := x.Describe(took, stopped, f.Best.Certificate().Status == parallel.Optimal)
	if !s.Output.Quiet {
		text = answer.DataHead(path, p.Set.Data) + text
	}
	if s.Keeping.Proof != "" && fault == nil {
		text += fmt.Sprintf("\n(proof in %s)\n", wording.Escape(s.Keeping.Proof))
	}
	if stopped && fault != nil {
		e.Note("%v", fault)
		errs[0] = nil
	}
	err = errors.Join(append(errs, s.Tell(e, r, text))...)
	if stopped && err == nil {
		err = process.ErrStopped
	}
	return err
}

// fairResult is the JSON: the result of a fit, and what is said of the limits.
type fairResult struct {
	report.Result
	Fair answer.Fair `json:"fair"`
}

// solveFair finds the best list, and writes the proof of it if one is asked for. The fault is what goes
// wrong with that.
func (s *fitSettings) solveFair(ctx context.Context, p *family.Problem, o family.Options, group rates.Group,
	limits []fair.Limit) (f *fair.Answer, fault, err error) {
	solve := func() (*fair.Answer, error) {
		return fair.Ask(ctx, p, fair.Options{Options: o, Group: group, Limits: limits})
	}
	if s.Keeping.Proof == "" {
		f, err = solve()
		return f, nil, err
	}
	fault, err = runs.Proving(s.Keeping.Proof, func(to *family.Proof) (missing, err error) {
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
		fault = fmt.Errorf("%w in %s: a limit ended the search before the list was proved to be optimal", runs.ErrNoProof,
			wording.Escape(s.Keeping.Proof))
	}
	return f, fault, nil
}
