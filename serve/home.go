package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"slices"

	"parcorels/examples"
	"parcorels/family"
	runs "parcorels/run"
)

// runsShown is how many runs the first page lists; those of a table are on its page.
const runsShown = 100

// home is the page of tables and runs.
func (s *site) home(*http.Request) (*view, error) {
	var gone []*runView
	s.removed.Range(func(_ string, r *run) bool { gone = append(gone, s.view(r)); return true })
	list := s.views(func(*runView) bool { return true })
	active := slices.ContainsFunc(list, func(v *runView) bool { return v.Running() })
	return &view{Title: "Tables and runs", name: "home", data: dict("Tables", s.tables(), "Runs", list[:min(len(list), runsShown)],
		"Gone", gone, "Active", active, "Most", s.o.Upload)}, nil
}

// example adds a table to begin with.
func (s *site) example(*http.Request) (*view, error) {
	table, err := examples.Table("compas-like")
	if err != nil {
		return nil, err
	}
	name, err := s.add("example.csv", bytes.NewReader(table))
	return lead("/tables/"+name, err)
}

// takeTables keeps the files of a form, and leads to the last table.
func (s *site) takeTables(r *http.Request) (*view, error) {
	to := ""
	err := files(r, func(file *multipart.Part) error {
		name, err := s.add(file.FileName(), file)
		to = "/tables/" + url.PathEscape(name)
		return err
	})
	if err == nil && to == "" {
		err = errors.New("no table was chosen")
	}
	return lead(to, err)
}

// files calls do with the files of a form as they come, until one fails.
func files(r *http.Request, do func(file *multipart.Part) error) error {
	form, err := r.MultipartReader()
	if err != nil {
		return errors.New("no file was sent")
	}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return nil
		}
		if err == nil && part.FileName() != "" {
			err = do(part)
		}
		if err != nil {
			return err
		}
	}
}

// A model that somebody else learned is opened beside the table that it is said to be learned from, with its proof. It is a
// run that nobody searched: nothing that the file says of itself counts until its proof is checked.

// mostModel bounds the file of a model.
const mostModel = 64 << 20

// takeModel takes a model, and a proof if there is one, as a browser sends them.
func (s *site) takeModel(r *http.Request) (_ *view, err error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	opened, err := s.made(question{Table: f.Name, Opened: true})
	if err != nil {
		return nil, err
	}
	x, kept := &opened.facts, opened.files
	defer func() {
		if err != nil {
			_ = os.RemoveAll(kept.Path)
		}
	}()
	var m *family.Model
	e := &ended{}
	if err := files(r, func(file *multipart.Part) (err error) {
		switch file.FormName() {
		case "model":
			m, err = family.Decode(io.LimitReader(file, mostModel), file.FileName())
		case "proof":
			e.Proved = true
			err = kept.Put(runs.ProofFile, func(w io.Writer) error { _, err := io.Copy(w, file); return err })
		}
		return err
	}); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("no model was chosen: it is the file that fit -o writes")
	}
	result := m.Report()
	e.Result = &result
	x.Asked.Form = fromModel(f.Name, m).Form
	if err := errors.Join(kept.Put("model.json", m.Encode), kept.WriteJSON("run.json", x.Asked),
		kept.WriteJSON("result.json", e)); err != nil {
		return nil, fmt.Errorf("the model could not be kept: %w", err)
	}
	x.finish(e)
	s.runs.Store(x.ID, opened)
	return lead(x.At(), nil)
}
