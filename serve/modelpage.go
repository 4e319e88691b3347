package serve

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"parcorels/answer"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model/predict"
	"parcorels/report/export"
	"parcorels/report/html"
	runs "parcorels/run"
)

// header returns the names of the columns, nil of a table that cannot be read.
func (s *Server) header(q *question) []string {
	rows, err := s.rows(q.Table, q)
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
	rows, err := s.rows(q.Table, &q)
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

// treePage shows the drawing of a tree with the rows that it was learned from.
func (s *Server) treePage(run *run, m *family.Model, _ *http.Request) (*view, error) {
	page := html.New(m.Model)
	page.RowsAt = "/runs/" + run.ID + "/rows?case="
	err := s.evaluate(run, page, ownRows, "")
	return &view{Title: "The tree", name: "drawing-of-tree", data: page}, err
}

// evaluate adds to a page how good the model is on some rows: on unseenRows, ownRows or a table. Rows of a table that is not
// the one any more that the model was learned from are those of another table.
func (s *Server) evaluate(run *run, page *html.Page, on, by string) error {
	q := run.question()
	hash, _ := dataset.HashOf(s.path(tablesFolder, q.Table)) // none where the table is gone, which reading it says
	name, own := q.Table, hash == page.Frame.Data.Hash
	var numbers []int64
	switch on {
	case "", unseenRows:
		m, err := run.files.Model(unseenModel)
		if err == nil && own {
			err = run.files.ReadJSON(unseenNumbers, &numbers)
		}
		if err == nil && own {
			page.Instead(m.Model)
		} else if on == unseenRows {
			return cmp.Or(err, errNothing)
		}
	case ownRows:
	default:
		name, own = on, on == q.Table && own
	}
	rows, err := s.rows(name, &q)
	if err != nil {
		return err
	}
	defer rows.Close()
	if numbers != nil {
		name, rows, own = "rows kept back", only(rows, numbers), false
	}
	_, err = page.Judge(name, rows, predict.Options{By: by, Weight: q.Option("weight")}, own)
	return err
}

// fileView is a file that can be taken away.
type fileView struct {
	Name, At, What string
	write          func(io.Writer) error
}

// files are those of a run that has ended, with its model.
func (s *Server) files(run *run, x *facts, m *family.Model) []fileView {
	kept := func(file string) func(io.Writer) error {
		return func(w io.Writer) error {
			f, err := run.files.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		}
	}
	list := []fileView{{"Report", "report.html", "one page without script, to send or print", s.report(run, x, m)},
		{"Model", "model.json", "for predict, evaluate and explain", m.Encode}}
	if x.End.Proved {
		list = append(list, fileView{"Proof", "model.proof", "for verify, on any machine", kept(runs.ProofFile)})
	}
	codes := [][3]string{{"SQL", "sql", "sql"}, {"Python", "py", "python"}, {"C", "c", "c"}, {"JavaScript", "js", "javascript"}}
	for _, code := range codes {
		list = append(list, fileView{code[0], "model." + code[1], "predicts without this program",
			func(w io.Writer) error { return export.Write(w, m.Model, code[2]) }})
	}
	return append(list, fileView{"Figures", "result.json", "all that the search tells", kept("result.json")})
}

// report writes the report of a run.
func (s *Server) report(run *run, x *facts, m *family.Model) func(io.Writer) error {
	return func(w io.Writer) error {
		page := html.New(m.Model)
		page.Made = x.Asked.Made.Format("2006-01-02")
		page.Compared, page.Wish = s.free(x.Asked), s.line(run).Wish
		page.Chance = luck(family.Of(m.Family()), x.End.Chance)
		if x.Unseen != nil {
			page.KeptBack = x.Unseen.Kept
		}
		if err := s.evaluate(run, page, "", x.Asked.By); err != nil {
			return err
		}
		return page.Write(w)
	}
}

// filePage gives a file of a run.
func (s *Server) filePage(run *run, m *family.Model, r *http.Request) (*view, error) {
	x, name := run.snapshot(), r.PathValue("file")
	if x.End == nil {
		return nil, errNothing
	}
	for _, f := range s.files(run, &x, m) {
		if f.At == name {
			return &view{Title: safeName(x.Asked.Table) + "-" + name, write: f.write}, nil
		}
	}
	return nil, errNothing
}
