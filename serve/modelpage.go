package serve

import (
	"fmt"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parcorels"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/report/export"
	"parcorels/report/html"
)

// modelView is the page of a run that has a model.
type modelView struct {
	line
	At     string
	Title  string
	Report *html.Page
	Ending string
	Files  []fileView
	Person *personView
	Header []string // columns of the table, for groups
	Binary bool
	Check  check
	Query  template.URL // what was asked, as the form of the table takes it
	Wishes *wishView
	Cost   []costRow // of a wish
}

// fileView is a file that can be taken away.
type fileView struct{ Name, At, What string }

// exports are the languages that a model is written in, with the endings of their files.
var exports = []struct{ ending, language, name string }{
	{"sql", "sql", "SQL"}, {"py", "python", "Python"}, {"c", "c", "C"}, {"js", "javascript", "JavaScript"},
}

func (s *Server) modelView(run *run, l line) (*modelView, error) {
	m, err := run.result()
	if err != nil {
		return nil, err
	}
	v := &modelView{line: l, At: "/runs/" + run.id, Report: html.New(m.Model), Ending: ending[l.End.Result.Status], Binary: len(m.About().Labels()) == 2}
	v.Report.RowsAt = v.At + "/rows?case="
	v.Report.Notes = renamed(l.End.Result.Data.Notes)
	v.Report.Trace = l.chart(v.Report.Objective)
	v.Files = append(v.Files, fileView{"Report", "report.html", "one page without script, to send or print"}, fileView{"Model", "model.json", "for predict, evaluate and explain"})
	if l.End.Proved {
		v.Files = append(v.Files, fileView{"Proof", "model.proof", "for verify, on any machine"})
	}
	for _, x := range exports {
		v.Files = append(v.Files, fileView{x.name, "model." + x.ending, "predicts without this program"})
	}
	v.Files = append(v.Files, fileView{"Figures", "result.json", "all that the search tells"})
	v.Header = s.header(&l.Asked)
	v.Person = personOf(m, nil)
	v.Person.At = v.At
	v.Wishes, v.Cost = wishes(v.At, m, &l.Asked), s.cost(l)
	v.Check, v.Query = run.checkView(), l.Asked.query()
	return v, nil
}

// with calls do with the model of a run that has one.
func (s *Server) with(r *http.Request, do func(run *run, m *parcorels.Model) (*view, error)) (*view, error) {
	run := s.queue.find(r.PathValue("run"))
	if run == nil {
		return nil, errNothing
	}
	m, err := run.result()
	if err != nil {
		return nil, errNothing
	}
	v, err := do(run, m)
	if v != nil {
		v.Path = above(run.asked.Table, run.id)
	}
	return v, err
}

// each calls do with the rows of a table, from 1, until it wants no more.
func (s *Server) each(a *asked, do func(header, cells []string, row int64) (more bool, err error)) error {
	rows, err := s.tables.rows(a.Table, a.reading())
	if err != nil {
		return err
	}
	defer rows.Close()
	header := slices.Clone(rows.Header())
	for n := int64(1); ; n++ {
		cells, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if more, err := do(header, cells, n); err != nil || !more {
			return err
		}
	}
}

// header returns the names of the columns, nil of a table that cannot be read.
func (s *Server) header(a *asked) []string {
	rows, err := s.tables.rows(a.Table, a.reading())
	if err != nil {
		return nil
	}
	defer rows.Close()
	return slices.Clone(rows.Header())
}

// rowsShown is how many rows are shown at a time, and cellsShown how many cells of each.
const (
	rowsShown  = 25
	cellsShown = 60
)

// rowsView is rows that a case decides.
type rowsView struct {
	At                string
	Conditions, Label string
	Header            []string
	First             int // columns before this one are those that the model looks at
	Rows              []rowView
	From, Total       int64
	Before, After     string // addresses
}

// rowView is a row of a table.
type rowView struct {
	Number int64
	Cells  []string
	Wrong  bool
}

// rowsPage shows the rows that a rule decides.
func (s *Server) rowsPage(r *http.Request) (*view, error) {
	return s.with(r, func(run *run, m *parcorels.Model) (*view, error) {
		at, err := strconv.Atoi(r.URL.Query().Get("case"))
		from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
		if err != nil || at < 0 || at >= len(m.Cases()) {
			return nil, errNothing
		}
		c := m.Cases()[at]
		v := &rowsView{At: "/runs/" + run.id, Label: m.About().Label(c.Class), From: max(from, 0)}
		when := c.When
		if c.Path != nil {
			when = c.Path
		}
		v.Conditions = model.Conjunction(when)
		if err := s.rowsOf(run, m, at, v); err != nil {
			return nil, err
		}
		link := fmt.Sprintf("%s/rows?case=%d&from=", v.At, at)
		if v.From > 0 {
			v.Before = link + fmt.Sprint(max(v.From-rowsShown, 0))
		}
		if v.From+rowsShown < v.Total {
			v.After = link + fmt.Sprint(v.From+rowsShown)
		}
		return &view{Title: "Rows of " + m.Certificate().Part + " " + fmt.Sprint(at+1), name: "rows", data: v}, nil
	})
}

// rowsOf goes over the table for the rows that a case decides. The columns that the model
// looks at come first, and the label.
func (s *Server) rowsOf(run *run, m *parcorels.Model, at int, v *rowsView) error {
	header := s.header(&run.asked)
	p, err := predict.Bind(m.Model, header, predict.Options{})
	if err != nil {
		return err
	}
	var order []int
	for _, c := range m.About().Columns {
		name := c.Name
		if c.Part != nil {
			name = c.Part.Of
		}
		if i := slices.Index(header, name); i >= 0 && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	target := slices.Index(header, m.About().Target)
	if target >= 0 {
		order = append(order, target)
	}
	v.First = len(order)
	for i := range header {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	order = order[:min(len(order), cellsShown)]
	for _, i := range order {
		v.Header = append(v.Header, header[i])
	}
	return s.each(&run.asked, func(_, cells []string, n int64) (bool, error) {
		said, err := p.Predict(cells)
		if err != nil || said.Case != at {
			return true, nil
		}
		if v.Total++; v.Total <= v.From || v.Total > v.From+rowsShown {
			return true, nil
		}
		x := rowView{Number: n}
		for _, i := range order {
			x.Cells = append(x.Cells, strings.Clone(cells[i]))
		}
		if target >= 0 {
			class, err := m.About().ClassOf(cells[target])
			x.Wrong = err == nil && class >= 0 && class != said.Class
		}
		v.Rows = append(v.Rows, x)
		return true, nil
	})
}

// evaluationPage shows how good a model is on its table, by groups if a column is named.
func (s *Server) evaluationPage(r *http.Request) (*view, error) {
	return s.with(r, func(run *run, m *parcorels.Model) (*view, error) {
		page := html.New(m.Model)
		by := r.URL.Query().Get("by")
		if err := s.evaluate(run, page, by); err != nil {
			return nil, err
		}
		return &view{Title: "How good it is", name: "judged", data: page}, nil
	})
}

// evaluate adds to a page how good the model is on its table.
func (s *Server) evaluate(run *run, page *html.Page, by string) error {
	rows, err := s.tables.rows(run.asked.Table, run.asked.reading())
	if err != nil {
		return err
	}
	defer rows.Close()
	_, err = page.Judge(run.asked.Table, rows.Rows, predict.Options{By: by, Weight: run.asked.option("weight")}, true)
	return err
}

// thresholdView is what a limit on the probability comes to. Confusion has the samples of
// each class by what is said of them.
type thresholdView struct {
	Limit                          float64
	Labels                         []string
	Confusion                      [2][2]int64
	Right, Selected, TPR, FPR, PPV string
}

// thresholdPage shows the confusion where class 1 is said from some probability on.
func (s *Server) thresholdPage(r *http.Request) (*view, error) {
	return s.with(r, func(run *run, m *parcorels.Model) (*view, error) {
		limit, err := strconv.ParseFloat(r.URL.Query().Get("at"), 64)
		if err != nil || !(limit >= 0 && limit <= 1) {
			limit = .5
		}
		v := &thresholdView{Limit: limit, Labels: m.About().Labels()}
		if len(v.Labels) != 2 {
			return nil, errNothing
		}
		n := &v.Confusion
		for _, c := range m.Cases() {
			said := 0
			if p := c.Probabilities(false); p != nil && p[1] >= limit {
				said = 1
			}
			n[0][said] += c.Samples[0]
			n[1][said] += c.Samples[1]
		}
		zeros, ones, selected := n[0][0]+n[0][1], n[1][0]+n[1][1], n[0][1]+n[1][1]
		v.Right, v.Selected = wording.Percent(n[0][0]+n[1][1], zeros+ones), wording.Percent(selected, zeros+ones)
		v.TPR, v.FPR, v.PPV = wording.Percent(n[1][1], ones), wording.Percent(n[0][1], zeros), wording.Percent(n[1][1], selected)
		return &view{Title: "Threshold", name: "threshold", data: v}, nil
	})
}

// download answers with a file of a run.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	run := s.queue.find(r.PathValue("run"))
	name := r.PathValue("file")
	if run == nil {
		http.NotFound(w, r)
		return
	}
	m, err := run.result()
	if err != nil {
		http.NotFound(w, r)
		return
	}
	write, err := s.writer(run, m, name)
	if err != nil {
		v, status := failure(err)
		s.show(w, r, status, v)
		return
	}
	deadline(w, answerTime)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+safeName(run.asked.Table)+"-"+name+`"`)
	_ = write(w) // the client went away
}

// writer returns what writes a file of a run.
func (s *Server) writer(run *run, m *parcorels.Model, name string) (func(io.Writer) error, error) {
	copied := map[string]string{"model.proof": "proof", "result.json": "result.json"}
	switch {
	case name == "model.json":
		return m.Encode, nil
	case name == "report.html":
		page := html.New(m.Model)
		x := run.snapshot()
		page.Made, page.Trace = run.asked.Made.Format("2006-01-02"), x.chart(page.Objective)
		if err := s.evaluate(run, page, run.asked.By); err != nil {
			return nil, err
		}
		return page.Write, nil
	case copied[name] != "":
		f, err := run.open(copied[name])
		if err != nil {
			return nil, err
		}
		return func(w io.Writer) error { defer f.Close(); _, err := io.Copy(w, f); return err }, nil
	}
	for _, x := range exports {
		if name == "model."+x.ending {
			return func(w io.Writer) error { return export.Write(w, m.Model, x.language) }, nil
		}
	}
	return nil, errNothing
}
