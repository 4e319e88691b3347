package serve

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report/html"
)

//go:embed static/*.js static/*.css
var static embed.FS

// handler routes requests.
func (s *site) handler() http.Handler {
	m := http.NewServeMux()
	m.Handle("GET /static/{file}", http.FileServerFS(static))
	m.HandleFunc("GET /static/report.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, html.Style())
	})
	m.HandleFunc("POST /tables", s.show(s.o.Upload+formBytes, s.takeTables))
	m.HandleFunc("POST /tables/{table}/model", s.show(s.o.Upload+formBytes, s.takeModel))
	for at, page := range map[string]page{
		"GET /{$}": s.home, "POST /example": s.example, "POST /runs": s.start, "POST /removed/{run}": s.bringBack,
		"/":                   func(*http.Request) (*view, error) { return nil, errNothing },
		"GET /tables/{table}": s.tablePage, "GET /tables/{table}/columns": s.columnsPage, "POST /tables/{table}/remove": s.removeTable,
	} {
		m.HandleFunc(at, s.show(formBytes, page))
	}
	for at, page := range map[string]func(*runView, *http.Request) (*view, error){
		"GET /runs/{run}": runPage, "GET /runs/{run}/live": livePage, "GET /runs/{run}/part": partPage,
		"GET /runs/{run}/models/{model}": onePage, "POST /runs/{run}/stop": stopRun,
		"POST /runs/{run}/resume": resumeRun, "POST /runs/{run}/remove": removeRun,
	} {
		m.HandleFunc(at, s.show(formBytes, s.ofRun(page, false)))
	}
	for at, page := range map[string]func(*runView, *http.Request) (*view, error){
		"GET /runs/{run}/rows": rowsPage, "GET /runs/{run}/person": personPage, "GET /runs/{run}/files/{file}": filePage,
		"GET /runs/{run}/evaluation": evaluationPage, "GET /runs/{run}/tree": treePage, "GET /runs/{run}/compare": comparePage,
		"POST /runs/{run}/chance": chanceRun, "POST /runs/{run}/verify": verifyRun,
	} {
		m.HandleFunc(at, s.show(formBytes, s.ofRun(page, true)))
	}
	return m
}

// ofRun makes a page of the run of an address. Where it is about the model, there must be one.
func (s *site) ofRun(make func(*runView, *http.Request) (*view, error), model bool) page {
	return func(r *http.Request) (*view, error) {
		run := s.find(r.PathValue("run"))
		if run == nil {
			return nil, errNothing
		}
		v := s.view(run)
		if model && (v.read() != nil || v.m == nil) {
			return nil, errNothing
		}
		shown, err := make(v, r)
		if shown != nil && shown.Path == nil {
			shown.Path = v.above()
		}
		return shown, err
	}
}

//go:embed templates/*.html
var templateFiles embed.FS

// templates are those of the pages and, as in a report, of the model. The package of
// templates escapes each text by where it stands. Other commands need not parse them.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(html.Templates().Funcs(template.FuncMap{
		"size": wording.Size, "count": wording.Count, "share": wording.Percentage, "conjunction": model.Conjunction,
		"after": func(i int) int { return i + 1 },
		"dict":  dict, "capital": wording.Capital,
		"deref": func(v *float64) float64 { return *v },
		"day":   func(t time.Time) string { return t.Local().Format("2 Jan 2006, 15:04") },
		"has":   func(list []string, text string) bool { return slices.Contains(list, text) },
		"at":    url.PathEscape, "joined": func(list []string) string { return strings.Join(list, ", ") },
	}).ParseFS(templateFiles, "templates/*.html"))
})

// dict is a map for a template within another: names and values in turn.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// view is what a page shows: a template with its data. Or another page takes its place, or it is a file to take away.
type view struct {
	Title string
	Path  []step // from home to here
	Part  bool   // it is a part of a page, alone, without a heading
	name  string
	data  any
	Body  template.HTML // what the template made: its texts are escaped
	goTo  string
	write func(io.Writer) error // of the file whose name is Title
}

// step is a page above another.
type step struct{ Text, At string }

// lead returns the view that leads to an address.
func lead(to string, err error) (*view, error) { return &view{goTo: to}, err }

// page answers a request: with a view, or with what is wrong. No view means that the page has it already.
type page func(*http.Request) (*view, error)

// show answers with a page of a form of at most so many bytes.
func (s *site) show(most int64, make page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		r.Body = http.MaxBytesReader(w, &patient{r.Body, c}, most)
		v, err := (*view)(nil), errTooLarge
		if r.ContentLength <= most {
			err = r.ParseForm() // a form with files is left for the page
		}
		if err == nil {
			v, err = make(r)
		}
		_ = c.SetWriteDeadline(time.Now().Add(answerTime)) // none where a test has no connection
		s.answer(w, r, v, err)
	}
}

// patient reads from a client as long as something comes every now and then.
type patient struct {
	io.ReadCloser
	c *http.ResponseController
}

func (p *patient) Read(b []byte) (int, error) {
	_ = p.c.SetReadDeadline(time.Now().Add(formTime))
	return p.ReadCloser.Read(b)
}

// answer answers with a view, or says what is wrong: beside the form where a script sent it, on a page of its own otherwise.
func (s *site) answer(w http.ResponseWriter, r *http.Request, v *view, err error) {
	scripted, status := r.Header.Get("HX-Request") != "", http.StatusOK
	if err == nil && v != nil && v.write != nil {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": v.Title}))
		if err = v.write(w); err == nil { // of a client that went away nobody is told
			return
		}
		w.Header().Del("Content-Disposition")
	}
	switch {
	case err != nil:
		status, v = s.failure(w, err)
		if scripted {
			status, v.name = http.StatusOK, "refused" // so that the script shows it
		}
	case v == nil: // the page has it
		w.WriteHeader(http.StatusNoContent)
		return
	case v.goTo != "" && scripted:
		w.Header().Set("HX-Redirect", v.goTo)
		w.WriteHeader(http.StatusNoContent)
		return
	case v.goTo != "":
		http.Redirect(w, r, v.goTo, http.StatusSeeOther)
		return
	}
	var b bytes.Buffer
	err = templates().ExecuteTemplate(&b, v.name, v.data)
	if err == nil && !scripted {
		v.Body, v.Part = template.HTML(b.String()), !strings.Contains(b.String(), "<h1>")
		b.Reset()
		err = templates().ExecuteTemplate(&b, "layout", v)
	}
	if err != nil {
		http.Error(w, "This page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// failure says what is wrong.
func (s *site) failure(w http.ResponseWriter, err error) (status int, v *view) {
	status = http.StatusBadRequest
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, errNothing) || errors.Is(err, fs.ErrNotExist):
		status, err = http.StatusNotFound, errNothing
	case errors.As(err, &large) || errors.Is(err, errTooLarge):
		w.Header().Set("Connection", "close") // what is left is not read
		status, err = http.StatusRequestEntityTooLarge, fmt.Errorf("a table may have at most %s. Start the server with a larger "+
			"limit, or copy the table into the folder of tables", wording.Size(s.o.Upload))
	}
	return status, &view{Title: "This did not work", name: "failure", data: s.said(err)}
}
