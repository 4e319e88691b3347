package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"

	"parcorels/answer"
	"parcorels/ask/goodmodels"
	"parcorels/dataset"
	"parcorels/examples"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/model"
	"parcorels/report"
	"parcorels/report/html"
	runs "parcorels/run"
	"parcorels/table"
)

// runsShown is how many runs the first page lists; those of a table are on its page.
const runsShown = 100

// homePage is the page of tables and runs.
func (s *Server) homePage(*http.Request) (*view, error) {
	var gone []*runView
	s.removed.Range(func(_ string, r *run) bool { gone = append(gone, s.view(r)); return true })
	list := s.views(func(*runView) bool { return true })
	active := slices.ContainsFunc(list, func(v *runView) bool { return v.Running() })
	return &view{Title: "Tables and runs", name: "home", data: dict("Tables", s.Tables(), "Runs", list[:min(len(list), runsShown)],
		"Gone", gone, "Active", active, "Most", s.o.Upload)}, nil
}

// example adds a table to begin with.
func (s *Server) example(*http.Request) (*view, error) {
	table, err := examples.Table("compas-like")
	if err != nil {
		return nil, err
	}
	name, err := s.add("example.csv", bytes.NewReader(table))
	return lead("/tables/"+name, err)
}

// takeTables keeps the files of a form as they come, and leads to the last table.
func (s *Server) takeTables(r *http.Request) (*view, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, errors.New("no file was sent")
	}
	to := ""
	for {
		switch part, err := form.NextPart(); {
		case err == io.EOF && to == "":
			return nil, errors.New("no table was chosen")
		case err == io.EOF:
			return lead("/tables/"+url.PathEscape(to), nil)
		case err != nil:
			return nil, err
		case part.FileName() != "":
			if to, err = s.add(part.FileName(), part); err != nil {
				return nil, err
			}
		}
	}
}

// A model that somebody else learned is opened beside the table that it is said to be learned from, with its proof. It is a
// run that nobody searched: nothing that the file says of itself counts until its proof is checked.

// mostModel bounds the file of a model.
const mostModel = 64 << 20

// takeModel takes a model, and a proof if there is one, as a browser sends them.
func (s *Server) takeModel(r *http.Request) (*view, error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	file, header, err := r.FormFile("model")
	if err != nil {
		return nil, fmt.Errorf("no model was chosen: %w", err)
	}
	m, err := family.Decode(io.LimitReader(file, mostModel), header.Filename)
	if err != nil {
		return nil, err
	}
	q, result := fromModel(f.Name(), m), m.Report()
	q.Opened = true
	opened, err := s.made(q)
	if err != nil {
		return nil, err
	}
	e, kept := &ended{Result: &result}, opened.files
	if proof, _, missing := r.FormFile("proof"); missing == nil {
		e.Proved = true
		err = kept.Put(runs.ProofFile, func(w io.Writer) error { _, err := io.Copy(w, proof); return err })
	}
	if err := errors.Join(err, kept.Put("model.json", m.Encode), kept.WriteJSON("result.json", e)); err != nil {
		_ = os.RemoveAll(kept.Path)
		return nil, fmt.Errorf("the model could not be kept: %w", err)
	}
	opened.facts.finish(e)
	s.runs.Store(opened.facts.ID, opened)
	return lead(opened.facts.At(), nil)
}

// columnView is a column of a table on the page.
type columnView struct {
	Name, As string  // no text where it has no condition
	TellsAll bool    // it gives the label away
	Missing  float64 // share of the rows
	Spread   *html.Spread
}

// tableView is the page of a table.
type tableView struct {
	File    fs.FileInfo
	Asked   question
	Error   string
	Family  *family.Family
	Kinds   []*family.Family
	Runs    []*runView
	Headers []string // names of all columns
	Limit   string   // of time, in minutes, where nobody asks for another

	// How the table was read.
	Data    *family.Data
	Columns []columnView
	Further int64    // columns that are not shown
	Choose  []string // classes, where one must be told from all others
	Classes []report.Class
	Notes   []string
	Unsaid  bool // rows lack an answer
}

// Fields are those of the form. The limit of time is the server's.
func (v *tableView) Fields() (list []field) {
	for _, f := range fields() {
		f.Note = strings.Replace(f.Note, "DEFAULT", v.Limit, 1)
		list = append(list, f)
	}
	return list
}

// Missing are the texts of missing values with those that may mean it.
func (v *tableView) Missing() string {
	return option.Join(append(slices.Clone(table.DefaultMissing), v.Data.MaybeMissing...))
}

// Samples is for the template.
func (v *tableView) Samples() int64 { return int64(v.Data.N) }

// With is the address of the form with another value in a field.
func (v *tableView) With(name, value string) template.URL {
	with := question{Form: v.Asked.without(name)}
	with.Form.Set(name, value)
	return with.Query()
}

// Kept are the columns to leave out that have no box.
func (v *tableView) Kept() []string {
	return slices.DeleteFunc(slices.Clone(v.Asked.Ignored()), func(name string) bool {
		return slices.ContainsFunc(v.Columns, func(c columnView) bool { return c.Name == name && name != v.Data.Target })
	})
}

// tablePage shows a table and the form of a run, with the name "table". How its columns are read comes after it, with
// the name "columns": that may take some time.
func (s *Server) tablePage(name string) page {
	return func(r *http.Request) (*view, error) {
		f, err := s.table(r.PathValue("table"))
		if err != nil {
			return nil, err
		}
		v, read := &tableView{File: f, Asked: fromForm(f.Name(), r.URL.Query()), Kinds: family.Families()}, family.Reading{}
		if v.Family, read, _, err = s.resolved(&v.Asked); err == nil && name == "columns" {
			err = s.readColumns(r.Context(), v, read)
		}
		if err != nil {
			v.Error = s.said(err)
		}
		if v.Headers, v.Limit = s.Header(&v.Asked), "no limit"; s.o.Time > 0 {
			v.Limit = fmt.Sprint(s.o.Time.Minutes())
		}
		v.Runs = s.views(func(run *runView) bool { return run.Asked.Table == f.Name() })
		return &view{Title: f.Name(), Path: home, name: name, data: v}, nil
	}
}

// readColumns reads the table and says how.
func (s *Server) readColumns(ctx context.Context, v *tableView, read family.Reading) error {
	d, err := s.read(ctx, v.File.Name(), read)
	v.Unsaid = wrongField(err) == "DropUnlabelled"
	if wrongField(err) == "Positive" && read.Positive == "" {
		if d, err = s.read(ctx, v.File.Name(), family.Of(model.Tree).Reading(read)); err == nil {
			v.Choose = d.Classes
		}
	}
	if err != nil {
		return err
	}
	v.Data, v.Classes = d, report.Classes(d.Dataset)
	v.Notes = slices.DeleteFunc(renamed(d.Notes), func(note string) bool { // a button says it
		return strings.HasPrefix(note, "values may mean missing") || strings.HasPrefix(note, "texts may be numbers with")
	})
	spread, as := s.spread(&v.Asked, d), map[string]string{}
	for _, c := range report.Columns(d.Dataset) {
		as[c.Name] = c.As
	}
	tells, shown := report.Telling(d.Dataset), d.Columns[:min(len(d.Columns), report.SpreadColumns)]
	v.Further = int64(len(d.Columns) - len(shown))
	for _, name := range shown {
		v.Columns = append(v.Columns, columnView{name, as[name], slices.Contains(tells, name), spread.Missing(name),
			html.NewSpread(spread, name, d.LabelTexts())})
	}
	return nil
}

// spread returns how the values of a table that was read are spread over its classes.
func (s *Server) spread(q *question, d *family.Data) *report.Spread {
	read, _, _ := q.options()
	spread, samples := report.NewSpread(s.Header(q), read.Missing), d.FileRows()
	_, _ = ofRows(s.store, q.Table, q, func(rows *dataset.Rows) (any, error) { // the table was read already
		return nil, answer.EachRow(rows, func(cells []string, row int64) bool {
			class := -1
			if at, ok := slices.BinarySearch(samples, int(row)); ok {
				class = d.Class(at)
			}
			spread.Add(cells, class)
			return true
		})
	})
	return spread
}

// start puts a run in the queue.
func (s *Server) start(r *http.Request) (*view, error) {
	f, err := s.table(r.PostForm.Get("table"))
	if err != nil {
		return nil, err
	}
	q := fromForm(f.Name(), r.PostForm)
	if err := s.wish(r.Context(), &q, r.PostForm); err != nil {
		return nil, err
	}
	family, _, o, err := s.resolved(&q)
	switch {
	case err != nil:
	case q.Get("kind") != "" && !family.Asks():
		err = errors.New("all sizes and all good models are found of rule lists and of trees")
	case q.Get("recall") != "":
		err = goodmodels.Fits(&o, true, "a wish of how many are found")
	case q.Get("kind") == alternativesKind:
		err = goodmodels.Fits(&o, false, "all good models")
	}
	if err != nil {
		return nil, err
	}
	return lead(s.ask(q))
}

// A wish is another run: the options of one with some changed. It cuts numbers as the run that it is
// about, so that both have the same conditions. The page of its model says what the wish costs, beside
// the first run of all, which had none.

// ownRule adds the rule of a person's own that was put together from lists. It returns its column, "" for none, and the
// threshold that it needs, NaN for none.
func (q *question) ownRule(form url.Values) (column string, at float64, err error) {
	if condition := form.Get("own-condition"); condition != "" {
		q.Form.Add("first", condition+" then "+form.Get("own-label"))
	}
	column, sign, value := form.Get("own-column"), form.Get("own-sign"), strings.TrimSpace(form.Get("own-value"))
	at, numeric := math.NaN(), sign == "="
	if !numeric {
		value = strings.Replace(value, ",", ".", 1)
		at, numeric = dataset.ParseNumber(value)
	}
	if column != "" && (value == "" || !numeric) {
		return "", 0, fmt.Errorf("your own rule about %s has the value %q: expected a number, or a text of the column", column, value)
	}
	if column != "" {
		q.Form.Add("first", column+" "+sign+" "+value+" then "+form.Get("own-label"))
	}
	return column, at, nil
}

// wish adds to a question what was wished of a run. Numbers are cut as in that run, and at the threshold of a person's own rule. A
// column that the run left out has no cuts there: then all are chosen anew.
func (s *Server) wish(ctx context.Context, q *question, form url.Values) error {
	from := s.find(q.Get("from"))
	if from == nil || q.Get("thresholds") != "" {
		return nil
	}
	of := from.now().Asked
	column, at, err := q.ownRule(form)
	if err != nil {
		return err
	}
	if reflect.DeepEqual(q.without("from", "called"), of.without("from", "called", "thresholds")) {
		return errors.New("this is what the model is like already: wish for something else")
	}
	for _, name := range of.Ignored() {
		if !slices.Contains(q.Ignored(), name) {
			return nil
		}
	}
	_, read, _, err := s.resolved(&of)
	if err != nil {
		return err
	}
	d, err := s.read(ctx, of.Table, read)
	if err != nil {
		return err
	}
	chosen := maps.Clone(d.ChosenCuts)
	for _, name := range q.Ignored() {
		delete(chosen, name)
	}
	few := slices.ContainsFunc(d.Features, func(f dataset.Feature) bool { return f.Column == column && f.Test.Kind == dataset.Number })
	if column != "" && !math.IsNaN(at) && !few && !slices.Contains(chosen[column], at) {
		chosen[column] = append(slices.Clip(chosen[column]), at)
		slices.Sort(chosen[column])
	}
	read = family.Reading{Chosen: chosen} // the model that is learned says so, and the command beside it learns it again
	if len(chosen) > 0 {
		q.Form["thresholds"] = slices.Clone(option.Find(family.OptionTable(&read, &family.Options{}), "thresholds").Texts())
	}
	return nil
}

// removeTable deletes a table that no run is about.
func (s *Server) removeTable(r *http.Request) (*view, error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	if len(s.views(func(run *runView) bool { return run.Asked.Table == f.Name() })) > 0 {
		return nil, errors.New("runs are about this table: remove them first")
	}
	return lead("/", s.root.Remove(tablesFolder+"/"+f.Name()))
}
