package serve

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parcorels"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
)

// A wish is another run: the options of one with some changed. The page of its model says what
// the wish costs, beside the run that it was made from and the first one of all, which had none.

// wishView is what can be wished of a model.
type wishView struct {
	At         string
	Rules      []ruleField
	Conditions []choiceField // to forbid
	Columns    []choiceField // to leave out
	Most       string        // rules
	Least      bool          // a limit of rules can be wished
	First      bool          // rules to begin with can be wished
}

// ruleField is a rule as --first takes it.
type ruleField struct {
	Text  string
	Fixed bool
}

// choiceField is a box to tick.
type choiceField struct {
	Text   string
	Ticked bool
}

// wishes returns what can be wished of a model, with what was.
func wishes(at string, m *parcorels.Model, a *asked) *wishView {
	kind, frame := m.Family(), m.About()
	if kind != model.RuleList && kind != model.Tree {
		return nil
	}
	_, o, err := a.options()
	if err != nil {
		return nil
	}
	v := &wishView{At: at, Most: a.option("max-rules"), First: kind == model.RuleList}
	for _, row := range options() {
		v.Least = v.Least || row.Name == "max-rules" && v.First && row.Of("list")
	}
	forbidden := slices.Clone(o.Forbid)
	for i, c := range m.Cases() {
		when := append(slices.Clone(c.When), c.Path...)
		if v.First && len(when) > 0 {
			v.Rules = append(v.Rules, ruleField{model.Conjunction(when) + " then " + frame.Label(c.Class), i < len(o.First)})
		}
		for _, l := range when {
			if !l.Negated && !slices.Contains(forbidden, l.Name) && l.Column != "" {
				forbidden = append(forbidden, l.Name)
			}
		}
	}
	for i, text := range forbidden {
		v.Conditions = append(v.Conditions, choiceField{text, i < len(o.Forbid)})
	}
	for _, name := range a.reading().Ignore {
		v.Columns = append(v.Columns, choiceField{name, true})
	}
	for _, c := range frame.Columns {
		v.Columns = append(v.Columns, choiceField{c.Name, false})
	}
	return v
}

// wishRun begins the run of a wish.
func (s *Server) wishRun(r *run, ask *http.Request) (string, error) {
	a := r.snapshot().Asked
	wish := a
	wish.From, wish.Hash = r.id, ""
	wish.Options = slices.DeleteFunc(slices.Clone(a.Options), func(o model.Option) bool {
		return slices.Contains([]string{"first", "forbid", "ignore", "max-rules"}, o.Name)
	})
	add := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			wish.Options = append(wish.Options, model.Option{Name: name, Value: value})
		}
	}
	form := ask.PostForm
	for i, text := range form["rule"] {
		if slices.Contains(form["fixed"], fmt.Sprint(i)) {
			add("first", text)
		}
	}
	for _, text := range form["forbid"] {
		add("forbid", text)
	}
	for _, name := range form["ignore"] {
		add("ignore", option.Join([]string{name}))
	}
	add("max-rules", form.Get("max-rules"))
	if slices.Equal(wish.Options, a.Options) {
		return "", errors.New("this is what the list is like already: wish for something else")
	}
	if err := s.cutAlike(&wish, &a); err != nil {
		return "", err
	}
	if _, _, _, err := s.resolved(&wish); err != nil {
		return "", err
	}
	next, err := s.queue.add(wish)
	if err != nil {
		return "", fmt.Errorf("the run could not be kept: %w", err)
	}
	return "/runs/" + next.id, nil
}

// cutAlike makes a wish cut numbers as the run that it is about. A column that this one left
// out has no cuts there: then all are chosen anew.
func (s *Server) cutAlike(wish, of *asked) error {
	left := wish.reading().Ignore
	for _, name := range of.reading().Ignore {
		if !slices.Contains(left, name) {
			wish.Cuts = nil
			return nil
		}
	}
	_, read, _, err := s.resolved(of)
	if err != nil {
		return err
	}
	h, err := s.tables.table(of.Table, read)
	if err != nil {
		return err
	}
	wish.Cuts = h.data.ChosenCuts(read)
	for _, name := range left {
		delete(wish.Cuts, name)
	}
	return nil
}

// costRow is a model in the comparison of a wish.
type costRow struct {
	Name, At         string
	Objective, Bound string
	Errors, Size     string
	More             string // than the best of all
	Proved           bool
}

// cost compares the model of a wish with those that it comes from.
func (s *Server) cost(l line) (rows []costRow) {
	var chain []line
	for x := l; ; {
		if e := x.End; e != nil && e.Result != nil {
			chain = append(chain, x)
		}
		from := s.queue.find(x.Asked.From)
		if from == nil || len(chain) > 50 {
			break
		}
		x = s.line(from)
	}
	if len(chain) < 2 {
		return nil
	}
	root := chain[len(chain)-1]
	if len(chain) > 2 {
		chain = []line{chain[0], chain[1], root}
	}
	names := []string{"with this wish", "before it", "without any wish"}
	if len(chain) == 2 {
		names = []string{"with this wish", "without it"}
	}
	free := root.End.Result.Summary
	for i, x := range chain {
		p := x.End.Result.Summary
		part := "rule"
		if p.Model == model.Tree {
			part = "leaf"
		}
		row := costRow{Name: names[i], At: "/runs/" + x.ID, Objective: fmt.Sprintf("%.6f", p.Objective), Proved: x.Proved, Size: wording.Count(int64(p.Length), part),
			Errors: wording.Percentage(p.Errors / p.Weight), Bound: fmt.Sprintf("%.6f", p.LowerBound)}
		if i < len(chain)-1 {
			row.More = fmt.Sprintf("%+.6f", p.Objective-free.Objective)
		}
		rows = append(rows, row)
	}
	return rows
}
