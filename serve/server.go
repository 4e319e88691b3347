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
	"time"

	"golang.org/x/net/netutil"

	"parcorels/internal/atomicfile"
	"parcorels/internal/filelock"
)

// Options say what a server is to do. The zero value of each but Folder is the default.
type Options struct {
	Folder   string        // holds tables and runs; it is made if it is not there
	Software string        // the name of the program, for models
	Time     time.Duration // limit of a search where nobody asks for another; 0: none
	Memory   int64         // bytes for all searches together; 0: no limit
	AtOnce   int           // searches at the same time, which share the cores; 0: 1
	Upload   int64         // most bytes of a table that is sent; 0: 1 GiB

	// write takes the place of atomicfile.Write in tests of a full disk.
	write func(path string, write func(io.Writer) error) error
	every time.Duration // from one checkpoint to the next; 0: saveEvery
	turn  time.Duration // how long a search has its place to itself; 0: turn
}

// Server is the page with its queue of searches.
type Server struct {
	o      Options
	root   *os.Root
	lock   *filelock.Lock
	token  string
	cookie string
	bound  string // host and port
	routes http.Handler

	queue *queue

	checking sync.Mutex // held by the check of a proof
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
	s := &Server{o: o, lock: lock}
	if s.root, err = os.OpenRoot(o.Folder); err == nil {
		s.token, err = s.secret()
	}
	if err == nil {
		s.queue, err = newQueue(s)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.routes = s.guard(s.handler())
	return s, nil
}

// Close gives the folder back.
func (s *Server) Close() {
	if s.root != nil {
		_ = s.root.Close()
	}
	s.lock.Release()
}

// secret is the token. It lasts, so that a page that is open works after a restart.
func (s *Server) secret() (string, error) {
	const name = "token"
	text, err := s.root.ReadFile(name)
	if token := strings.TrimSpace(string(text)); err == nil && len(token) >= 26 {
		return token, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	token := newToken()
	return token, s.root.WriteFile(name, []byte(token+"\n"), 0o600)
}

// Address is where a browser begins, at a path of the server: it has the token of who is to
// be let in.
func (s *Server) Address(l net.Listener, path string) string {
	return "http://" + l.Addr().String() + path + "?token=" + s.token
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
	s.bound = l.Addr().String()
	_, port, _ := net.SplitHostPort(s.bound)
	s.cookie = "parcorels-" + port // a browser tells no ports apart in cookies
	inside, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler: s.routes, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		ErrorLog: log.New(io.Discard, "", 0), BaseContext: func(net.Listener) context.Context { return inside },
	}
	var working sync.WaitGroup
	working.Go(func() { s.queue.work(inside) })
	l = netutil.LimitListener(l, mostConnections)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	var err error
	select {
	case err = <-ended:
		cancel()
	case <-ctx.Done():
		_ = server.Close()
		<-ended
	}
	working.Wait()
	return err
}

// path is where a file of the folder is.
func (s *Server) path(parts ...string) string {
	return filepath.Join(append([]string{s.o.Folder}, parts...)...)
}
