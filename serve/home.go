package serve

import (
	"fmt"
	"net/http"
	"parcorels/internal/wording"
)

// runsShown is how many runs the first page lists; those of a table are on its page.
const runsShown = 100

// home is the page of tables and runs.
func (s *Server) home(*http.Request) (*view, error) {
	var data struct {
		Tables []file
		Runs   []line
		Active bool
		Most   int64
	}
	data.Most = s.o.Upload
	data.Tables = s.tables()
	all := s.queue.all()
	for _, r := range all[:min(len(all), runsShown)] {
		l := s.line(r)
		data.Active = data.Active || l.State == queued || l.State.active()
		data.Runs = append(data.Runs, l)
	}
	return &view{Title: "Tables and runs", name: "home", data: data}, nil
}

// line is a run in a list.
type line struct {
	facts
	Kind    string // of the question: the model, or all of several
	Wish    string // what was wished; "" where nothing was
	Verdict string
	Proved  bool
}

// Name tells the run from others on its table.
func (l *line) Name() string {
	if l.Wish == "" {
		return l.Kind
	}
	return l.Kind + ": " + l.Wish
}

// line describes a run.
func (s *Server) line(r *run) line {
	x := r.snapshot()
	l := line{facts: x, Kind: "Rule list"}
	if x.Asked.From != "" {
		first := s.began(r).question()
		if l.Wish = wishText(&x.Asked, &first); x.Asked.Name != "" {
			l.Wish = x.Asked.Name + " (" + l.Wish + ")"
		}
	}
	if f, _, _, err := s.resolved(&x.Asked); err == nil {
		l.Kind = wording.Capital(string(f.Kind))
		switch x.Asked.Kind {
		case pathKind:
			l.Kind = "All sizes of " + string(f.Kind) + "s"
		case alternativesKind:
			l.Kind = "All good " + string(f.Kind) + "s"
		}
	}
	switch e := x.End; {
	case e == nil:
		l.Verdict = wording.Capital(string(x.State))
	case e.Error != "":
		l.Verdict = e.Error
	case e.Choice != nil:
		l.Verdict, l.Proved = wording.Count(int64(len(e.Choice.Models)), "model"), true
	default:
		p := e.Result.Summary
		part := "rule"
		if p.Model == "tree" {
			part = "leaf"
		}
		l.Proved = e.optimal() && !x.Asked.Opened
		l.Verdict = fmt.Sprintf("%s right with %s", wording.Percentage(1-p.Errors/p.Weight), wording.Count(int64(p.Length), part))
	}
	return l
}
