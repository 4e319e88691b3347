package serve

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"

	"parcorels/family"
	runs "parcorels/run"
)

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
