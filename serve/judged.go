package serve

import (
	"cmp"
	"io"
	"net/http"

	"parcorels/dataset"
	"parcorels/model/predict"
	"parcorels/report/export"
	"parcorels/report/html"
	runs "parcorels/run"
)

// Names of the rows that a model is judged on, beside those of tables.
const (
	unseenRows = "unseen"
	ownRows    = "own"
)

// evaluationPage shows how good a model is: on rows that it was not learned from if there are some, on
// its own table, or on another one; by groups if a column is named.
func evaluationPage(v *runView, r *http.Request) (*view, error) {
	err := v.evaluate(v.Report, r.URL.Query().Get("on"), r.URL.Query().Get("by"))
	return &view{Title: "How good it is", name: "judged", data: v.Report}, err
}

// treePage shows the drawing of a tree with the rows that it was learned from.
func treePage(v *runView, _ *http.Request) (*view, error) {
	err := v.evaluate(v.Report, ownRows, "")
	return &view{Title: "The tree", name: "drawing-of-tree", data: v.Report}, err
}

// evaluate adds to a page how good the model is on some rows: on unseenRows, ownRows or a table. Rows of a table that is not
// the one any more that the model was learned from are those of another table.
func (v *runView) evaluate(page *html.Page, on, by string) error {
	name, weight := v.Asked.Table, v.Asked.Get("weight")
	hash, _ := dataset.HashOf(v.path(tablesFolder, name)) // none where the table is gone, which reading it says
	own := hash == page.Frame.Data.Hash
	var numbers []int64
	switch on {
	case "", unseenRows:
		m, err := v.run.files.Model(unseenModel)
		if err == nil && own {
			err = v.run.files.ReadJSON(unseenNumbers, &numbers)
		}
		if err == nil && own {
			page.Instead(m.Model)
		} else if on == unseenRows {
			return cmp.Or(err, errNothing)
		}
	case ownRows:
	default:
		name, own = on, on == name && own
	}
	rows, err := v.site.rows(name, &v.Asked)
	if err != nil {
		return err
	}
	defer rows.Close()
	if numbers != nil {
		name, rows, own = "rows kept back", only(rows, numbers), false
	}
	_, err = page.Judge(name, rows, predict.Options{By: by, Weight: weight}, own)
	return err
}

// fileView is a file that can be taken away.
type fileView struct {
	Name, At, What string
	write          func(io.Writer) error
}

// Files are those of a run that has ended.
func (v *runView) Files() []fileView {
	kept := func(file string) func(io.Writer) error {
		return func(w io.Writer) error {
			f, err := v.run.files.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		}
	}
	list := []fileView{{"Report", "report.html", "one page without script, to send or print", v.writeReport},
		{"Model", "model.json", "for predict, evaluate and explain", v.m.Encode}}
	if v.End.Proved {
		list = append(list, fileView{"Proof", "model.proof", "for verify, on any machine", kept(runs.ProofFile)})
	}
	codes := [][3]string{{"SQL", "sql", "sql"}, {"Python", "py", "python"}, {"C", "c", "c"}, {"JavaScript", "js", "javascript"}}
	for _, code := range codes {
		list = append(list, fileView{code[0], "model." + code[1], "predicts without this program",
			func(w io.Writer) error { return export.Write(w, v.m.Model, code[2]) }})
	}
	return append(list, fileView{"Figures", "result.json", "all that the search tells", kept("result.json")})
}

// writeReport writes the report of a run.
func (v *runView) writeReport(w io.Writer) error {
	page := v.Report
	page.RowsAt, page.Made, page.Wish, page.Chance = "", v.Asked.Made.Format("2006-01-02"), v.Wish(), v.Luck()
	if err := v.evaluate(page, "", v.Asked.Get("by")); err != nil {
		return err
	}
	return page.Write(w)
}

// filePage gives a file of a run.
func filePage(v *runView, r *http.Request) (*view, error) {
	if v.End == nil {
		return nil, errNothing
	}
	for _, f := range v.Files() {
		if name := r.PathValue("file"); f.At == name {
			return &view{Title: safeName(v.Asked.Table) + "-" + name, write: f.write}, nil
		}
	}
	return nil, errNothing
}
