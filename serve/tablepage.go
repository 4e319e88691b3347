package serve

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parcorels"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/ratio"
	"parcorels/report"
)

// A form has a field for each option of the library, under its name there. What a client may
// not decide has none: files of this machine, and how much of the machine a search takes.

// fromServer are the options that the server decides.
var fromServer = []string{"labels", "workers", "memory"}

// inFront are those that the form shows at once; all others are below a heading.
func inFront(row *option.Option) bool {
	return slices.Contains([]string{"model", "target", "positive", "lambda", "time", "ignore"}, row.Name) || row.Name == "max-rules" && row.Of("list")
}

// fill takes the options of a form.
func fill(form url.Values) (a asked) {
	for _, row := range parcorels.OptionTable(&parcorels.Reading{}, &parcorels.Options{}) {
		if slices.Contains(fromServer, row.Name) {
			continue
		}
		for _, text := range form[row.Name] {
			text = strings.TrimSpace(text)
			if text == "" || row.Type == "switch" && text != "true" {
				continue
			}
			if row.Name == "ignore" && form.Get("columns") != "" {
				text = option.Join([]string{text}) // a box for each column
			}
			a.Options = append(a.Options, model.Option{Name: row.Name, Value: text})
			if !row.Many && row.Type != "list" {
				break
			}
		}
	}
	a.By = form.Get("by")
	a.Proof = form.Get("proof") != "no"
	a.From = form.Get("from")
	return a
}

// query is the form as the end of an address, in which all is escaped.
func (a *asked) query() template.URL {
	v := url.Values{}
	for _, o := range a.Options {
		v.Add(o.Name, o.Value)
	}
	if a.By != "" {
		v.Set("by", a.By)
	}
	if !a.Proof {
		v.Set("proof", "no")
	}
	return template.URL(v.Encode())
}

// field is an option as the form shows it.
type field struct {
	*option.Option
	Label  string
	Value  string
	Holds  string // where nothing is given
	Family string // names of the families that have it, with blanks between them; "" for all
}

// fields returns the fields of a form that was filled in so.
func (s *Server) fields(a *asked, family *parcorels.Family, front bool) (list []field) {
	for _, row := range parcorels.OptionTable(&parcorels.Reading{}, &parcorels.Options{}) {
		if slices.Contains(fromServer, row.Name) || inFront(row) != front {
			continue
		}
		f := field{Option: row, Label: strings.ReplaceAll(row.Name, "-", " "), Value: a.option(row.Name), Holds: row.DefaultOf(family.Name), Family: strings.Join(row.Families, " ")}
		if f.Holds == "" {
			f.Holds = row.Unset
		}
		if row.Name == "time" && s.o.Time > 0 {
			f.Holds = brieflyTimed(s.o.Time)
		}
		list = append(list, f)
	}
	return list
}

// brieflyTimed writes 10m0s as 10m.
func brieflyTimed(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	return text
}

// columnView is a column of a table on the page.
type columnView struct {
	report.Column
	Target, Left, Unused bool // it is predicted; was left out; has no condition
	TellsAll             bool
	Missing              int64
	MissingShare         string
	Drawing              *drawing
}

// tableView is the page of a table.
type tableView struct {
	File    file
	Asked   asked
	Error   string
	Query   template.URL
	Fields  map[string]field // those in front
	Groups  []fieldGroup
	Family  *parcorels.Family
	Kinds   []*parcorels.Family
	Runs    []line
	Columns []columnView
	Further int64    // columns that are not shown
	Headers []string // names of all columns
	Choose  []string // classes, where one must be told from all others
	Target  string
	Samples int64
	Classes []classView
	Notes   []string
}

// classView is a class with its share.
type classView struct {
	Label string
	Count int64
	Share string
}

type fieldGroup struct {
	Title  string
	Fields []field
}

// tablePage shows a table and the form of a run. How its columns are read comes after it:
// that may take some time.
func (s *Server) tablePage(r *http.Request) (*view, error) {
	f, ok := s.tables.find(r.PathValue("table"))
	if !ok {
		return nil, errNothing
	}
	v := s.tableView(f, r.URL.Query())
	for _, run := range s.queue.all() {
		if l := s.line(run); l.Asked.Table == f.Name {
			v.Runs = append(v.Runs, l)
		}
	}
	v.Headers = s.header(&v.Asked)
	return &view{Title: f.Name, Path: above("", "")[:1], name: "table", data: v}, nil
}

func (s *Server) tableView(f file, form url.Values) *tableView {
	v := &tableView{File: f, Asked: fill(form), Fields: map[string]field{}, Kinds: parcorels.Families(), Family: parcorels.Families()[0]}
	v.Query, v.Asked.Table = v.Asked.query(), f.Name
	family, _, _, err := s.resolved(&v.Asked)
	if err != nil {
		v.Error = said(err)
	} else {
		v.Family = family
	}
	for _, x := range s.fields(&v.Asked, v.Family, true) {
		v.Fields[x.Name] = x
	}
	for _, x := range s.fields(&v.Asked, v.Family, false) {
		if n := len(v.Groups); n == 0 || v.Groups[n-1].Title != x.Group {
			v.Groups = append(v.Groups, fieldGroup{Title: x.Group})
		}
		g := &v.Groups[len(v.Groups)-1]
		g.Fields = append(g.Fields, x)
	}
	return v
}

// columnsPage shows how the columns of a table are read.
func (s *Server) columnsPage(r *http.Request) (*view, error) {
	f, ok := s.tables.find(r.PathValue("table"))
	if !ok {
		return nil, errNothing
	}
	v := s.tableView(f, r.URL.Query())
	if v.Error == "" {
		if err := s.readColumns(v); err != nil {
			v.Error = said(err)
		}
	}
	return &view{Title: f.Name, Path: above("", "")[:1], name: "columns", data: v}, nil
}

// readColumns reads the table and says how.
func (s *Server) readColumns(v *tableView) error {
	_, read, _, err := s.resolved(&v.Asked)
	if err != nil {
		return err
	}
	h, err := s.tables.table(v.File.Name, read)
	var wrong *optionerr.Error
	if errors.As(err, &wrong) && wrong.Field == "Positive" && read.Positive == "" {
		if all, errAll := s.tables.table(v.File.Name, parcorels.FamilyOf(model.Tree).Reading(read)); errAll == nil {
			h, err, v.Choose = all, nil, all.data.ClassNames
		}
	}
	if err != nil {
		return err
	}
	d := h.data
	v.Notes, v.Target, v.Samples = d.Notes, d.Target, int64(d.N)
	for i := range v.Notes {
		v.Notes[i] = optionerr.Rename(v.Notes[i], optionName)
	}
	for class, set := range report.ClassSets(d.Dataset) {
		n := int64(set.Count())
		v.Classes = append(v.Classes, classView{d.ClassName(class), n, wording.Percentage(float64(n) / float64(d.N))})
	}
	seen := s.tables.looked(v.File.Name, h)
	as := map[string]report.Column{}
	for _, c := range report.Columns(d.Dataset) {
		as[c.Name] = c
	}
	tells := report.Telling(d.Dataset)
	for i, name := range d.Columns {
		if i == drawnColumns {
			v.Further = int64(len(d.Columns) - i)
			break
		}
		c, used := as[name]
		c.Name = name
		x := columnView{Column: c, Target: name == d.Target, Left: slices.Contains(read.Ignore, name), TellsAll: slices.Contains(tells, name)}
		x.Unused = !used && !x.Target && !x.Left
		if col := seen.Columns[name]; col != nil {
			x.Missing = col.Missing
			if seen.Rows > 0 {
				x.MissingShare = wording.Percentage(float64(col.Missing) / float64(seen.Rows))
			}
			x.Drawing = drawn(name, col.bars(d.ClassCount()), v.Classes)
		}
		v.Columns = append(v.Columns, x)
	}
	return nil
}

// start puts a run in the queue.
func (s *Server) start(r *http.Request) (string, error) {
	f, ok := s.tables.find(r.PostForm.Get("table"))
	if !ok {
		return "", errNothing
	}
	a := fill(r.PostForm)
	a.Table = f.Name
	family, _, _, err := s.resolved(&a)
	if err != nil {
		return "", err
	}
	a.Kind, a.Least, a.Within = r.PostForm.Get("kind"), cmp.Or(r.PostForm.Get("least"), "0.005"), strings.TrimSuffix(r.PostForm.Get("within"), "%")
	if _, err := option.Exact(cmp.Or(a.Within, "1"), option.Positive); err != nil {
		return "", fmt.Errorf("%q is no number of per cent", a.Within)
	}
	if _, err := option.Exact(a.Least, ratio.Ratio.Within); err != nil {
		return "", fmt.Errorf("the smallest price is %q: expected a number between 0 and 1, such as 0.005", a.Least)
	}
	switch {
	case a.Kind == pathKind && family.Kind != model.RuleList && family.Kind != model.Tree:
		return "", errors.New("all sizes are found of rule lists and of trees")
	case a.Kind == alternativesKind && family.Kind != model.RuleList:
		return "", errors.New("all good models are found of rule lists")
	case a.Kind != "" && a.Kind != pathKind && a.Kind != alternativesKind:
		return "", errNothing
	}
	a.Proof = a.Proof && family.Kind != model.RuleSet && a.Kind == ""
	run, err := s.queue.add(a)
	if err != nil {
		return "", fmt.Errorf("the run could not be kept: %w", err)
	}
	return "/runs/" + run.id, nil
}

// removeTable deletes a table that no run is about.
func (s *Server) removeTable(r *http.Request) (string, error) {
	f, ok := s.tables.find(r.PathValue("table"))
	if !ok {
		return "", errNothing
	}
	for _, run := range s.queue.all() {
		if run.snapshot().Asked.Table == f.Name {
			return "", errors.New("runs are about this table: remove them first")
		}
	}
	return "/", s.root.Remove(tablesFolder + "/" + f.Name)
}
