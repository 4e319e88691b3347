package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// takeTables keeps the files of a form as they come, and leads to the last table.
func (s *site) takeTables(r *http.Request) (*view, error) {
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
func (s *site) takeModel(r *http.Request) (*view, error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	file, header, err := r.FormFile("model")
	if errors.Is(err, http.ErrMissingFile) {
		err = errors.New("no model was chosen: it is the file that fit -o writes")
	}
	if err != nil {
		return nil, err
	}
	m, err := family.Decode(io.LimitReader(file, mostModel), header.Filename)
	if err != nil {
		return nil, err
	}
	q, result := fromModel(f.Name, m), m.Report()
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
