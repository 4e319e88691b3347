package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"parcorels/answer"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/report/html"
)

// A page of a run has three parts. The first is the best model so far, which is sent again only when
// there is another. The second says once a second how the search goes. The third is all else that
// there is to do with the model. So a person reads and works while the search goes on.

// runView is the page of a run, or a part of it. Its methods say what the templates show.
type runView struct {
	line
	s       *Server
	run     *run
	options family.Options
	m       *family.Model // nil where there is none yet
	Title   string
	Family  *family.Family
	Report  *html.Page // of the model; nil without
}

// runView returns what is known of a run, without its model.
func (s *Server) runView(run *run) *runView {
	v := &runView{line: s.line(run), s: s, run: run, Family: family.Families()[0]}
	if f, _, o, err := s.resolved(&v.Asked); err == nil {
		v.Family, v.options = f, o
	}
	v.Title = v.Kind + " on " + v.Asked.Table
	return v
}

// read reads the model, if there is one.
func (v *runView) read() (err error) {
	if v.m = v.facts.Model; v.m == nil && v.State == done {
		v.m, err = v.run.result()
	}
	if v.m == nil {
		return err
	}
	v.Title = fmt.Sprintf("%s for %s", wording.Capital(string(v.Family.Kind)), v.m.About().Target)
	p := html.New(v.m.Model)
	p.RowsAt, p.Compared = v.At()+"/rows?case=", v.s.free(v.Asked)
	if v.End != nil && v.End.Result != nil {
		p.Summary.Proved, p.Notes = v.End.Result.Proved, renamed(v.End.Result.Data.Notes)
	}
	if u := v.Unseen; u != nil && u.Kept != nil {
		p.KeptBack = u.Kept
	} else if u != nil {
		p.Lambda(u.Lambda, 0, u.Accuracy, u.Error, 0, true)
	}
	v.Report = p
	return nil
}

// runPage shows a run.
func (s *Server) runPage(run *run, r *http.Request) (*view, error) {
	v := s.runView(run)
	path := above(v.Asked.Table, run.ID)[:2]
	if v.State == done && v.End.Choice != nil {
		data, err := s.choiceView(v.line, r.URL.Query())
		return &view{Title: v.Kind, Path: path, name: "choice", data: data}, err
	}
	err := v.read()
	return &view{Title: v.Title, Path: path, name: "run", data: v}, err
}

// partPage is the model of a run, and what there is to do with it, if that is other than a page has.
func (s *Server) partPage(run *run, r *http.Request) (*view, error) {
	v := s.runView(run)
	switch {
	case fmt.Sprint(v.Version) == r.URL.Query().Get("seen"):
		return nil, nil
	case v.State == done && v.End.Choice != nil:
		return lead(v.At(), nil)
	}
	err := v.read()
	return &view{Title: v.Title, name: "parts", data: v}, err
}

// livePage says how the search goes.
func (s *Server) livePage(run *run, _ *http.Request) (*view, error) {
	return &view{Title: "How the search goes", name: "live", data: s.runView(run)}, nil
}

// Warn is what went wrong.
func (v *runView) Warn() []string {
	if v.End != nil && v.facts.Model == nil { // all is on the disk
		return v.End.Warnings
	}
	return v.Warnings
}

// Said is what is proved.
func (v *runView) Said() string {
	switch {
	case v.Asked.Opened:
		return "This model came from a file. What it says of itself counts only once its proof is checked, below."
	case v.End != nil && v.End.Result != nil:
		text := answer.PlainVerdict(v.Family, v.End.Result)
		if least := v.Asked.Recall; least != "" {
			text = "Lists that find fewer than " + least + " of 100 are left out. " + text
		}
		return text
	}
	return ""
}

// Simpler are questions that are answered sooner.
func (v *runView) Simpler() []answer.Simpler {
	if v.Proved || v.State == failed || v.Asked.Kind != "" || v.Asked.Opened {
		return nil
	}
	return answer.SimplerThan(v.Family, &v.options)
}

// Measuring reports whether it is not known yet how the model does on rows that it has not seen.
func (v *runView) Measuring() bool {
	return v.m != nil && v.Unseen == nil && v.Running() && v.Asked.Recall == ""
}

// Luck is what shuffled answers say.
func (v *runView) Luck() string {
	if v.End == nil {
		return ""
	}
	return luck(v.Family, v.End.Chance)
}

// AsksLuck reports whether shuffled answers can be asked.
func (v *runView) AsksLuck() bool {
	return !v.Running() && v.Family.Asks() && !v.Asked.Opened && v.Asked.Option("weight") == "" && v.Asked.Recall == ""
}

// Undo is the address of the run before the wish.
func (v *runView) Undo() string {
	if v.s.queue.find(v.Asked.From) == nil {
		return ""
	}
	return "/runs/" + v.Asked.From
}

// Tables are those to judge the model on beside its own.
func (v *runView) Tables() (list []file) {
	for _, f := range v.s.tables() {
		if f.Name != v.Asked.Table && !dataset.IsOut(f.Name) {
			list = append(list, f)
		}
	}
	return list
}

// Room is how many bytes the folder has.
func (v *runView) Room() int64 { return v.run.files.Bytes() }

// Header names the columns of the table.
func (v *runView) Header() []string { return v.s.header(&v.Asked) }

// Person is the form for one person.
func (v *runView) Person() *personView {
	return &personView{Person: answer.PersonOf(v.m.Model, nil), At: v.At()}
}

// Files are those to take away.
func (v *runView) Files() []fileView { return v.s.files(v.run, &v.facts, v.m) }

// Doing says what a run that has not ended does.
func (v *runView) Doing() string {
	text := wording.Capital(string(v.State))
	if n := v.s.queue.waiting(v.run); v.State == queued && n > 0 {
		text += fmt.Sprintf(" for %s before this one", wording.Count(int64(n), "run"))
	}
	return text
}

// Seconds is how long it has done so, 0 of one that waits.
func (v *runView) Seconds() float64 {
	if v.Begun.IsZero() {
		return 0
	}
	return time.Since(v.Begun).Seconds()
}

// Limit is how long it may take in seconds; 0: as long as it likes.
func (v *runView) Limit() float64 { return v.options.Time.Seconds() }

// Words say how far the search is.
func (v *runView) Words() []string {
	rows := 0.0
	if v.facts.Model != nil {
		rows = float64(v.facts.Model.About().Data.Weight)
	}
	if len(v.Trace) == 0 {
		return []string{v.Told}
	}
	return answer.ProgressWords(v.Family, v.Trace[len(v.Trace)-1], rows, v.options.Time)
}

// Chart shows that.
func (v *runView) Chart() *html.Plot {
	return html.NewTrace(wording.Capital(html.Objective(v.Family.Kind)), v.Trace)
}

func (s *Server) stopRun(r *run, _ *http.Request) (*view, error) {
	s.queue.cancel(r)
	return lead("/runs/"+r.ID, nil)
}

func (s *Server) resumeRun(r *run, _ *http.Request) (*view, error) {
	return lead("/runs/"+r.ID, s.queue.resume(r))
}

func (s *Server) removeRun(r *run, _ *http.Request) (*view, error) {
	return lead("/", s.queue.remove(r))
}

// above are the pages above one of a run.
func above(table, run string) []step {
	return []step{{"Tables and runs", "/"}, {table, "/tables/" + url.PathEscape(table)}, {"Run", "/runs/" + run}}
}
