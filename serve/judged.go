package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
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
	_, err := overRows(v.store, name, &v.Asked, func(rows *dataset.Rows) (*predict.Summary, error) {
		if numbers != nil {
			name, rows, own = "rows kept back", only(rows, numbers), false
		}
		return page.Judge(name, rows, predict.Options{By: by, Weight: weight}, own)
	})
	return err
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

// languages are those that a model is exported to, by the ending of a file.
var languages = map[string]string{".sql": "sql", ".py": "python", ".c": "c", ".js": "javascript"}

// filePage gives a file of a run that has ended.
func filePage(v *runView, r *http.Request) (*view, error) {
	name := r.PathValue("file")
	found := &view{Title: safeName(v.Asked.Table) + "-" + name}
	switch stored := map[string]string{"model.proof": runs.ProofFile, "result.json": "result.json"}[name]; {
	case v.End == nil:
		return nil, errNothing
	case name == "report.html":
		found.write = v.writeReport
	case name == "model.json":
		found.write = v.m.Encode
	case stored != "":
		found.write = func(w io.Writer) error {
			f, err := v.run.files.Open(stored)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		}
	case languages[filepath.Ext(name)] != "" && strings.HasPrefix(name, "model."):
		found.write = func(w io.Writer) error { return export.Write(w, v.m.Model, languages[filepath.Ext(name)]) }
	default:
		return nil, errNothing
	}
	return found, nil
}

// verifyRun checks the proof of a run, one at a time and as long as somebody waits for it.
func verifyRun(v *runView, r *http.Request) (*view, error) {
	v.checking.Lock()
	defer v.checking.Unlock()
	start := time.Now()
	found, err := v.verified(r.Context())
	if err != nil {
		v.Check = check{Text: v.said(err)}
	} else {
		v.Check = check{true, fmt.Sprintf("%s. Checked %s in %s", found.Claim, found.Effort, wording.Seconds(time.Since(start)))}
	}
	if r.Context().Err() == nil {
		v.run.update(func(x *facts) { x.Check = v.Check })
	}
	return &view{Title: "The check of the proof", name: "check", data: v}, nil
}

// verified checks the proof of a run: the table is read anew, as the proof says.
func (v *runView) verified(ctx context.Context) (*family.Verification, error) {
	f, err := v.run.files.Open(runs.ProofFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return runs.Verify(ctx, f, v.m.Model, func(read family.Reading) (*family.Data, error) {
		read.Memory = v.o.Memory / 2
		return v.site.store.read(ctx, v.Asked.Table, read)
	}, family.VerifyOptions{Software: v.o.Software})
}
