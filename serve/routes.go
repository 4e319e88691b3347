package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"html/template"
	"io/fs"
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
		"size": wording.Size, "count": wording.Count, "share": wording.Percentage, "short": wording.Short,
		"words": func(name string) string { return strings.ReplaceAll(name, "-", " ") }, "conjunction": model.Conjunction,
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
	m.HandleFunc("GET /{$}", s.page(s.home))
	m.HandleFunc("GET /static/{file}", s.asset)
	m.HandleFunc("POST /tables", s.upload(s.takeTables))
	m.HandleFunc("POST /example", s.action(s.example))
	m.HandleFunc("GET /tables/{table}", s.page(s.tablePage))
	m.HandleFunc("GET /tables/{table}/columns", s.page(s.columnsPage))
	m.HandleFunc("POST /tables/{table}/remove", s.action(s.removeTable))
	m.HandleFunc("POST /tables/{table}/model", s.upload(s.takeModel))
	m.HandleFunc("POST /runs", s.action(s.start))
	m.HandleFunc("GET /runs/{run}", s.page(ofRun(s, s.runPage)))
	m.HandleFunc("GET /runs/{run}/live", s.page(ofRun(s, s.livePage)))
	m.HandleFunc("GET /runs/{run}/part", s.page(ofRun(s, s.partPage)))
	m.HandleFunc("GET /runs/{run}/models/{model}", s.page(ofRun(s, s.onePage)))
	m.HandleFunc("GET /runs/{run}/differ", s.page(ofRun(s, s.differPage)))
	m.HandleFunc("GET /runs/{run}/files/{file}", s.download)
	for at, page := range map[string]func(*run, *family.Model, *http.Request) (*view, error){
		"GET /runs/{run}/rows": s.rowsPage, "GET /runs/{run}/person": s.personPage,
		"GET /runs/{run}/evaluation": s.evaluationPage, "GET /runs/{run}/compare": s.comparePage, "POST /runs/{run}/chance": s.chanceRun,
		"GET /runs/{run}/verify": s.verifyPage, "POST /runs/{run}/verify": s.verifyRun,
	} {
		m.HandleFunc(at, s.page(ofModel(s, page)))
	}
	for name, do := range map[string]func(*run, *http.Request) (string, error){"stop": s.stopRun, "resume": s.resumeRun,
		"remove": s.removeRun, "wish": s.wishRun, "simpler": s.simplerRun} {
		m.HandleFunc("POST /runs/{run}/"+name, s.action(ofRun(s, do)))
	}
	m.HandleFunc("/", s.page(func(*http.Request) (*view, error) { return nil, errNothing }))
	return m
}

// ofRun calls do with the run of an address.
func ofRun[T any](s *Server, do func(*run, *http.Request) (T, error)) func(*http.Request) (T, error) {
	return func(r *http.Request) (none T, err error) {
		run := s.queue.find(r.PathValue("run"))
		if run == nil {
			return none, errNothing
		}
		return do(run, r)
	}
}

// ofModel calls page with the model of the run of an address.
func ofModel(s *Server, page func(*run, *family.Model, *http.Request) (*view, error)) func(*http.Request) (*view, error) {
	return ofRun(s, func(run *run, r *http.Request) (*view, error) {
		m, err := run.result()
		if err != nil {
			return nil, errNothing
		}
		v, err := page(run, m, r)
		if err == nil {
			v.Path = above(run.Asked.Table, run.ID)
		}
		return v, err
	})
}

// view is what a page shows: a template with its data.
type view struct {
	Title string
	Path  []step // from home to here
	Part  bool   // it is a part of a page, alone
	name  string
	data  any
	goTo  string        // another page takes its place
	Body  template.HTML // what the template made: its texts are escaped
}

// partial are the templates of parts of a page, which have no heading of their own.
var partial = []string{"columns", "rows", "person-page", "judged", "check", "compare", "luck", "one", "live", "parts"}

// step is a page above another.
type step struct{ Text, At string }

// errNothing reports an address at which there is nothing.
var errNothing = errors.New("there is nothing at this address")

// page answers with a page, or where a script asks with the part of it that it replaces. No view means that
// the page has it already.
func (s *Server) page(make func(r *http.Request) (*view, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		deadline(w, answerTime)
		switch v, err := make(r); {
		case err != nil:
			s.fail(w, r, err)
		case v == nil: // it is as it was
			w.WriteHeader(http.StatusNoContent)
		case v.goTo != "":
			s.answer(w, r, v.goTo, nil)
		default:
			s.show(w, r, http.StatusOK, v)
		}
	}
}

// show writes a page.
func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, v *view) {
	var b bytes.Buffer
	err := templates().ExecuteTemplate(&b, v.name, v.data)
	if part := r.Header.Get("HX-Request") != "" && r.Header.Get("HX-Boosted") == ""; err == nil && !part {
		v.Body, v.Part = template.HTML(b.String()), slices.Contains(partial, v.name)
		b.Reset()
		err = templates().ExecuteTemplate(&b, "layout", v)
	}
	if err != nil {
		s.refuse(w, http.StatusInternalServerError, "This page could not be made: "+err.Error())
		return
	}
	if status != http.StatusOK && r.Header.Get("HX-Request") != "" {
		status = http.StatusOK // so that the script shows it
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// fail answers with the page about an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusBadRequest
	if errors.Is(err, errNothing) || errors.Is(err, fs.ErrNotExist) {
		status, err = http.StatusNotFound, errNothing
	}
	s.complain(w, r, status, said(err))
}

// complain says what is wrong: beside the form where a script sent it, on a page of its own otherwise.
func (s *Server) complain(w http.ResponseWriter, r *http.Request, status int, text string) {
	name := "failure"
	if r.Header.Get("HX-Request") != "" {
		name = "refused"
	}
	s.show(w, r, status, &view{Title: "This did not work", name: name, data: text})
}

// action answers a form: with the address to go to, or with what is wrong.
func (s *Server) action(do func(r *http.Request) (to string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		deadline(w, answerTime)
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(formTime))
		r.Body = http.MaxBytesReader(w, r.Body, formBytes)
		if err := r.ParseForm(); err != nil {
			s.refuse(w, http.StatusRequestEntityTooLarge, "This form is too large, or none.")
			return
		}
		to, err := do(r)
		s.answer(w, r, to, err)
	}
}

// answer leads to an address, or says what is wrong.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, to string, err error) {
	switch {
	case err != nil:
		s.fail(w, r, err)
	case r.Header.Get("HX-Request") != "":
		w.Header().Set("HX-Redirect", to)
		w.WriteHeader(http.StatusNoContent)
	default:
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
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
