package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parcorels/answer"
	"parcorels/ask/chance"
	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
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
// its own table, or on another one; by groups if a column is named. Name is that of the template: the
// drawing of a tree has the same rows.
func evaluationPage(name string) func(*runView, *http.Request) (*view, error) {
	return func(v *runView, r *http.Request) (*view, error) {
		err := v.evaluate(v.Report, r.URL.Query().Get("on"), r.URL.Query().Get("by"))
		return &view{Title: "How good it is", name: name, data: v.Report}, err
	}
}

// evaluate adds to a page how good the model is on some rows: on unseenRows, ownRows or a table. Rows of a table that is not
// the one any more that the model was learned from are those of another table.
func (v *runView) evaluate(page *html.Page, on, by string) error {
	name, weight := v.Asked.Table, v.Asked.Get("weight")
	hash, _ := dataset.HashOf(v.path(tablesFolder, name)) // none where the table is gone, which reading it says
	own := hash == page.Frame.Data.Hash
	var numbers []int64
	if on == "" || on == unseenRows {
		m, err := v.run.files.Model(unseenModel)
		if err == nil && own {
			err = v.run.files.ReadJSON(unseenNumbers, &numbers)
		}
		if err == nil && own {
			page.Instead(m.Model)
		} else if on == unseenRows {
			return errNothing
		}
	} else if on != ownRows {
		name, own = on, on == name && own
	}
	_, err := ofRows(v.store, name, &v.Asked, func(rows *dataset.Rows) (*predict.Summary, error) {
		if numbers != nil {
			name, rows, own = "rows kept back", rows.Only(numbers), false
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

// alone is what the page says of a model in a language.
const alone = "predicts without this program"

// downloads are the files to take away, with what the page says of them.
var downloads = []struct {
	Name, Text, What string
	write            func(*runView, io.Writer) error
}{
	{"report.html", "Report", "one page without script, to send or print", (*runView).writeReport},
	{"model.json", "Model", "to open it here, or to judge other rows", func(v *runView, w io.Writer) error { return v.m.Encode(w) }},
	{"model.proof", "Proof", "to check it on any machine", stored(runs.ProofFile)},
	{"model.sql", "SQL", alone, in("sql")},
	{"model.py", "Python", alone, in("python")},
	{"model.c", "C", alone, in("c")},
	{"model.js", "JavaScript", alone, in("javascript")},
	{"result.json", "Figures", "all that the search tells", stored("result.json")},
}

// in writes the model in a language.
func in(language string) func(*runView, io.Writer) error {
	return func(v *runView, w io.Writer) error { return export.Write(w, v.m.Model, language) }
}

// stored writes a file of the folder.
func stored(name string) func(*runView, io.Writer) error {
	return func(v *runView, w io.Writer) error {
		text, err := v.run.files.Open(name)
		if err == nil {
			defer text.Close()
			_, err = io.Copy(w, text)
		}
		return err
	}
}

// filePage gives a file of a run that has ended.
func filePage(v *runView, r *http.Request) (*view, error) {
	for _, d := range downloads {
		if v.End != nil && d.Name == r.PathValue("file") {
			return &view{Title: safeName(v.Asked.Table) + "-" + d.Name, write: func(w io.Writer) error { return d.write(v, w) }}, nil
		}
	}
	return nil, errNothing
}

// verifyRun checks the proof of a run, one at a time and as long as somebody waits for it. The table is read anew, as
// the proof says.
func verifyRun(v *runView, r *http.Request) (*view, error) {
	v.checking.Lock()
	defer v.checking.Unlock()
	start := time.Now()
	var found *family.Verification
	f, err := v.run.files.Open(runs.ProofFile)
	if err == nil {
		defer f.Close()
		found, err = runs.Verify(r.Context(), f, v.m.Model, func(read family.Reading) (*family.Data, error) {
			read.Memory = v.o.Memory / 2
			return v.store.read(r.Context(), v.Asked.Table, read)
		}, family.VerifyOptions{Software: v.o.Software})
	}
	if v.Verified = err == nil; v.Verified {
		v.Check = fmt.Sprintf("%s. Checked %s in %s", found.Claim, found.Effort, wording.Seconds(time.Since(start)))
	} else {
		v.Check = v.said(err)
	}
	if r.Context().Err() == nil {
		v.run.update(func(x *facts) { x.Check, x.Verified = v.Check, v.Verified })
	}
	return &view{Title: "The check of the proof", name: "check", data: v}, nil
}

// What a model says of rows: those that a rule decides, those where two models differ, one row or person.

// rowsPage shows the rows that a rule decides.
func rowsPage(v *runView, r *http.Request) (*view, error) {
	at, err := strconv.Atoi(r.URL.Query().Get("case"))
	from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
	if err != nil || at < 0 || at >= len(v.m.Cases()) {
		return nil, errNothing
	}
	found, err := ofRows(v.store, v.Asked.Table, &v.Asked, func(rows *dataset.Rows) (*answer.Rows, error) {
		return answer.Decided(v.m.Model, rows, at, from)
	})
	data := dict("Rows", found, "At", v.At(), "Of", at)
	return &view{Title: "Rows of " + v.Report.Certificate().Part + " " + fmt.Sprint(at+1), name: "rows", data: data}, err
}

// differ returns the rows that two models predict differently.
func (v *runView) differ(two [2]*family.Model, names [2]string) (*answer.Rows, error) {
	return ofRows(v.store, v.Asked.Table, &v.Asked, func(rows *dataset.Rows) (*answer.Rows, error) {
		return answer.Differing([2]model.Model{two[0].Model, two[1].Model}, names, rows)
	})
}

// sideWidth is how many columns of text a model has beside another.
const sideWidth = 52

// Text is the model as text.
func (v *runView) Text() string { return v.m.Text(sideWidth) }

// comparePage shows a model beside that of another run, and the rows whose answer differs.
func comparePage(v *runView, r *http.Request) (*view, error) {
	with := v.find(r.URL.Query().Get("with"))
	if with == nil {
		return nil, errNothing
	}
	other := v.Server.view(with)
	if other.Asked.Table != v.Asked.Table || other.read() != nil || other.m == nil {
		return nil, errNothing
	}
	names := [2]string{"the other", "this one"}
	if other.ID == v.Began() {
		names = [2]string{"before your wish", "with your wish"}
	}
	rows, err := v.differ([2]*family.Model{other.m, v.m}, names)
	data := dict("Sides", []*runView{other, v}, "Names", names[:], "Rows", rows)
	return &view{Title: "Two models side by side", name: "compare", data: data}, err
}

// personPage says what the model says of one person: of the fields of a form, or of a row.
func personPage(v *runView, r *http.Request) (_ *view, err error) {
	form := r.URL.Query()
	values, row := map[string]string{}, form.Get("row")
	if row != "" {
		values, err = ofRows(v.store, v.Asked.Table, &v.Asked, func(rows *dataset.Rows) (map[string]string, error) {
			return answer.ValuesOf(v.m.Model, rows, row)
		})
	} else {
		for i, c := range v.m.About().Columns {
			values[c.Name] = strings.TrimSpace(form.Get("c" + strconv.Itoa(i)))
		}
	}
	p, wrong := answer.PersonOf(v.m.Model, values), ""
	if err == nil {
		err = p.Ask(v.m.Model)
	}
	if err != nil {
		wrong = v.said(err)
	}
	return &view{Title: "One person", name: "person-page", data: dict("Person", p, "At", v.At(), "Row", row, "Error", wrong)}, nil
}

// chanceRun asks how often a model of shuffled answers is as good, for a limited time, and keeps what it finds.
func chanceRun(v *runView, ask *http.Request) (*view, error) {
	_, read, o, err := v.resolved(&v.Asked)
	if err != nil {
		return nil, err
	}
	read.KeepColumns, o.Time = true, longestJudging // numbers are cut anew for other answers
	limited, cancel := context.WithTimeout(ask.Context(), o.Time)
	defer cancel()
	d, err := v.store.read(limited, v.Asked.Table, read)
	if err != nil {
		return nil, err
	}
	p, err := mined(limited, d, read, &o)
	if err != nil {
		return nil, err
	}
	o.Time = 0
	found, err := chance.Ask(limited, p, chance.Options{Options: o, Shuffles: chance.Usual, Seed: 1, Model: v.m})
	if err != nil {
		return nil, err
	}
	v.run.update(func(x *facts) {
		if x.End != nil {
			e := *x.End
			e.Chance = &found
			x.End, v.End = &e, &e
			err = v.run.files.WriteJSON("result.json", x.End)
		}
	})
	return &view{Title: "Could it be luck?", name: "luck", data: v.Luck()}, err
}
