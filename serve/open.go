package serve

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"parcorels/family"
	"parcorels/model"
	runs "parcorels/run"
)

// A model that somebody else learned is opened beside the table that it is said to be learned from, with its proof. It is a
// run that nobody searched: nothing that the file says of itself counts until its proof is checked.

// mostModel bounds the file of a model.
const mostModel = 64 << 20

// takeModel takes a model, and a proof if there is one, as a browser sends them.
func (s *Server) takeModel(files *parts, r *http.Request) (v *view, err error) {
	f, err := s.table(r.PathValue("table"))
	if err != nil {
		return nil, err
	}
	opened, err := s.queue.folder(question{Table: f.Name, Opened: true})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(opened.files.Path)
		}
	}()
	var m *family.Model
	e := &ended{}
	if err := files.each(func(file *multipart.Part, from io.Reader) (err error) {
		switch file.FormName() {
		case "model":
			m, err = family.Decode(io.LimitReader(from, mostModel), file.FileName())
		case "proof":
			e.Proved = true
			err = opened.files.Put(runs.ProofFile, func(w io.Writer) error { _, err := io.Copy(w, from); return err })
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
	opened.Asked.Options = asked(m)
	if err := errors.Join(opened.files.Put("model.json", m.Encode), opened.files.WriteJSON("run.json", opened.Asked),
		opened.files.WriteJSON("result.json", e)); err != nil {
		return nil, fmt.Errorf("the model could not be kept: %w", err)
	}
	opened.finish(e)
	s.queue.runs.Store(opened.ID, opened)
	return lead("/runs/"+opened.ID, nil)
}

// asked are the options that a model says it was learned with, of those that a form has, and its target.
func asked(m *family.Model) (list []model.Option) {
	target := false
	for _, o := range m.About().Options {
		if labels()[o.Name].text != "" { // as in a form: a client names no files of this machine
			target = target || o.Name == "target"
			list = append(list, o)
		}
	}
	if !target && m.About().Target != "" {
		list = append(list, model.Option{Name: "target", Value: m.About().Target})
	}
	return list
}

// folder makes a run with a folder of its own.
func (q *queue) folder(a question) (*run, error) {
	now := time.Now().UTC()
	a.Made = now.Truncate(time.Second)
	r := q.s.newRun(facts{Asked: a, State: queued, ID: now.Format("20060102-150405.000000-") + newToken()[:6]}) // in the order of asking
	return r, os.Mkdir(r.files.Path, 0o777)
}
