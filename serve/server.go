package serve

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
)

// Server is the page with its queue of searches.
type Server struct {
	*site
	lock  *filelock.Lock
	guard guard
}

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
	s := &Server{lock: lock}
	if s.guard.root, err = os.OpenRoot(o.Folder); err == nil {
		err = errors.Join(s.guard.root.RemoveAll(removedFolder), s.guard.root.Mkdir(removedFolder, 0o700))
	}
	if err == nil {
		s.guard.token, err = secret(s.guard.root)
	}
	if err == nil {
		s.site, err = newSite(&store{o, s.guard.root})
	}
	if err != nil {
		s.Close()
	}
	return s, err
}

// Close gives the folder back.
func (s *Server) Close() {
	if s.guard.root != nil {
		_ = s.guard.root.Close()
	}
	s.lock.Release()
}

// secret is the token. It lasts, so that a page that is open works after a restart.
func secret(root *os.Root) (string, error) {
	const name = "token"
	text, err := root.ReadFile(name)
	token := strings.TrimSpace(string(text))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(token) < 26 {
		token = newToken()
		err = root.WriteFile(name, []byte(token+"\n"), 0o600)
	}
	return token, err
}

// Address is where a browser begins, at a path of the server: it has the token of who is to
// be let in.
func (s *Server) Address(l net.Listener, path string) string {
	return "http://" + l.Addr().String() + path + "?token=" + s.guard.token
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
	s.guard.bound = l.Addr().String()
	_, port, _ := net.SplitHostPort(s.guard.bound)
	s.guard.cookie = "parcorels-" + port // a browser tells no ports apart in cookies
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

// guard knows who may ask: a browser that came by the address printed. It gets a session of its own, as a cookie that no script
// reads and no other site sends. A session is a file of the folder: it outlives the program, and ends where somebody
// removes it. A page of another site may still point its name at this machine (DNS rebinding), hence the Host must be
// the one that was bound, and may post a form here, hence http.CrossOriginProtection.
type guard struct {
	root   *os.Root
	token  string
	cookie string // its name
	bound  string // host and port
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
		case r.Host != g.bound:
			http.Error(w, "This is not the address of this server: open the one that parcorels serve printed.",
				http.StatusMisdirectedRequest)
		case g.admit(w, r):
			inner.ServeHTTP(w, r)
		}
	})
}

// admit reports whether a request comes from who was let in. If not it has been answered.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) bool {
	c, err := r.Cookie(g.cookie)
	if err == nil && len(c.Value) == len(g.token) && strings.Trim(c.Value, "abcdefghijklmnopqrstuvwxyz234567") == "" {
		if _, err := g.root.Stat(sessionsFolder + "/" + c.Value); err == nil {
			return true
		}
	}
	if r.Method == http.MethodGet && subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("token")), []byte(g.token)) == 1 {
		if err := g.letIn(w); err != nil {
			http.Error(w, "Nobody can be let in: the folder cannot be written.", http.StatusInsufficientStorage)
			return false
		}
		http.Redirect(w, r, "/"+strings.TrimLeft(r.URL.EscapedPath(), "/"), http.StatusSeeOther)
		return false
	}
	http.Error(w, "Open the address that parcorels serve printed. It has a token, which this browser does not have.", http.StatusForbidden)
	return false
}

// letIn begins a session.
func (g *guard) letIn(w http.ResponseWriter) error {
	session := newToken()
	http.SetCookie(w, &http.Cookie{
		Name: g.cookie, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int((365 * 24 * time.Hour).Seconds()),
	})
	return g.root.WriteFile(sessionsFolder+"/"+session, nil, 0o600)
}
