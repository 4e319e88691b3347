package serve

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"parcorels/family"
	"parcorels/model"
	"parcorels/report"
)

// A wish is another run: the options of one with some changed. The page of its model says what
// the wish costs, beside the run that it was made from and the first one of all, which had none.

// wishView is what can be wished of a model.
type wishView struct {
	At         string
	Rules      []choiceField // as --first takes them
	Conditions []choiceField // to forbid
	Columns    []choiceField // to leave out
	Most       string        // rules
	First      bool          // rules to begin with, and a limit of rules, can be wished
}

// choiceField is a box to tick.
type choiceField struct {
	Text   string
	Ticked bool
}

// wishes returns what can be wished of a model, with what was.
func wishes(at string, m *family.Model, a *asked) *wishView {
	kind, frame := m.Family(), m.About()
	if kind != model.RuleList && kind != model.Tree {
		return nil
	}
	_, o, err := a.options()
	if err != nil {
		return nil
	}
	v := &wishView{At: at, Most: a.option("max-rules"), First: kind == model.RuleList}
	forbidden := slices.Clone(o.Forbid)
	for i, c := range m.Cases() {
		when := append(slices.Clone(c.When), c.Path...)
		if v.First && c.Text != "" {
			v.Rules = append(v.Rules, choiceField{c.Text + " then " + frame.Label(c.Class), i < len(o.First)})
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
	wish, form := a, a.form()
	for _, name := range []string{"first", "forbid", "ignore", "max-rules"} {
		form[name] = ask.PostForm[name]
	}
	for i, text := range ask.PostForm["rule"] {
		if slices.Contains(ask.PostForm["fixed"], fmt.Sprint(i)) {
			form.Add("first", text)
		}
	}
	form.Set("columns", "yes")
	wish.From, wish.Hash, wish.Options = r.id, "", fill(form).Options
	if slices.Equal(wish.Options, a.Options) {
		return "", errors.New("this is what the list is like already: wish for something else")
	}
	if err := s.cutAlike(&wish, &a); err != nil {
		return "", err
	}
	return s.ask(wish)
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

// free returns the model of the first run that a wish comes from, which had none; nil if there is
// no such run any more.
func (s *Server) free(a asked) (found *report.Summary) {
	for range mostRuns { // folders that somebody copied might go round
		from := s.queue.find(a.From)
		if from == nil {
			return found
		}
		x := from.snapshot()
		if a = x.Asked; x.End != nil && x.End.Result != nil {
			found = &x.End.Result.Summary
		}
	}
	return found
}
