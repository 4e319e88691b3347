package serve

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"parcorels/answer"
	"parcorels/ask/crossval"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report/html"
)

// A page of a run has three parts. The first is the best model so far, which is sent again only when
// there is another. The second says once a second how the search goes. The third is all else that
// there is to do with the model. So a person reads and works while the search goes on.

// runView is the page of a run.
type runView struct {
	line
	At        string // its address
	Title     string
	Family    *family.Family
	Query     template.URL // what was asked, as the form of the table takes it
	Live      *liveView    // nil in a part
	Said      string       // what is proved
	Room      int64        // bytes of its folder
	Warn      []string
	Lacks     []string         // columns that were left out
	Simpler   []answer.Simpler // questions that are answered sooner
	Report    *html.Page       // of the model; nil where there is none yet
	Text      string           // the model, where no more is known of it yet
	Measuring bool             // how it does on rows that it has not seen
	Luck      string           // what shuffled answers say
	Undo      string           // address of the run before the wish
	History   []wished         // that run, and those with wishes about it
	Model     *modelParts      // nil where Report is
}

// modelParts is what there is to do with a model.
type modelParts struct {
	Files  []fileView
	Person *personView
	Header []string // columns of the table, for groups
	Tables []file   // to judge the model on
	Others []other  // runs to compare with
	Luck   bool     // shuffled answers can be asked
	Unseen bool     // there are rows that it was not learned from
	Check  check
	Wishes *wishView
}

// runPage shows a run.
func (s *Server) runPage(run *run, r *http.Request) (*view, error) {
	l := s.line(run)
	path := above(l.Asked.Table, run.ID)[:2]
	if l.State == done && l.End.Choice != nil {
		v, err := s.choiceView(l, r.URL.Query())
		return &view{Title: l.Kind, Path: path, name: "choice", data: v}, err
	}
	v, err := s.runView(run, l)
	if err != nil {
		return nil, err
	}
	v.Live = s.liveView(run)
	return &view{Title: v.Title, Path: path, name: "run", data: v}, nil
}

// partPage is the model of a run, and what there is to do with it, if that is other than a page has.
func (s *Server) partPage(run *run, r *http.Request) (*view, error) {
	l := s.line(run)
	if fmt.Sprint(l.Version) == r.URL.Query().Get("seen") {
		return nil, nil
	}
	if l.State == done && l.End.Choice != nil {
		return &view{goTo: "/runs/" + run.ID}, nil
	}
	v, err := s.runView(run, l)
	if err != nil {
		return nil, err
	}
	return &view{Title: v.Title, name: "parts", data: v}, nil
}

// livePage says how the search goes.
func (s *Server) livePage(run *run, _ *http.Request) (*view, error) {
	return &view{Title: "How the search goes", name: "live", data: s.liveView(run)}, nil
}

func (s *Server) runView(run *run, l line) (*runView, error) {
	v := &runView{line: l, At: "/runs/" + run.ID, Title: l.Kind + " on " + l.Asked.Table, Lacks: l.Asked.ignored(), Text: l.Best,
		Warn: l.Warnings, Query: template.URL(l.Asked.form().Encode()), Room: run.files.Bytes()}
	f, _, o, err := s.resolved(&l.Asked)
	if err != nil {
		f = family.Families()[0]
	}
	v.Family = f
	if l.End != nil && l.Model == nil { // all is on the disk
		v.Warn = l.End.Warnings
	}
	if !l.Proved && l.State != failed && l.Asked.Kind == "" && !l.Asked.Opened {
		v.Simpler = answer.SimplerThan(f, &o)
	}
	m := l.Model
	if l.State == done && m == nil {
		if m, err = run.result(); err != nil {
			return nil, err
		}
	}
	if v.History = s.history(run); s.queue.find(l.Asked.From) != nil {
		v.Undo = "/runs/" + l.Asked.From
	}
	if m == nil {
		return v, nil
	}
	v.Title = fmt.Sprintf("%s for %s", wording.Capital(string(f.Kind)), m.About().Target)
	v.Report = html.New(m.Model)
	v.Report.RowsAt = v.At + "/rows?case="
	v.Report.Compared = s.free(l.Asked)
	v.showUnseen(l.Unseen)
	if l.End != nil && l.End.Result != nil {
		v.Said, v.Luck = answer.PlainVerdict(f, l.End.Result), luck(f, l.End.Chance)
		if l.Asked.Opened {
			v.Said = "This model came from a file. What it says of itself counts only once its proof is checked, below."
		}
		v.Report.Summary.Proved = l.End.Result.Proved
		v.Report.Notes = renamed(l.End.Result.Data.Notes)
	}
	v.Model = s.modelParts(run, m, v)
	return v, nil
}

// showUnseen puts the figures of rows that were not learned from first.
func (v *runView) showUnseen(u *crossval.Unseen) {
	switch {
	case u == nil:
		v.Measuring = v.Running()
	case u.Kept != nil:
		v.Report.KeptBack = u.Kept
	default:
		v.Report.Lambda(u.Lambda, 0, u.Accuracy, u.Error, 0, true)
	}
}

// simplerRun begins the run of a simpler question.
func (s *Server) simplerRun(r *run, ask *http.Request) (*view, error) {
	q := r.question()
	q.Hash = ""
	for _, name := range []string{"max-rules", "max-card", "depth", "lambda"} {
		if value := ask.PostForm.Get(name); value != "" {
			q.Options = append(q.without(name), model.Option{Name: name, Value: value})
		}
	}
	if kind := ask.PostForm.Get("kind"); kind != "" {
		return s.startOf(q, kind, "", "")
	}
	return s.ask(q)
}

func (s *Server) modelParts(run *run, m *family.Model, v *runView) *modelParts {
	p := &modelParts{Header: s.header(&v.Asked), Unseen: v.Unseen != nil && v.Unseen.Kept != nil}
	for _, f := range s.tables() {
		if f.Name != v.Asked.Table && !dataset.IsOut(f.Name) {
			p.Tables = append(p.Tables, f)
		}
	}
	p.Others, p.Person = s.others(run, v.Asked.Table), &personView{Person: answer.PersonOf(m.Model, nil), At: v.At}
	if v.Running() {
		return p
	}
	p.Files = s.files(run, &v.facts, m)
	p.Luck = v.Family.Asks() && !v.Asked.Opened && v.Asked.option("weight") == "" && v.Asked.Recall == ""
	p.Wishes, p.Check = s.wishes(v.At, m, &v.Asked), run.checkView()
	return p
}

// liveView says how a search goes.
type liveView struct {
	At      string
	Running bool
	State   string
	Words   []string
	Seconds float64
	Limit   float64 // seconds; 0: none
	Chart   *html.Trace
	Stops   bool
}

func (s *Server) liveView(run *run) *liveView {
	x := run.snapshot()
	v := &liveView{At: "/runs/" + run.ID, Running: x.Running(), State: wording.Capital(string(x.State)), Stops: x.Stopped}
	if !v.Running {
		return v
	}
	f, limit, rows := family.Families()[0], time.Duration(0), 0.0
	if family, _, o, err := s.resolved(&x.Asked); err == nil {
		f, limit = family, o.Time
	}
	if v.Limit = limit.Seconds(); !x.Begun.IsZero() {
		v.Seconds = time.Since(x.Begun).Seconds()
	}
	if x.State == queued {
		if n := s.queue.waiting(run); n > 0 {
			v.State += fmt.Sprintf(" for %s before this one", wording.Count(int64(n), "run"))
		}
		return v
	}
	if x.Model != nil {
		rows = float64(x.Model.About().Data.Weight)
	}
	if n := len(x.Trace); n > 0 {
		v.Words = answer.ProgressWords(f, x.Trace[n-1], rows, limit)
		v.Chart = html.NewTrace(wording.Capital(html.Objective(f.Kind)), x.Trace)
	}
	return v
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
