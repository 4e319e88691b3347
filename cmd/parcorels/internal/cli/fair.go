package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/fair"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/parallel"
	"parcorels/ratio"
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

// fairJSON is what was found, for programs.
type fairJSON struct {
	Group         string      `json:"group"`
	Proved        bool        `json:"proved"`
	Bound         float64     `json:"bound"`
	Objective     float64     `json:"objective"`
	Errors        int64       `json:"errors"`
	Rules         int         `json:"rules"`
	Limits        []limitJSON `json:"limits"`
	Text          string      `json:"text"`
	Unconstrained freeJSON    `json:"unconstrained"`
	Seconds       float64     `json:"seconds_search"`
}

type limitJSON struct {
	Measure    family.Measure `json:"measure"`
	Most       float64        `json:"limit"`
	Difference float64        `json:"difference"`
}

type freeJSON struct {
	Objective   float64   `json:"objective"`
	Errors      int64     `json:"errors"`
	Rules       int       `json:"rules"`
	Differences []float64 `json:"differences"`
	Text        string    `json:"text"`
}

// fitFair learns the best list within the limits, and the best without.
func (s *fitSettings) fitFair(ctx context.Context, e *env, path string) error {
	p, err := e.problem(ctx, s.learning, s.given, path, reader{noHash: s.output.modelFile+s.json+s.keeping.proof == "", limited: true})
	if err != nil {
		return err
	}
	inside, name, err := e.membership(ctx, s.reading, path, s.fair.group, p)
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
	x := fairJSON{
		Group: name, Proved: f.Proved, Bound: f.Bound, Objective: c.Objective.Value, Errors: model.Errors(f.Cases()), Rules: c.Size, Text: f.Text(answer.Width), Seconds: took.Seconds(),
		Unconstrained: freeJSON{b.Objective.Value, model.Errors(f.Best.Cases()), b.Size, f.BestDifferences, f.Best.Text(answer.Width)},
	}
	for i, l := range limits {
		x.Limits = append(x.Limits, limitJSON{l.Measure, l.Most.Float(), f.Differences[i]})
	}
	errs := []error{fault}
	if s.output.modelFile != "" {
		errs = append(errs, e.writeFile(s.output.modelFile, f.Encode))
	}
	stopped := ctx.Err() != nil && !f.Proved
	text := x.text(took, stopped, b.Status == parallel.Optimal)
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
	name, fault, err := proving(s.keeping.proof, func(to *family.Proof) (missing, err error) {
		o.Proof = to
		if f, err = solve(); err == nil && !f.Proved {
			missing = errNoProof
		}
		return missing, err
	})
	switch {
	case err != nil:
		return nil, nil, err
	case fault == errNoProof:
		fault = fmt.Errorf("%w in %s: a limit ended the search before the list was proved to be optimal", errNoProof, wording.Escape(s.keeping.proof))
	case fault == nil:
		f.About().Proof = name
	}
	return f, fault, nil
}

func (x *fairJSON) text(took time.Duration, stopped, bestOfAll bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.TrimRight(x.Text, "\n"))
	if x.Proved {
		fmt.Fprintf(&b, "\nproved: no rule list within the limit has an objective below %.7f (%s)\n", x.Objective, wording.Seconds(took))
	} else {
		why := "a limit on time or memory ended the search"
		if stopped {
			why = answer.WasInterrupted
		}
		b.WriteString("\n" + answer.Hanging(fmt.Sprintf("not proved: objective %.7f, no rule list within the limit has one below %.7f; %s", x.Objective, x.Bound, why), 4))
	}
	rows := [][]string{{"", "within the limit", "without"}}
	rows = append(rows, []string{"objective", fmt.Sprintf("%.7f", x.Objective), fmt.Sprintf("%.7f", x.Unconstrained.Objective)},
		[]string{"errors", wording.Thousands(x.Errors), wording.Thousands(x.Unconstrained.Errors)},
		[]string{"rules", fmt.Sprint(x.Rules), fmt.Sprint(x.Unconstrained.Rules)})
	for i, l := range x.Limits {
		rows = append(rows, []string{fmt.Sprintf("%s, %s less others", l.Measure, wording.Escape(x.Group)), fmt.Sprintf("%+.4f", l.Difference), fmt.Sprintf("%+.4f", x.Unconstrained.Differences[i])})
	}
	found := ""
	if !bestOfAll {
		found = "found "
	}
	fmt.Fprintf(&b, "\n%s\nthe best list %swithout the limit:\n\n%s\n", answer.Columns(rows), found, strings.TrimRight(x.Unconstrained.Text, "\n"))
	return b.String()
}
