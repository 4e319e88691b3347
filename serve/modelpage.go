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

	"parcorels/answer"
	"parcorels/dataset"
	"parcorels/family"
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
	return answer.EachRow(rows, do)
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

// rowsView is some rows of a table.
type rowsView struct {
	*answer.Rows
	At            string // address of the form for one person; "" for none
	Before, After string // addresses
}

// rowsPage shows the rows that a rule decides.
func (s *Server) rowsPage(run *run, m *family.Model, r *http.Request) (*view, error) {
	at, err := strconv.Atoi(r.URL.Query().Get("case"))
	from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
	if err != nil || at < 0 || at >= len(m.Cases()) {
		return nil, errNothing
	}
	q := run.question()
	rows, err := s.tables.rows(q.Table, q.reading())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	v := &rowsView{At: "/runs/" + run.ID}
	if v.Rows, err = answer.Decided(m.Model, rows, at, from); err != nil {
		return nil, err
	}
	link := fmt.Sprintf("%s/rows?case=%d&from=", v.At, at)
	if v.From > 0 {
		v.Before = link + fmt.Sprint(max(v.From-answer.RowsShown, 0))
	}
	if v.From+answer.RowsShown < v.Total {
		v.After = link + fmt.Sprint(v.From+answer.RowsShown)
	}
	return &view{Title: "Rows of " + m.Certificate().Part + " " + fmt.Sprint(at+1), name: "rows", data: v}, nil
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
		page.Compared, page.Wish = s.free(x.Asked), s.line(run).Wish
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
