package serve

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model/predict"
	"parcorels/report/export"
	"parcorels/report/html"
)

// each calls do with the rows of a table, from 1, until it wants no more.
func (s *Server) each(a *question, do func(cells []string, row int64) (more bool)) error {
	rows, err := s.tables.rows(a.Table, a.reading())
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := int64(1); ; n++ {
		cells, err := rows.Next()
		if err == io.EOF || err == nil && !do(cells, n) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// header returns the names of the columns, nil of a table that cannot be read.
func (s *Server) header(a *question) []string {
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

// rowsView is some rows of a table.
type rowsView struct {
	Title         string
	At            string // address of the form for one person; "" for none
	Header        []string
	First         int // columns before this one matter most
	Rows          []rowView
	From, Total   int64
	Before, After string // addresses
}

// rowView is a row of a table.
type rowView struct {
	Number int64
	Cells  []string
	Wrong  bool
}

// add adds a row if it is among those shown: cells of its own, and some of its table.
func (v *rowsView) add(n int64, wrong bool, own, cells []string, order []int) {
	if v.Total++; v.Total <= v.From || v.Total > v.From+rowsShown {
		return
	}
	for _, i := range order {
		own = append(own, strings.Clone(cells[i]))
	}
	v.Rows = append(v.Rows, rowView{n, own, wrong})
}

// rowsPage shows the rows that a rule decides. The columns that the model looks at come first,
// and the label.
func (s *Server) rowsPage(run *run, m *family.Model, r *http.Request) (*view, error) {
	at, err := strconv.Atoi(r.URL.Query().Get("case"))
	from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
	if err != nil || at < 0 || at >= len(m.Cases()) {
		return nil, errNothing
	}
	v := &rowsView{At: "/runs/" + run.ID, From: max(from, 0)}
	header := s.header(&run.Asked)
	label := slices.Index(header, m.About().Target)
	p, err := predict.Bind(m.Model, header, predict.Options{})
	if err != nil {
		return nil, err
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
	if label >= 0 {
		order = append(order, label)
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
	err = s.each(&run.Asked, func(cells []string, n int64) bool {
		if said, err := p.Predict(cells); err == nil && said.Case == at {
			class := -1
			if label >= 0 {
				class, err = m.About().ClassOf(cells[label])
			}
			v.add(n, err == nil && class >= 0 && class != said.Class, nil, cells, order)
		}
		return true
	})
	link := fmt.Sprintf("%s/rows?case=%d&from=", v.At, at)
	if v.From > 0 {
		v.Before = link + fmt.Sprint(max(v.From-rowsShown, 0))
	}
	if v.From+rowsShown < v.Total {
		v.After = link + fmt.Sprint(v.From+rowsShown)
	}
	c := m.Cases()[at]
	v.Title = wording.Count(v.Total, "row") + " with " + cmp.Or(c.Text, "no rule before") + ": " + m.About().Label(c.Class)
	return &view{Title: "Rows of " + m.Certificate().Part + " " + fmt.Sprint(at+1), name: "rows", data: v}, err
}

// evaluationPage shows how good a model is: on rows that it was not learned from if there are some, on
// its own table, or on another one; by groups if a column is named.
func (s *Server) evaluationPage(run *run, m *family.Model, r *http.Request) (*view, error) {
	page := html.New(m.Model)
	page.RowsAt = "/runs/" + run.ID + "/rows?case="
	err := s.evaluate(run, page, r.URL.Query().Get("on"), r.URL.Query().Get("by"))
	return &view{Title: "How good it is", name: "judged", data: page}, err
}

// evaluate adds to a page how good the model is on some rows: on unseenRows, ownRows or a table.
func (s *Server) evaluate(run *run, page *html.Page, on, by string) error {
	q := run.question()
	name := cmp.Or(on, unseenRows)
	var rows *dataset.Rows
	err := fs.ErrNotExist
	if name == unseenRows {
		if rows, err = s.unseenTable(run); err == nil {
			m, err := run.files.Model("unseen.json")
			if err != nil {
				return err
			}
			page.Instead(m.Model)
			name = "rows kept back"
		} else if on == "" {
			name = ownRows
		}
	}
	own := name == ownRows || name == q.Table
	if own {
		name = q.Table
	}
	if rows == nil && (on != unseenRows) {
		rows, err = s.tables.rows(name, q.reading())
	}
	if err != nil {
		return err
	}
	defer rows.Close()
	_, err = page.Judge(name, rows, predict.Options{By: by, Weight: q.option("weight")}, own)
	return err
}

// download answers with a file of a run.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	table := ""
	write, err := ofRun(s, func(run *run, r *http.Request) (func(io.Writer) error, error) {
		table = run.Asked.Table
		return s.writer(run, r.PathValue("file"))
	})(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	deadline(w, answerTime)
	w.Header().Set("Content-Type", "application/octet-stream")
	name := map[string]string{"filename": safeName(table) + "-" + r.PathValue("file")}
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", name))
	_ = write(w) // the client went away
}

// writer returns what writes a file of a run.
func (s *Server) writer(run *run, name string) (func(io.Writer) error, error) {
	m, err := run.result()
	if err != nil {
		return nil, err
	}
	switch name {
	case "model.json":
		return m.Encode, nil
	case "report.html":
		page := html.New(m.Model)
		x := run.snapshot()
		page.Made = x.Asked.Made.Format("2006-01-02")
		page.Compared = s.free(x.Asked)
		page.Chance = luck(family.Of(m.Family()), x.End.Chance)
		if x.Unseen != nil {
			page.KeptBack = x.Unseen.Kept
		}
		return page.Write, s.evaluate(run, page, "", x.Asked.By)
	case "model.proof", "result.json":
		f, err := run.files.Open(strings.TrimPrefix(name, "model."))
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
