package serve

import (
	"cmp"
	"context"
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
