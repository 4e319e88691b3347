package serve

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/puzpuzpuz/xsync/v3"
	"golang.org/x/net/netutil"

	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
	"parcorels/report/html"
)

// ErrBusy reports a folder that another server has.
var ErrBusy = errors.New("another parcorels serve has this folder")

// New opens the folder and finds its tables and runs. Those that had not ended are searched
// as soon as Serve is called. Close the server after use.
func New(o Options) (*Server, error) {
	o.AtOnce, o.Upload = max(o.AtOnce, 1), cmp.Or(o.Upload, 1<<30)
	o.every, o.turn = cmp.Or(o.every, saveEvery), cmp.Or(o.turn, turn)
	if o.write == nil {
		o.write = atomicfile.Write
	}
	for _, folder := range []string{tablesFolder, runsFolder, sessionsFolder} {
		if err := os.MkdirAll(filepath.Join(o.Folder, folder), 0o700); err != nil {
			return nil, err
		}
	}
	lock, err := filelock.Take(filepath.Join(o.Folder, "serve"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Folder, ErrBusy)
	}
	root, err := os.OpenRoot(o.Folder)
	if err != nil {
		lock.Release()
		return nil, err
	}
	s := &Server{store: &store{o, root}, lock: lock, runs: xsync.NewMapOf[string, *run](), removed: xsync.NewMapOf[string, *run]()}
	err = errors.Join(root.RemoveAll(removedFolder), root.Mkdir(removedFolder, 0o700), s.guard.open(root))
	entries, unread := os.ReadDir(s.path(runsFolder))
	for _, e := range entries {
		if r, err := s.load(e.Name()); err == nil { // one without run.json was never asked for
			s.runs.Store(e.Name(), r)
		}
	}
	if err = errors.Join(err, unread); err != nil {
		s.Close()
	}
	return s, err
}

// Close gives the folder back.
func (s *Server) Close() {
	_ = s.root.Close()
	s.lock.Release()
}

// Address is where a browser begins, at a path of the server: it has the token of who is to be let in. The system of a Mac,
// which Safari asks, does not know the name.
func (s *Server) Address(l net.Listener, path string) string {
	at := s.guard.at(l)[0]
	if runtime.GOOS == "darwin" {
		at = l.Addr().String()
	}
	return "http://" + at + path + "?token=" + s.guard.token
}

// Redirect writes a file that leads a browser to an address, and returns its path. The file is for this user alone. An
// address would be seen by all in the list of processes, with its token.
func (s *Server) Redirect(address string) (string, error) {
	const name = "open.html"
	text := `<!DOCTYPE html><meta charset="utf-8"/><meta http-equiv="refresh" content="0;url=` + template.HTMLEscapeString(address) + `"/>`
	_ = s.root.Remove(name) // an older one may have other rights
	if err := s.root.WriteFile(name, []byte(text), 0o600); err != nil {
		return "", err
	}
	return filepath.Abs(s.path(name))
}

// Serve answers requests and runs the queue until ctx ends. Searches that run then are saved,
// as far as their family can be, and go on at the next start.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	s.guard.hosts = s.guard.at(l)
	inside, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler: s.guard.before(s.handler()), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		ErrorLog: log.New(io.Discard, "", 0), BaseContext: func(net.Listener) context.Context { return inside },
	}
	var working sync.WaitGroup
	working.Go(func() { s.work(inside) })
	context.AfterFunc(inside, func() { _ = server.Close() })
	err := server.Serve(netutil.LimitListener(l, mostConnections))
	cancel()
	working.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

//go:embed static/*.js static/*.css
var static embed.FS

// handler routes requests.
func (s *Server) handler() http.Handler {
	m := http.NewServeMux()
	m.Handle("GET /static/{file}", http.FileServerFS(static))
	m.HandleFunc("GET /static/report.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, html.Style())
	})
	m.HandleFunc("POST /tables", s.show(s.o.Upload+formBytes, s.takeTables))
	m.HandleFunc("POST /tables/{table}/model", s.show(s.o.Upload+formBytes, s.takeModel))
	of, about := s.ofRun(false), s.ofRun(true)
	for at, page := range map[string]page{
		"GET /{$}": s.homePage, "POST /example": s.example, "POST /runs": s.start, "POST /removed/{run}": s.bringBack,
		"/":                   func(*http.Request) (*view, error) { return nil, errNothing },
		"GET /tables/{table}": s.tablePage("table"), "GET /tables/{table}/columns": s.tablePage("columns"),
		"POST /tables/{table}/remove": s.removeTable, "GET /runs/{run}": of(runPage), "GET /runs/{run}/live": of(livePage),
		"GET /runs/{run}/models/{model}": of(onePage), "POST /runs/{run}/stop": of(stopRun), "POST /runs/{run}/resume": of(resumeRun),
		"POST /runs/{run}/remove": of(removeRun), "GET /runs/{run}/rows": about(rowsPage), "GET /runs/{run}/person": about(personPage),
		"GET /runs/{run}/files/{file}": about(filePage), "GET /runs/{run}/evaluation": about(evaluationPage("judged")),
		"GET /runs/{run}/tree": about(evaluationPage("drawing-of-tree")), "GET /runs/{run}/compare": about(comparePage),
		"POST /runs/{run}/chance": about(chanceRun), "POST /runs/{run}/verify": about(verifyRun),
	} {
		m.HandleFunc(at, s.show(formBytes, page))
	}
	return m
}

// ofRun makes pages of the run of an address. Where they are about its model, there must be one.
func (s *Server) ofRun(model bool) func(func(*runView, *http.Request) (*view, error)) page {
	return func(make func(*runView, *http.Request) (*view, error)) page {
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
}
