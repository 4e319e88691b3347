package cli

import (
	"context"
	"errors"
	"fmt"

	"parcorels/ask/fair"
	"parcorels/cmd/parcorels/internal/fit"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules/rates"
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

// limit has a fit keep what is asked for.
func (s *fairness) limit(ctx context.Context, e *process.Env, f *fit.Run, path string) (err error) {
	if !s.asked() {
		return nil
	}
	f.Limits = &fair.Options{Limits: s.limits(), Group: rates.Group{Name: s.group}}
	if s.group != "" {
		f.Limits.Group.Inside, f.GroupName, err = e.Membership(ctx, f.Reading, path, s.group, f.Problem.Set)
	}
	return err
}
