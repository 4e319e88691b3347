package cli

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"

	"parcorels/bitvec"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/option"
	"parcorels/serve"
)

// serveSettings is what the options of serve say.
type serveSettings struct {
	folder         string
	port, atOnce   int
	memory, upload int64
	noOpen         bool
}

func beginServe(*call) (work, []process.Group) {
	s := &serveSettings{}
	return s.serve, []process.Group{
		{Title: "Options", Options: []*option.Option{
			{Name: "dir", Default: "parcorels-page", Value: option.Text(&s.folder, "the name of a folder")},
			{Name: "no-open", Value: option.Switch(&s.noOpen)},
			{Name: "memory", Unset: "half of what is free", Value: option.Size(&s.memory)},
			{Name: "at-once", Default: "1", Value: option.Integer(&s.atOnce, 1, 64)},
			{Name: "upload", Default: "1G", Value: option.Size(&s.upload)},
		}},
		{Title: "Network", Options: []*option.Option{
			{Name: "port", Unset: "7733, or one that is free", Value: option.Integer(&s.port, 1, 65535)},
		}},
	}
}

// defaultPort is tried first, so that an address works after a restart.
const defaultPort = 7733

func (s *serveSettings) serve(ctx context.Context, e *process.Env, args []string) error {
	if err := bitvec.KernelError(); err != nil {
		return err
	}
	o := serve.Options{Folder: s.folder, Software: software(), Time: process.DefaultTime, Memory: s.memory, AtOnce: s.atOnce,
		Upload: s.upload}
	if len(args) > 0 {
		if _, err := os.Stat(args[0]); err != nil {
			return err
		}
	}
	if cells := e.Memory.Cells(); o.Memory == 0 {
		o.Memory = cells
	}
	server, err := serve.New(o)
	if err != nil {
		return err
	}
	defer server.Close()
	at := "/"
	if len(args) > 0 {
		name, err := server.Add(args[0])
		if err != nil {
			return err
		}
		at = "/tables/" + url.PathEscape(name)
	}
	l, err := s.open()
	if err != nil {
		return err
	}
	address := server.Address(l, at)
	if err := e.Print(address + "\n"); err != nil {
		return err
	}
	e.Note("tables and runs are in %s; Ctrl-C ends, and searches go on when this is started again; a browser that does not know the host "+
		"takes 127.0.0.1 in its place", s.folder)
	if !s.noOpen {
		at, err := server.Redirect(address)
		if err != nil {
			return err
		}
		openBrowser(at)
	}
	return server.Serve(ctx, l)
}

// open listens on the port asked for, or on the default one if that is free.
func (s *serveSettings) open() (net.Listener, error) {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", cmp.Or(s.port, defaultPort)))
	if err != nil && s.port == 0 {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	return l, err
}

// openBrowser opens an address, where the system has a way. Without one the address is
// printed all the same.
func openBrowser(address string) {
	program, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		program = "open"
	case "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if c := exec.Command(program, args...); c.Start() == nil {
		go func() { _ = c.Wait() }() // what becomes of the browser does not matter
	}
}
