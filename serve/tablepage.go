package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"parcorels/answer"
	askpath "parcorels/ask/path"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/report"
	"parcorels/report/html"
	"parcorels/table"
)

// columnView is a column of a table on the page.
type columnView struct {
	report.Column
	Target, Left, Unused, TellsAll bool // it is predicted; was left out; has no condition; gives the label away
	Missing                        float64
	Spread                         *html.Spread
}

// tableView is the page of a table.
type tableView struct {
	File    file
	Asked   question
	Error   string
	Query   template.URL
	Fields  map[string]field // those in front
	Groups  []fieldGroup
	Family  *family.Family
	Kinds   []*family.Family
	Runs    []line
	Columns []columnView
	Further int64    // columns that are not shown
	Headers []string // names of all columns
	Choose  []string // classes, where one must be told from all others
	Data    *family.Data
	Classes []report.Class
	Notes   []string
	Unknown []string // values that may mean that nobody knows
	Unsaid  bool     // rows lack an answer
}

// Missing are the texts of missing values with those that may mean it.
func (v *tableView) Missing() string {
	return option.Join(append(slices.Clone(table.DefaultMissing), v.Unknown...))
}

// Samples and Share are for the template.
func (v *tableView) Samples() int64 { return int64(v.Data.N) }

func (v *tableView) Share(c report.Class) string { return wording.Percent(c.Samples, v.Samples()) }

// With is the address of the form with another value in a field.
func (v *tableView) With(name, value string) template.URL {
	form := v.Asked.form()
	form.Set(name, value)
	return template.URL(form.Encode())
}

// Kept are the columns to leave out that have no box.
func (v *tableView) Kept() []string {
	return slices.DeleteFunc(v.Asked.Ignored(), func(name string) bool {
		return slices.ContainsFunc(v.Columns, func(c columnView) bool { return c.Name == name && !c.Target })
	})
}

// tablePage shows a table and the form of a run. How its columns are read comes after it:
// that may take some time.
func (s *Server) tablePage(r *http.Request) (*view, error) {
	v, err := s.tableView(r)
	if err != nil {
		return nil, err
	}
	v.Fields, v.Groups = s.fields(&v.Asked)
	for _, run := range s.queue.all() {
		if l := s.line(run); l.Asked.Table == v.File.Name {
			v.Runs = append(v.Runs, l)
		}
	}
	v.Headers = s.header(&v.Asked)
	return &view{Title: v.File.Name, Path: above("", "")[:1], name: "table", data: v}, nil
}

// tableView returns what both pages of a table show.
func (s *Server) tableView(r *http.Request) (*tableView, error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	v := &tableView{File: f, Asked: fromForm(r.URL.Query()), Kinds: family.Families()}
	v.Query, v.Asked.Table = template.URL(v.Asked.form().Encode()), f.Name
	family, _, _, err := s.resolved(&v.Asked)
	if v.Family = family; err != nil {
		v.Error = s.said(err)
	}
	return v, nil
}

// columnsPage shows how the columns of a table are read.
func (s *Server) columnsPage(r *http.Request) (*view, error) {
	v, err := s.tableView(r)
	if err != nil {
		return nil, err
	}
	if v.Error == "" {
		if err := s.readColumns(r.Context(), v); err != nil {
			v.Error = s.said(err)
		}
	}
	return &view{Title: v.File.Name, Path: above("", "")[:1], name: "columns", data: v}, nil
}

// readColumns reads the table and says how.
func (s *Server) readColumns(ctx context.Context, v *tableView) error {
	_, read, _, err := s.resolved(&v.Asked)
	if err != nil {
		return err
	}
	d, err := s.read(ctx, v.File.Name, read)
	var wrong *optionerr.Error
	switch errors.As(err, &wrong); {
	case wrong == nil:
	case wrong.Field == "DropUnlabelled":
		v.Unsaid = true
	case wrong.Field == "Positive" && read.Positive == "":
		if all, errAll := s.read(ctx, v.File.Name, family.Of(model.Tree).Reading(read)); errAll == nil {
			d, err, v.Choose = all, nil, all.ClassNames
		}
	}
	if err != nil {
		return err
	}
	v.Data, v.Classes, v.Unknown = d, report.Classes(d.Dataset), d.MaybeMissing
	v.Notes = slices.DeleteFunc(renamed(d.Notes), func(note string) bool { // a button says it
		return strings.HasPrefix(note, "values may mean missing") || strings.HasPrefix(note, "texts may be numbers with")
	})
	var labels []string
	for _, c := range v.Classes {
		labels = append(labels, c.Label)
	}
	spread, as := s.spread(&v.Asked, d), map[string]report.Column{}
	for _, c := range report.Columns(d.Dataset) {
		as[c.Name] = c
	}
	tells, shown := report.Telling(d.Dataset), slices.Clone(d.Columns)
	for _, p := range d.Parts {
		shown = append(shown, p.Name())
	}
	shown = shown[:min(len(shown), report.SpreadColumns)]
	v.Further = int64(len(d.Columns) - len(shown))
	for _, name := range shown {
		c, used := as[name]
		c.Name = name
		x := columnView{Column: c, Target: name == d.Target, Left: slices.Contains(read.Ignore, name),
			TellsAll: slices.Contains(tells, name)}
		x.Unused = !used && !x.Target && !x.Left
		x.Missing, x.Spread = spread.Missing(name), html.NewSpread(spread, name, labels)
		v.Columns = append(v.Columns, x)
	}
	return nil
}

// spread returns how the values of a table that was read are spread over its classes.
func (s *Server) spread(q *question, d *family.Data) *report.Spread {
	rows, err := s.rows(q.Table, q)
	if err != nil {
		return report.NewSpread(nil, nil)
	}
	defer rows.Close()
	spread, samples := report.NewSpread(rows.Header(), q.reading().Missing), d.FileRows()
	_ = answer.EachRow(rows, func(cells []string, row int64) bool { // the table was read already
		class := -1
		if at, ok := slices.BinarySearch(samples, int(row)); ok {
			class = d.Class(at)
		}
		spread.Add(cells, class)
		return true
	})
	return spread
}

// start puts a run in the queue.
func (s *Server) start(r *http.Request) (*view, error) {
	f, err := s.table(r.PostForm.Get("table"))
	if err != nil {
		return nil, err
	}
	q := fromForm(r.PostForm)
	q.Table = f.Name
	if err := s.wish(r.Context(), &q, r.PostForm); err != nil {
		return nil, err
	}
	family, _, _, _ := s.resolved(&q)
	q.Kind, q.Least = r.PostForm.Get("kind"), cmp.Or(r.PostForm.Get("least"), askpath.Usual)
	q.Within = strings.TrimSuffix(r.PostForm.Get("within"), "%")
	if _, err := option.Exact(cmp.Or(q.Within, "1"), option.Positive); err != nil {
		return nil, fmt.Errorf("%q is no number of per cent", q.Within)
	}
	if _, err := option.Exact(q.Least, ratio.Ratio.Within); err != nil {
		return nil, fmt.Errorf("the smallest price is %q: expected a number between 0 and 1, such as 0.005", q.Least)
	}
	switch {
	case q.Kind == pathKind && family.Kind != model.RuleList && family.Kind != model.Tree:
		return nil, errors.New("all sizes are found of rule lists and of trees")
	case q.Kind == alternativesKind && family.Kind != model.RuleList && family.Kind != model.Tree:
		return nil, errors.New("all good models are found of rule lists and of trees")
	case q.Kind != "" && q.Kind != pathKind && q.Kind != alternativesKind:
		return nil, errNothing
	}
	q.Proof = q.Proof && family.Kind != model.RuleSet && q.Kind == ""
	return s.ask(q)
}

// ask puts a run in the queue, and leads to it.
func (s *Server) ask(a question) (*view, error) {
	if _, _, _, err := s.resolved(&a); err != nil {
		return nil, err
	}
	for _, run := range s.queue.all() { // the same question is the same run
		x := run.snapshot()
		if x.State != failed && !x.Stopped && x.Asked.same(&a) {
			return lead("/runs/"+run.ID, nil)
		}
	}
	run, err := s.queue.add(a)
	if err != nil {
		return nil, fmt.Errorf("the run could not be kept: %w", err)
	}
	return lead("/runs/"+run.ID, nil)
}

// removeTable deletes a table that no run is about.
func (s *Server) removeTable(r *http.Request) (*view, error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	for _, run := range s.queue.all() {
		if run.snapshot().Asked.Table == f.Name {
			return nil, errors.New("runs are about this table: remove them first")
		}
	}
	return lead("/", s.root.Remove(tablesFolder+"/"+f.Name))
}
