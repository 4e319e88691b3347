package serve

import (
	"embed"
	"io"
	"net/http"

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
