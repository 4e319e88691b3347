package serve

import (
	"context"
	"net/http"

	"parcorels/answer"
	"parcorels/ask/chance"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/report"
)

// A model is compared with that of another run on the same table, and with what shuffled answers allow.

// other is a run whose model can be compared with that of another one.
type other struct {
	ID, Text string
	First    bool // wishes began with it
}

// side is one of two models beside each other.
type side struct{ Head, At, Text, Figures string }

// sideWidth is how many columns of text a model has beside another.
const sideWidth = 52

// Others lists the runs with whose models this one can be compared, the newest first.
func (v *runView) Others() (list []other) {
	first := v.s.began(v.run)
	for _, o := range v.s.queue.all() {
		l := v.s.line(o)
		if o != v.run && l.Asked.Table == v.Asked.Table && l.State == done && l.End.Result != nil && len(list) < runsShown {
			list = append(list, other{o.ID, l.Name() + ", " + l.Verdict, o == first})
		}
	}
	return list
}

// side describes the model of a run.
func (s *Server) side(head string, r *run, m *family.Model) side {
	l := s.line(r)
	v := side{head, "/runs/" + r.ID, m.Text(sideWidth), l.Verdict}
	switch u := l.Unseen; {
	case u == nil:
	case u.Kept != nil:
		v.Figures += "; on rows kept back " + wording.Percentage(u.Kept.Accuracy) + " right"
	default:
		v.Figures += "; on rows not seen " + wording.Percentage(u.Accuracy) + " right"
	}
	return v
}

// comparePage shows a model beside that of another run, and the rows whose answer differs.
func (s *Server) comparePage(run *run, m *family.Model, r *http.Request) (*view, error) {
	with := s.queue.find(r.URL.Query().Get("with"))
	if with == nil || with.question().Table != run.Asked.Table {
		return nil, errNothing
	}
	than, err := with.result()
	if err != nil {
		return nil, errNothing
	}
	var data struct {
		Sides [2]side
		Rows  *rowsView
	}
	names := [2]string{"the other", "this one"}
	if with == s.began(run) {
		names = [2]string{"before your wish", "with your wish"}
	}
	data.Sides = [2]side{s.side(wording.Capital(names[0]), with, than), s.side(wording.Capital(names[1]), run, m)}
	data.Rows, err = s.differ(run, [2]*family.Model{than, m}, names)
	return &view{Title: "Two models side by side", name: "compare", data: data}, err
}

// chanceRun asks how often a model of shuffled answers is as good, for a limited time, and keeps what it finds.
func (s *Server) chanceRun(r *run, m *family.Model, ask *http.Request) (*view, error) {
	q := r.question()
	f, read, o, err := s.resolved(&q)
	if err != nil {
		return nil, err
	}
	read.KeepColumns, o.Time = true, longestJudging // numbers are cut anew for other answers
	limited, cancel := context.WithTimeout(ask.Context(), o.Time)
	defer cancel()
	_, p, err := s.problem(limited, q.Table, read, &o, func(string) error { return nil })
	if err != nil {
		return nil, err
	}
	o.Time = 0
	found, err := chance.Ask(limited, p, chance.Options{Options: o, Shuffles: chance.Usual, Seed: 1, Model: m})
	if err != nil {
		return nil, err
	}
	c := answer.ReportedChance(found)
	r.update(func() {
		if r.End != nil {
			e := *r.End
			e.Chance = c
			r.End = &e
			err = r.files.WriteJSON("result.json", r.End)
		}
	})
	return &view{Title: "Could it be luck?", name: "luck", data: luck(f, c)}, err
}

// luck says what shuffled answers say of a model; "" where nobody asked.
func luck(f *family.Family, c *report.Chance) string {
	if c == nil {
		return ""
	}
	return wording.Capital(c.Text(f.Noun())) + "."
}
