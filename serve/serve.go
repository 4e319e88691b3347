// Package serve is the page: tables, searches and models in a browser, for people who do
// not use a terminal. Begin with [New], then [Server.Serve].
//
// All that lasts is in one folder. tables/ has the tables. runs/ has a folder for each run:
//
//	run.json      what was asked
//	run.ckpt      where a search for a rule list resumes after a stop or a kill
//	proof.part    the proof so far, proof when it is whole
//	model.json    the model
//	unseen.json   a model of three quarters of the rows; unseen-rows.json: the other rows
//	result.json   what was found; a run without it is searched again at the next start
//
// There is no database. One process at a time has the folder. A file appears whole
// or not at all. Nothing leaves the machine: the server asks the network for nothing, and
// neither do its pages.
//
// A client chooses no file name. Its words only look up tables and runs that are there, and
// files are opened within the folder (os.Root).
package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/puzpuzpuz/xsync/v3"
	"golang.org/x/net/netutil"

	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
	"parcorels/internal/option"
	"parcorels/internal/wording"
	"parcorels/model"
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

// Server is the page with its queue of searches.
type Server struct {
	*store
	lock     *filelock.Lock
	guard    guard
	runs     *xsync.MapOf[string, *run]
	removed  *xsync.MapOf[string, *run]
	asking   sync.Mutex // held by who puts a run in the queue
	checking sync.Mutex // held by the check of a proof
}

// Searches run one after the other, or as many at a time as Options.AtOnce says. Each has an equal share of the cores and of
// the memory.

// find returns a run, nil for none.
func (s *Server) find(id string) *run {
	r, _ := s.runs.Load(id)
	return r
}

// all returns the runs, the newest first.
func (s *Server) all() (list []*run) {
	s.runs.Range(func(_ string, r *run) bool { list = append(list, r); return true })
	slices.SortFunc(list, func(a, b *run) int { return strings.Compare(b.facts.ID, a.facts.ID) })
	return list
}

// made makes the folder of a run, which is in no queue yet.
func (s *Server) made(a question) (*run, error) {
	now := time.Now().UTC()
	a.Made = now.Truncate(time.Second)
	r := s.newRun(facts{Asked: a, State: queued, ID: now.Format("20060102-150405.000000-") + newToken()[:6]}) // in the order of asking
	err := os.Mkdir(r.files.Path, 0o777)
	if err == nil {
		err = r.files.WriteJSON("run.json", a)
	}
	if err != nil {
		_ = os.Remove(r.files.Path)
		return nil, fmt.Errorf("the run could not be kept: %w", err)
	}
	return r, nil
}

// mostRuns bounds what waits, so that no loop in a browser fills the disk.
const mostRuns = 1000

// ask puts a run in the queue, and returns its address. The same question is the same run.
func (s *Server) ask(a question) (at string, err error) {
	if _, _, _, err := s.resolved(&a); err != nil {
		return "", err
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	waiting := 0
	for _, run := range s.all() {
		x := run.now()
		if x.State != failed && !x.Stopped && x.Asked.same(&a) {
			return x.At(), nil
		}
		if x.State == queued {
			waiting++
		}
	}
	if waiting >= mostRuns {
		return "", fmt.Errorf("%d runs wait already", waiting)
	}
	r, err := s.made(a)
	if err != nil {
		return "", err
	}
	s.runs.Store(r.facts.ID, r)
	return r.facts.At(), nil
}

// next takes the run that waits longest, if it may begin; nil for none.
func (s *Server) next() (found *run) {
	active, alone := 0, 0
	for _, r := range s.all() {
		switch x := r.now(); {
		case x.State == queued:
			found = r
		case x.State.active():
			if active++; time.Since(x.Begun) < s.o.turn {
				alone++
			}
		}
	}
	if found == nil || active >= s.o.AtOnce && (alone > 0 || active >= s.o.AtOnce+overtaking) {
		return nil
	}
	found.update(func(x *facts) {
		if x.State == queued { // or it was stopped or removed meanwhile
			x.State, x.Begun = reading, time.Now()
		} else {
			found = nil
		}
	})
	return found
}

// work searches until ctx ends, then waits for the searches to be saved.
func (s *Server) work(ctx context.Context) {
	var searches sync.WaitGroup
	defer searches.Wait()
	look := time.NewTicker(lookForRuns)
	defer look.Stop()
	for {
		for r := s.next(); r != nil; r = s.next() {
			searches.Go(func() { r.work(ctx, max(runtime.GOMAXPROCS(0)/s.o.AtOnce, 1)) })
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

// began is the first run that a run goes back to by wishes.
func (s *Server) began(x *facts) *facts {
	for range mostRuns { // folders that somebody copied might go round
		from := s.find(x.Asked.Get("from"))
		if from == nil {
			break
		}
		y := from.now()
		x = &y
	}
	return x
}

// guard knows who may ask: a browser that came by the address printed. It gets a session of its own, as a cookie that no script
// reads and no other site sends. A session is a file of the folder: it outlives the program, and ends where somebody
// removes it. A page of another site may still point its name at this machine (DNS rebinding), hence the Host must be
// one of those below, and may post a form here, hence http.CrossOriginProtection.
//
// A browser sends a cookie to all ports of a host, so at 127.0.0.1 each other server of this machine would be given the session,
// and might use it. The address therefore has a host of its own, NAME.localhost, which browsers take for this machine. Who was
// not given the address does not know the name, and is never asked under it. That cannot be prevented: programs of
// the same user read the folder; a person may open the page by 127.0.0.1, which some browsers need; and who was told
// the name may answer to it at another port, if the browser goes there.
type guard struct {
	root  *os.Root
	token string
	name  string   // of this folder: of its host, and of its cookie
	hosts []string // with the port
}

// open reads the token, or makes it. It lasts, so that a page that is open works after a restart. The name follows from
// it, and does not tell it.
func (g *guard) open(root *os.Root) error {
	const name = "token"
	text, err := root.ReadFile(name)
	g.root, g.token = root, strings.TrimSpace(string(text))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(g.token) < 26 {
		g.token = newToken()
		err = root.WriteFile(name, []byte(g.token+"\n"), 0o600)
	}
	sum := sha256.Sum256([]byte(g.token))
	g.name = fmt.Sprintf("parcorels-%x", sum[:6])
	return err
}

// at returns the hosts under which a browser may ask, with the port.
func (g *guard) at(l net.Listener) []string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return []string{g.name + ".localhost:" + port, l.Addr().String()}
}

// policy allows what this server serves and nothing else: no inline script or style, no other
// host, no frame around a page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'"

// before lets through what may be asked.
func (g *guard) before(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "Another site asked for this. Nothing was done.", http.StatusForbidden)
	}))
	inner := cross.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // pages begin it anew
		switch {
		case !slices.Contains(g.hosts, r.Host):
			http.Error(w, "This is not the address of this server: open the one that parcorels serve printed.",
				http.StatusMisdirectedRequest)
		case g.admit(w, r):
			inner.ServeHTTP(w, r)
		}
	})
}

// admit reports whether a request comes from who was let in. If not it has been answered.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) bool {
	c, err := r.Cookie(g.name)
	if err == nil && len(c.Value) == len(g.token) && strings.Trim(c.Value, "abcdefghijklmnopqrstuvwxyz234567") == "" {
		if _, err := g.root.Stat(sessionsFolder + "/" + c.Value); err == nil {
			return true
		}
	}
	if r.Method == http.MethodGet && subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("token")), []byte(g.token)) == 1 {
		session := newToken()
		if err := g.root.WriteFile(sessionsFolder+"/"+session, nil, 0o600); err != nil {
			http.Error(w, "Nobody can be let in: the folder cannot be written.", http.StatusInsufficientStorage)
			return false
		}
		http.SetCookie(w, &http.Cookie{Name: g.name, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
			MaxAge: int((365 * 24 * time.Hour).Seconds())})
		// A browser that a file or another site led here sends no session where it is redirected to (SameSite), but where a
		// page of this server leads it.
		to := "/" + strings.TrimLeft(r.URL.EscapedPath(), "/")
		w.Header().Set("Refresh", "0; url="+to)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><link rel="icon" href="data:,"/><title>parcorels</title><a href="%s">To the page</a></html>`, template.HTMLEscapeString(to))
		return false
	}
	http.Error(w, "Open the address that parcorels serve printed. It has a token, which this browser does not have.", http.StatusForbidden)
	return false
}

//go:embed templates/*.html
var templateFiles embed.FS

// templates are those of the pages and, as in a report, of the model. The package of
// templates escapes each text by where it stands. Other commands need not parse them.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(html.Templates().Funcs(template.FuncMap{
		"size": wording.Size, "share": wording.Percentage, "conjunction": model.Conjunction,
		"after": func(i int) int { return i + 1 }, "portion": wording.Percent,
		"dict": dict, "capital": wording.Capital, "downloads": func() any { return downloads },
		"day": func(t time.Time) string { return t.Local().Format("2 Jan 2006, 15:04") },
		"has": func(list []string, text string) bool { return slices.Contains(list, text) },
		"at":  url.PathEscape, "joined": func(list []string) string { return strings.Join(list, ", ") },
		"quoted": func(name string) string { return option.Join([]string{name}) },
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

// home is above all.
var home = []step{{"Tables and runs", "/"}}

// lead returns the view that leads to an address.
func lead(to string, err error) (*view, error) { return &view{goTo: to}, err }

// page answers a request: with a view, or with what is wrong.
type page func(*http.Request) (*view, error)

// show answers with a page of a form of at most so many bytes.
func (s *Server) show(most int64, make page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		r.Body = http.MaxBytesReader(w, &patient{r.Body, c, formTime}, most)
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

// patient reads from a client as long as something comes every now and then. A limit that stayed would end the request while
// it is answered.
type patient struct {
	io.ReadCloser
	c    *http.ResponseController
	most time.Duration
}

func (p *patient) Read(b []byte) (int, error) {
	_ = p.c.SetReadDeadline(time.Now().Add(p.most))
	defer func() { _ = p.c.SetReadDeadline(time.Time{}) }()
	return p.ReadCloser.Read(b)
}

// answer answers with a view, or says what is wrong: beside the form where a script sent it, on a page of its own otherwise.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, v *view, err error) {
	scripted, status := r.Header.Get("HX-Request") != "", http.StatusOK
	if err == nil && v.write != nil {
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
func (s *Server) failure(w http.ResponseWriter, err error) (status int, v *view) {
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
