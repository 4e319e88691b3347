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

// limited are the options that limit a model, with the rates that they are about: the first few differences between groups, the
// others an operating point.
var limited = [...]struct {
	name, expect string
	of           []rates.Measure
}{
	{"parity", "a number from 0 to 1", []rates.Measure{rates.SelectionRate}},
	{"equal-opportunity", "a number from 0 to 1", []rates.Measure{rates.TPR}},
	{"equal-odds", "a number from 0 to 1", []rates.Measure{rates.TPR, rates.FPR}},
	{"recall", "a share such as 90% or 0.9", []rates.Measure{rates.Recall}},
	{"precision", "a share such as 90% or 0.9", []rates.Measure{rates.Precision}},
	{"select", "a share below 100%, such as 90% or 0.9", []rates.Measure{rates.Selected}},
}

// ofGroups is how many of them compare groups.
const ofGroups = 3

// fairness is the limits on differences between groups, and on an operating point.
type fairness struct {
	group string                    // --fair
	most  [len(limited)]ratio.Ratio // of the options limited; 0/0 of one that is not given
}

// options are some of the options limited, which some families have.
func (s *fairness) options(from, to int, ok func(name string, r ratio.Ratio) bool, families ...string) (list []*option.Option) {
	for i, l := range limited[from:to] {
		list = append(list, &option.Option{Name: l.name, Families: families, Value: shareValue(&s.most[from+i], l.expect,
			func(r ratio.Ratio) bool { return ok(l.name, r) })})
	}
	return list
}

func (s *fairness) groups() process.Group {
	all := s.options(0, ofGroups, func(_ string, r ratio.Ratio) bool { return r.Num >= 0 && r.Num <= r.Den }, "list")
	by := &option.Option{Name: "fair", Families: []string{"list"}, Value: option.Text(&s.group, "a column, or column=value")}
	return process.Group{Title: "Fairness", Options: append([]*option.Option{by}, all...)}
}

// points are the options of an operating point.
func (s *fairness) points() process.Group {
	return process.Group{Title: "Operating point", Options: s.options(ofGroups, len(limited), func(name string, r ratio.Ratio) bool {
		return r.Within() || name != "select" && r == ratio.New(1, 1)
	}, "list", "tree")}
}

// given are the limits that are asked for, by their places in limited.
func (s *fairness) given(from, to int) (list []int) {
	for i := from; i < to; i++ {
		if s.most[i].Den > 0 {
			list = append(list, i)
		}
	}
	return list
}

// asked reports whether there are limits.
func (s *fairness) asked() bool { return s.group != "" || s.given(ofGroups, len(limited)) != nil }

// check finds what is wrong with the options before any work.
func (s *fairness) check(given map[string]bool, family *family.Family) error {
	groups, points, name := s.given(0, ofGroups), s.given(ofGroups, len(limited)), "--fair"
	switch {
	case s.group == "" && groups == nil && points == nil:
		return nil
	case points != nil && (s.group != "" || groups != nil):
		return errors.New("--fair does not go with --recall, --precision and --select")
	case len(points) > 2:
		return errors.New("--recall, --precision and --select: give at most two of them")
	case points != nil && family.Kind != model.RuleList && family.Kind != model.Tree:
		return fmt.Errorf("--recall, --precision and --select are options of rule lists and trees, not of a %s", family.Kind)
	case points != nil:
		name = "--" + limited[points[0]].name
	case s.group == "":
		return errors.New("--parity, --equal-opportunity and --equal-odds compare groups: say which by --fair")
	case len(groups) != 1:
		return errors.New("--fair needs a limit: one of --parity, --equal-opportunity and --equal-odds")
	case family.Kind != model.RuleList:
		return fmt.Errorf("--fair is an option of rule lists, not of a %s", family.Kind)
	}
	for _, other := range []string{"checkpoint", "resume", "holdout", "chance", "first", "max-rules", "compare"} {
		if given[other] && !(points != nil && other == "holdout") {
			return fmt.Errorf("--%s does not go with %s", other, name)
		}
	}
	return nil
}

// limits returns what is asked for.
func (s *fairness) limits() (list []fair.Limit) {
	for _, i := range s.given(0, len(limited)) {
		for _, measure := range limited[i].of {
			list = append(list, fair.Limit{Measure: measure, Most: s.most[i]})
		}
	}
	return list
}

// fitFair learns the best list within the limits, and the best without.
func (s *fitSettings) fitFair(ctx context.Context, e *process.Env, path string) error {
	var held *crossval.Held
	var p *family.Problem
	var err error
	if s.holding.share.Den == 0 {
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
