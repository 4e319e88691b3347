package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
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

	"parcorels/family"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/report/html"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed static/*.js static/*.css
var staticFiles embed.FS

// templates are those of the pages and, as in a report, of the model. The package of
// templates escapes each text by where it stands. Other commands need not parse them.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(html.Templates().Funcs(template.FuncMap{
		"size": wording.Size, "count": wording.Count, "share": wording.Percentage, "conjunction": model.Conjunction,
		"after": func(i int) int { return i + 1 },
		"dict":  dict,
		"deref": func(v *float64) float64 { return *v },
		"day":   func(t time.Time) string { return t.Local().Format("2 Jan 2006, 15:04") },
		"asset": assetAt, "at": url.PathEscape, "joined": func(list []string) string { return strings.Join(list, ", ") },
	}).ParseFS(templateFiles, "templates/*.html"))
})

// assets are the static files. The style is that of the report and that of the pages.
var assets = sync.OnceValue(func() map[string][]byte {
	all := map[string][]byte{}
	for _, name := range []string{"page.css", "page.js", "htmx.min.js"} {
		all[name], _ = staticFiles.ReadFile("static/" + name) // is there, or nothing works
	}
	all["page.css"] = append([]byte(html.Style()), all["page.css"]...)
	return all
})

// assetAt is the address of a static file. It has its checksum, so browsers keep it for good.
func assetAt(name string) string {
	sum := sha256.Sum256(assets()[name])
	return "/static/" + name + "?" + hex.EncodeToString(sum[:6])
}

// handler routes requests.
func (s *Server) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /static/{file}", s.asset)
	m.HandleFunc("POST /tables", s.upload(s.takeTables))
	m.HandleFunc("POST /tables/{table}/model", s.upload(s.takeModel))
	for at, page := range map[string]page{
		"GET /{$}": s.home, "POST /example": s.example, "POST /runs": s.start,
		"/":                   func(*http.Request) (*view, error) { return nil, errNothing },
		"GET /tables/{table}": s.tablePage, "GET /tables/{table}/columns": s.columnsPage, "POST /tables/{table}/remove": s.removeTable,
	} {
		m.HandleFunc(at, s.show(page))
	}
	for at, page := range map[string]func(*run, *http.Request) (*view, error){
		"GET /runs/{run}": s.runPage, "GET /runs/{run}/live": s.livePage, "GET /runs/{run}/part": s.partPage,
		"GET /runs/{run}/models/{model}": s.onePage, "GET /runs/{run}/differ": s.differPage, "POST /runs/{run}/stop": s.stopRun,
		"POST /runs/{run}/resume": s.resumeRun, "POST /runs/{run}/remove": s.removeRun,
	} {
		m.HandleFunc(at, s.show(s.ofRun(page)))
	}
	for at, page := range map[string]func(*run, *family.Model, *http.Request) (*view, error){
		"GET /runs/{run}/rows": s.rowsPage, "GET /runs/{run}/person": s.personPage, "GET /runs/{run}/files/{file}": s.filePage,
		"GET /runs/{run}/evaluation": s.evaluationPage, "GET /runs/{run}/tree": s.treePage,
		"GET /runs/{run}/compare": s.comparePage, "POST /runs/{run}/chance": s.chanceRun,
		"GET /runs/{run}/verify": s.verifyPage, "POST /runs/{run}/verify": s.verifyRun,
	} {
		m.HandleFunc(at, s.show(s.ofRun(func(run *run, r *http.Request) (*view, error) {
			m, err := run.result()
			if err != nil {
				return nil, errNothing
			}
			v, err := page(run, m, r)
			if err == nil {
				v.Path = above(run.Asked.Table, run.ID)
			}
			return v, err
		})))
	}
	return m
}

// page answers a request: with a view, or with what is wrong. No view means that the page has it already.
type page func(*http.Request) (*view, error)

// ofRun calls do with the run of an address.
func (s *Server) ofRun(do func(*run, *http.Request) (*view, error)) page {
	return func(r *http.Request) (*view, error) {
		run := s.queue.find(r.PathValue("run"))
		if run == nil {
			return nil, errNothing
		}
		return do(run, r)
	}
}

// view is what a page shows: a template with its data. Or another page takes its place, or it is a file to take away.
type view struct {
	Title string
	Path  []step // from home to here
	Part  bool   // it is a part of a page, alone
	name  string
	data  any
	Body  template.HTML // what the template made: its texts are escaped
	goTo  string
	write func(io.Writer) error // of the file whose name is Title
}

// lead returns the view that leads to an address.
func lead(to string, err error) (*view, error) { return &view{goTo: to}, err }

// partial are the templates of parts of a page, which have no heading of their own.
var partial = []string{"columns", "rows", "person-page", "judged", "check", "compare", "luck", "one", "live", "parts", "drawing-of-tree"}

// step is a page above another.
type step struct{ Text, At string }

// errNothing reports an address at which there is nothing.
var errNothing = errors.New("there is nothing at this address")

// show answers with a page.
func (s *Server) show(make page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		deadline(w, answerTime)
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(formTime)) // none where a test has no connection
		r.Body = http.MaxBytesReader(w, r.Body, formBytes)
		if err := r.ParseForm(); err != nil {
			s.refuse(w, http.StatusRequestEntityTooLarge, "This form is too large, or none.")
			return
		}
		v, err := make(r)
		s.answer(w, r, v, err)
	}
}

// answer answers with a view, or says what is wrong.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, v *view, err error) {
	scripted := r.Header.Get("HX-Request") != ""
	switch {
	case err != nil:
		s.fail(w, r, err)
	case v == nil: // the page has it
		w.WriteHeader(http.StatusNoContent)
	case v.write != nil:
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": v.Title}))
		if err := v.write(w); err != nil { // of a client that went away nobody is told
			w.Header().Del("Content-Disposition")
			s.fail(w, r, err)
		}
	case v.goTo != "" && scripted:
		w.Header().Set("HX-Redirect", v.goTo)
		w.WriteHeader(http.StatusNoContent)
	case v.goTo != "":
		http.Redirect(w, r, v.goTo, http.StatusSeeOther)
	default:
		s.render(w, r, http.StatusOK, v)
	}
}

// render writes a page, or where a script asks the part of it that it replaces.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, v *view) {
	scripted := r.Header.Get("HX-Request") != ""
	var b bytes.Buffer
	err := templates().ExecuteTemplate(&b, v.name, v.data)
	if err == nil && !scripted {
		v.Body, v.Part = template.HTML(b.String()), slices.Contains(partial, v.name)
		b.Reset()
		err = templates().ExecuteTemplate(&b, "layout", v)
	}
	if err != nil {
		s.refuse(w, http.StatusInternalServerError, "This page could not be made: "+err.Error())
		return
	}
	if scripted {
		status = http.StatusOK // so that the script shows it
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// fail says what is wrong: beside the form where a script sent it, on a page of its own otherwise.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, name := http.StatusBadRequest, "failure"
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, errNothing) || errors.Is(err, fs.ErrNotExist):
		status, err = http.StatusNotFound, errNothing
	case errors.As(err, &large) || errors.Is(err, errTooLarge):
		w.Header().Set("Connection", "close") // what is left is not read
		status, err = http.StatusRequestEntityTooLarge, fmt.Errorf("a table may have at most %s. Start the server with a larger "+
			"limit, or copy the table into the folder of tables", wording.Size(s.o.Upload))
	}
	if r.Header.Get("HX-Request") != "" {
		name = "refused"
	}
	s.render(w, r, status, &view{Title: "This did not work", name: name, data: s.said(err)})
}

// deadline gives an answer so long to be taken.
func deadline(w http.ResponseWriter, d time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(d)) // none where a test has no connection
}

// asset answers with a static file.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	text, ok := assets()[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	deadline(w, time.Minute)
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// dict is a map for a template within another: names and values in turn.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}
