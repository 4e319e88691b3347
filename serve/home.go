package serve

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"

	"parcorels/examples"
)

// runsShown is how many runs the first page lists; those of a table are on its page.
const runsShown = 100

// home is the page of tables and runs.
func (s *site) home(*http.Request) (*view, error) {
	var data struct {
		Tables []file
		Runs   []*runView
		Active bool
		Most   int64
	}
	data.Most, data.Tables = s.o.Upload, s.tables()
	data.Runs = s.views(func(v *runView) bool {
		data.Active = data.Active || v.Running()
		return true
	})
	data.Runs = data.Runs[:min(len(data.Runs), runsShown)]
	return &view{Title: "Tables and runs", name: "home", data: data}, nil
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
