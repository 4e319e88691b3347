package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report"
)

// A wish is another run: the options of one with some changed. It cuts numbers as the run that it is
// about, so that both have the same conditions. The page of its model says what the wish costs, beside
// the first run of all, which had none.

// wishView is what can be wished of a model.
type wishView struct {
	Rules      []choiceField // to begin with, as --first takes them
	Conditions []choiceField // to forbid
	Columns    []choiceField // to leave out
	Labels     []string      // what a rule of one's own may say
	First      bool          // rules to begin with, and a limit of rules, can be wished
	Positive   string        // class 1, where a share of it that is to be found can be wished
}

// wished is a run among those that began with one.
type wished struct {
	line
	Now bool // it is the one that is shown
}

// choiceField is a box to tick.
type choiceField struct {
	Text   string
	Ticked bool
}

// Wishes returns what can be wished of the model, with what was.
func (v *runView) Wishes() *wishView {
	kind, frame := v.m.Family(), v.m.About()
	_, o, err := v.Asked.options()
	if kind != model.RuleList && kind != model.Tree || err != nil || v.Running() {
		return nil
	}
	w := &wishView{First: kind == model.RuleList, Labels: frame.Labels()}
	if w.First && len(w.Labels) == 2 {
		w.Positive = w.Labels[1]
	}
	forbidden := slices.Clone(o.Forbid)
	for i, c := range v.m.Cases() {
		if w.First && c.Text != "" {
			w.Rules = append(w.Rules, choiceField{c.Text + " then " + frame.Label(c.Class), i < len(o.First)})
		}
		for _, l := range c.Literals() {
			if !l.Negated && !slices.Contains(forbidden, l.Name) && l.Column != "" {
				forbidden = append(forbidden, l.Name)
			}
		}
	}
	for i, text := range forbidden {
		w.Conditions = append(w.Conditions, choiceField{text, i < len(o.Forbid)})
	}
	for _, name := range v.Header() {
		if name != frame.Target {
			w.Columns = append(w.Columns, choiceField{name, slices.Contains(v.Asked.Ignored(), name)})
		}
	}
	return w
}

// began is the first run that a run goes back to by wishes.
func (s *Server) began(r *run) *run {
	for range mostRuns { // folders that somebody copied might go round
		from := s.queue.find(r.question().From)
		if from == nil {
			return r
		}
		r = from
	}
	return r
}

// History lists the run and all whose wishes go back to the same one, the oldest first; nil where there is
// no other.
func (v *runView) History() (list []wished) {
	root := v.s.began(v.run)
	for _, other := range slices.Backward(v.s.queue.all()) {
		if v.s.began(other) == root {
			list = append(list, wished{v.s.line(other), other == v.run})
		}
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// wishText says what was wished of a run, beside the run where wishes began.
func wishText(q, root *question) string {
	read, o, _ := q.options()
	before, _, _ := root.options()
	var parts []string
	for _, name := range read.Ignore {
		if !slices.Contains(before.Ignore, name) {
			parts = append(parts, "no "+name)
		}
	}
	for _, name := range before.Ignore {
		if !slices.Contains(read.Ignore, name) {
			parts = append(parts, "with "+name)
		}
	}
	if o.MaxRules > 0 && q.Option("max-rules") != root.Option("max-rules") {
		parts = append(parts, "at most "+wording.Count(int64(o.MaxRules), "rule"))
	}
	if len(o.First) > 0 {
		parts = append(parts, "begins with "+strings.Join(o.First, "; "))
	}
	for _, text := range o.Forbid {
		parts = append(parts, "never "+text)
	}
	if q.Recall != root.Recall && q.Recall != "" {
		parts = append(parts, "finds at least "+q.Recall+" of 100")
	}
	return strings.Join(parts, ", ")
}

// wish adds to a question of a form what was wished of a run.
func (s *Server) wish(ctx context.Context, q *question, form url.Values) (err error) {
	q.From, q.Name = form.Get("from"), strings.TrimSpace(form.Get("called"))
	if q.Recall, err = share(form.Get("recall")); err != nil {
		return err
	}
	from := s.queue.find(q.From)
	if from == nil || q.Option("thresholds") != "" {
		return nil
	}
	of := from.question()
	own, err := ownRule(form)
	if err != nil {
		return err
	}
	if own.text != "" {
		q.Options = append(q.Options, model.Option{Name: "first", Value: own.text})
	} else if slices.Equal(q.Options, of.without("thresholds")) && q.Recall == of.Recall {
		return errors.New("this is what the model is like already: wish for something else")
	}
	return s.cutAlike(ctx, q, &of, own)
}

// share reads how many of 100 rows are to be found, as people write it; "" is any.
func share(text string) (string, error) {
	text = strings.TrimSuffix(strings.TrimSpace(strings.Replace(text, ",", ".", 1)), "%")
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	if r, err := option.Exact(text, option.Positive); err != nil || r.Float() >= 100 {
		return "", fmt.Errorf("the rows to be found are %q: expected how many of 100, such as 90", text)
	}
	return text, nil
}

// rule is a rule of a person's own: its text, and the threshold that it needs.
type rule struct {
	text, column string
	at           float64
	numeric      bool
}

// ownRule reads the rule that was put together from lists.
func ownRule(form url.Values) (r rule, err error) {
	column, sign, says := form.Get("own-column"), form.Get("own-sign"), form.Get("own-label")
	value := strings.TrimSpace(form.Get("own-value"))
	if column == "" {
		return r, nil
	}
	if value == "" {
		return r, fmt.Errorf("your own rule about %s has no value", column)
	}
	if sign == "≤" || sign == ">" {
		value = strings.Replace(value, ",", ".", 1)
		if r.at, r.numeric = dataset.ParseNumber(value); !r.numeric {
			return r, fmt.Errorf("your own rule about %s has the value %q: expected a number", column, value)
		}
	}
	r.column = column
	r.text = column + " " + sign + " " + value + " then " + says
	return r, nil
}

// cutAlike makes a wish cut numbers as the run that it is about, and at the threshold of a person's own
// rule. A column that this run left out has no cuts there: then all are chosen anew.
func (s *Server) cutAlike(ctx context.Context, wish, of *question, own rule) error {
	left := wish.Ignored()
	for _, name := range of.Ignored() {
		if !slices.Contains(left, name) {
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
	for _, name := range left {
		delete(chosen, name)
	}
	few := slices.ContainsFunc(d.Features, func(f dataset.Feature) bool {
		return f.Column == own.column && f.Test.Kind == dataset.Number
	})
	if own.numeric && !few && !slices.Contains(chosen[own.column], own.at) {
		chosen[own.column] = append(slices.Clone(chosen[own.column]), own.at)
		slices.Sort(chosen[own.column])
	}
	wish.Options = append(wish.Options, thresholdsOf(chosen)...)
	return nil
}

// free returns the model of the first run that a wish comes from, which had none; nil if there is
// no such run any more.
func (s *Server) free(q question) (found *report.Summary) {
	from := s.queue.find(q.From)
	if from == nil {
		return nil
	}
	if x := s.began(from).snapshot(); x.End != nil && x.End.Result != nil {
		found = &x.End.Result.Summary
	}
	return found
}
