package serve

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"parcorels/examples"
	"path/filepath"
	"time"
)

// upload answers a form with files, which go straight to the disk.
func (s *Server) upload(take func(parts *parts, r *http.Request) (*view, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, s.o.Upload+formBytes)
		v, err := (*view)(nil), errTooLarge
		if r.ContentLength <= s.o.Upload+formBytes {
			var in *multipart.Reader
			if in, err = r.MultipartReader(); err != nil {
				err = errors.New("no file was sent")
			} else {
				v, err = take(&parts{in, http.NewResponseController(w)}, r)
			}
		}
		deadline(w, formTime)
		s.answer(w, r, v, err)
	}
}

// example adds a table to begin with.
func (s *Server) example(*http.Request) (*view, error) {
	table, err := examples.Table("compas-like")
	if err != nil {
		return nil, err
	}
	name, err := s.add("example.csv", bytes.NewReader(table))
	return lead("/tables/"+name, err)
}

// takeTables keeps the files of a form, and leads to the last table.
func (s *Server) takeTables(files *parts, _ *http.Request) (*view, error) {
	to := ""
	err := files.each(func(file *multipart.Part, from io.Reader) error {
		name, err := s.add(file.FileName(), from)
		if err == nil && (filepath.Ext(name) != ".label" || to == "") {
			to = "/tables/" + url.PathEscape(name)
		}
		return err
	})
	if err == nil && to == "" {
		err = errors.New("no table was chosen")
	}
	return lead(to, err)
}

// parts are those of a form with files.
type parts struct {
	*multipart.Reader
	c *http.ResponseController
}

// each calls do with the files that were chosen, until one fails.
func (p *parts) each(do func(file *multipart.Part, from io.Reader) error) error {
	for {
		part, err := p.NextPart()
		if err == io.EOF {
			return nil
		}
		if err == nil && part.FileName() != "" {
			err = do(part, &patient{part, p.c})
		}
		if err != nil {
			return err
		}
	}
}

// patient reads from a client as long as something comes every now and then.
type patient struct {
	io.Reader
	c *http.ResponseController
}

func (p *patient) Read(b []byte) (int, error) {
	_ = p.c.SetReadDeadline(time.Now().Add(formTime))
	return p.Reader.Read(b)
}
