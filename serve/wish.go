package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/report"
)

// A wish is another run: the options of one with some changed. It cuts numbers as the run that it is
// about, so that both have the same conditions. The page of its model says what the wish costs, beside
// the first run of all, which had none.

// began is the first run that a run goes back to by wishes.
func (s *site) began(x *facts) *facts {
	for range mostRuns { // folders that somebody copied might go round
		from := s.find(x.Asked.Get("from"))
		if from == nil {
			break
		}
		y := from.now()
		x = &y
	}
	return x
}

// free returns the model of the first run that a wish comes from, which had none; nil if there is
// no such run any more.
func (s *site) free(x *facts) *report.Summary {
	first := s.began(x)
	if first.ID == x.ID || first.End == nil || first.End.Result == nil {
		return nil
	}
	return &first.End.Result.Summary
}

// wishText says what was wished of a run, beside the run where wishes began.
func wishText(q, root *question) string {
	var parts []string
	say := func(q, beside *question, name, before, after string) {
		for _, text := range q.Form[name] {
			if !slices.Contains(beside.Form[name], text) {
				parts = append(parts, before+text+after)
			}
		}
	}
	say(q, root, "ignore", "no ", "")
	say(root, q, "ignore", "with ", "")
	say(q, root, "max-rules", "no more rules than ", "")
	say(q, root, "first", "begins with ", "")
	say(q, root, "forbid", "never ", "")
	say(q, root, "recall", "finds at least ", " of 100")
	return strings.Join(parts, ", ")
}

// rule is a rule of a person's own that was put together from lists: its text, "" for none, and the threshold that it needs.
type rule struct {
	text, column string
	at           float64
	numeric      bool
}

// ownRule reads the rule of a form.
func ownRule(form url.Values) (r rule, err error) {
	sign, value := form.Get("own-sign"), strings.TrimSpace(form.Get("own-value"))
	if r.column = form.Get("own-column"); r.column == "" {
		return r, nil
	}
	if sign != "=" {
		value = strings.Replace(value, ",", ".", 1)
		r.at, r.numeric = dataset.ParseNumber(value)
	}
	if value == "" || !r.numeric && sign != "=" {
		return r, fmt.Errorf("your own rule about %s has the value %q: expected a number, or a text of the column", r.column, value)
	}
	r.text = r.column + " " + sign + " " + value + " then " + form.Get("own-label")
	return r, nil
}

// wish adds to a question what was wished of a run.
func (s *site) wish(ctx context.Context, q *question, form url.Values) error {
	from := s.find(q.Get("from"))
	if from == nil || q.Get("thresholds") != "" {
		return nil
	}
	of := from.now().Asked
	own, err := ownRule(form)
	if err != nil {
		return err
	}
	if own.text != "" {
		q.Form.Add("first", own.text)
	} else if reflect.DeepEqual(q.without("from", "called"), of.without("from", "called", "thresholds")) {
		return errors.New("this is what the model is like already: wish for something else")
	}
	return s.cutAlike(ctx, q, &of, own)
}

// cutAlike makes a wish cut numbers as the run that it is about, and at the threshold of a person's own
// rule. A column that this run left out has no cuts there: then all are chosen anew.
func (s *site) cutAlike(ctx context.Context, wish, of *question, own rule) error {
	for _, name := range of.Ignored() {
		if !slices.Contains(wish.Ignored(), name) {
			return nil
		}
	}
	_, read, _, err := s.resolved(of)
	if err != nil {
		return err
	}
	d, err := s.read(ctx, of.Table, read)
	if err != nil {
		return err
	}
	chosen := maps.Clone(d.ChosenCuts(read))
	for _, name := range wish.Ignored() {
		delete(chosen, name)
	}
	few := slices.ContainsFunc(d.Features, func(f dataset.Feature) bool {
		return f.Column == own.column && f.Test.Kind == dataset.Number
	})
	if own.numeric && !few && !slices.Contains(chosen[own.column], own.at) {
		chosen[own.column] = append(slices.Clone(chosen[own.column]), own.at)
		slices.Sort(chosen[own.column])
	}
	wish.cutAt(chosen)
	return nil
}
