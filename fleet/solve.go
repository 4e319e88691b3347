package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"parcorels/family"
	"parcorels/instance"
	"parcorels/internal/atomicfile"
	"parcorels/rulelist/blocks"
	"parcorels/rulelist/search"
)

// Options say where a job is, and what this process does of it.
type Options struct {
	Folder string // of the server
	Alone  bool   // this process coordinates, and does not search
	Disk   int64  // most bytes of all that is stored; 0: 16 GB
	Pace   Pace   // of all workers

	Ready func()     // is called when workers may come; nil: never
	Look  func(Look) // is called about every second; nil: never
	Say   Say
}

// Say is told what people should know; nil: nobody is.
type Say func(string)

func (s Say) line(format string, args ...any) {
	if s != nil {
		s(fmt.Sprintf(format, args...))
	}
}

// Stats say what a job took.
type Stats struct {
	Blocks, Workers int
	Refused         int
	Expanded        int64
}

// Solver returns a solver for family.Options.Solve. With the same folder it continues the job
// that is there. Stats, if not nil, are filled in.
func Solver(fo Options, stats *Stats) family.Solver {
	return func(ctx context.Context, in *instance.Instance, o search.Options) (search.Result, error) {
		s, err := Start(fo.Folder)
		if err != nil {
			return search.Result{}, err
		}
		defer s.Close()
		return fo.solve(ctx, in, o, s, stats)
	}
}

// solve coordinates a job on a server.
func (f Options) solve(outer context.Context, in *instance.Instance, o search.Options, s *Server, stats *Stats) (search.Result, error) {
	nc, err := s.Connect()
	if err != nil {
		return search.Result{}, err
	}
	defer nc.Close()
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	limit := o.Time
	o.Time = 0
	ready, err := blocks.Prepare(ctx, in, o)
	if err != nil {
		return search.Result{}, err
	}
	c := &Coordinator{Options: f}
	if err := c.Open(ctx, nc, in, o, ready); err != nil {
		return search.Result{}, err
	}
	if l := c.look(); c.seen > 0 {
		f.Say.line("resumed: %d blocks are done, %d are open", l.Done, l.Blocks)
	}
	if f.Ready != nil {
		f.Ready()
	}
	if limit > 0 {
		time.AfterFunc(limit, cancel)
	}
	leave := func() error { return nil }
	if !f.Alone {
		w := &Worker{Workers: o.Workers, Memory: o.Memory, Say: f.Say, ready: ready} // it is the same problem
		if leave, err = s.work(outer, w, cancel); err != nil {
			return search.Result{}, err
		}
	}
	done, err := c.Run(ctx)
	if err = errors.Join(err, leave()); err != nil {
		return search.Result{}, err
	}
	r := c.Result(done)
	if done && o.Proof != nil {
		r.ProofErr = c.WriteProof(outer, &r)
	}
	if stats != nil {
		l := c.look()
		*stats = Stats{Blocks: l.Done, Workers: len(c.workers), Expanded: l.Expanded}
		for _, n := range l.Refused {
			stats.Refused += n
		}
	}
	return r, nil
}

// work lets the process of the server search, too. It calls failed if that ends with an error. The
// returned function ends it.
func (v *Server) work(ctx context.Context, w *Worker, failed func()) (leave func() error, err error) {
	nc, err := v.Connect()
	if err != nil {
		return nil, err
	}
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() {
		err := w.Run(working, nc)
		if working.Err() != nil {
			err = nil
		} else if err != nil {
			failed()
		}
		ended <- err
	}()
	return func() error {
		cancel() // it may not have heard that the job is over
		defer nc.Close()
		return <-ended
	}, nil
}

// Server is an embedded server with its folder. It syncs each message before it says that it
// has it: a search must not rely on what is not there any more. It listens on the loopback.
type Server struct {
	s      *server.Server
	secret string // of coordinators, which are in the process of the server
}

const coordinatorUser = "coordinator"
const workerUser = "worker"

// JoinFile returns the file of a folder that lets workers join: the URL of its server, with the key
// of all workers. Without the file they are shut out.
func JoinFile(folder string) string { return filepath.Join(folder, "join") }

// Start starts the server of a folder, which is made if it is not there. The folder remembers its
// port, and the key of workers.
func Start(folder string) (*Server, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	join, err := ReadJoin(JoinFile(folder))
	switch {
	case errors.Is(err, os.ErrNotExist):
		join = &url.URL{Scheme: "nats", User: url.UserPassword(workerUser, rand.Text())}
		if err := os.WriteFile(JoinFile(folder), nil, 0o600); err != nil { // for this user alone, as what takes its place
			return nil, err
		}
	case err != nil:
		return nil, err
	}
	port, _ := strconv.Atoi(join.Port())
	if port == 0 || !free(port) {
		port = server.RANDOM_PORT
	}
	key, _ := join.User.Password()
	v := &Server{secret: rand.Text()}
	if v.s, err = server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: filepath.Join(folder, "store"), SyncAlways: true,
		NoLog: true, NoSigs: true, MaxPayload: 1 << 20, WriteDeadline: 10 * time.Second, AuthTimeout: 5, MaxConn: 2 * mostWorkers,
		JetStreamMaxStore: 1 << 50, JetStreamMaxMemory: 64 << 20,
		Users: []*server.User{
			{Username: coordinatorUser, Password: v.secret}, {Username: workerUser, Password: key, Permissions: workerMay()},
		},
	}); err != nil {
		return nil, err
	}
	v.s.Start()
	if !v.s.ReadyForConnections(10 * time.Second) {
		v.s.Shutdown()
		return nil, fmt.Errorf("no server can listen at port %d", port)
	}
	join.Host = v.s.Addr().String()
	if err := atomicfile.Write(JoinFile(folder), func(w io.Writer) error { // it is whole at any time: workers read it
		_, err := fmt.Fprintln(w, join)
		return err
	}); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// free waits two seconds for a port: others may have it for a moment.
func free(port int) bool {
	for range 20 {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return l.Close() == nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

// workerMay is what a worker may publish and hear.
func workerMay() *server.Permissions {
	api := "$JS.API."
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			eventSubject + "*", subject + "status.*", subject + "offer", subject + "job", subject + "block",
			"$O." + objectBucket + ".>",
			api + "STREAM.INFO." + eventStream, api + "STREAM.MSG.GET." + eventStream, api + "DIRECT.GET." + eventStream + ".>",
			api + "STREAM.INFO.OBJ_" + objectBucket, api + "STREAM.MSG.GET.OBJ_" + objectBucket,
			api + "DIRECT.GET.OBJ_" + objectBucket + ".>",
			api + "CONSUMER.CREATE.OBJ_" + objectBucket + ".>", api + "CONSUMER.DELETE.OBJ_" + objectBucket + ".>",
			api + "CONSUMER.MSG.NEXT.OBJ_" + objectBucket + ".>", api + "STREAM.NAMES",
			api + "CONSUMER.INFO." + workStream + "." + consumer, api + "CONSUMER.MSG.NEXT." + workStream + "." + consumer,
			"$JS.ACK." + workStream + ".>", "$JS.ACK.OBJ_" + objectBucket + ".>", "$JS.FC.>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{subject + "news", subject + "split.*", "_INBOX.>"}},
	}
}

// Close ends the server. All that it was told is in its folder.
func (v *Server) Close() {
	v.s.Shutdown()
	v.s.WaitForShutdown()
}

// Connect connects a coordinator, or a worker of its process.
func (v *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(v.s), nats.UserInfo(coordinatorUser, v.secret), nats.MaxReconnects(-1),
		nats.ReconnectBufSize(-1), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
}

// ReadJoin reads a file that lets workers join.
func ReadJoin(file string) (*url.URL, error) {
	b, err := os.ReadFile(file)
	if err == nil && len(b) == 0 { // as a server leaves it that was killed before it had a port
		err = &os.PathError{Op: "read", Path: file, Err: os.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(strings.TrimSpace(string(b)))
	if err != nil || at.User == nil {
		return nil, fmt.Errorf("%s does not let a worker join: it is not the file that serve has made", file)
	}
	return at, nil
}

// Connect connects a worker to the server that a file names, and waits for it if it is not there
// yet or goes away, for as long as patience allows.
func Connect(ctx context.Context, file string, patience time.Duration, say Say) (*nats.Conn, error) {
	for deadline := time.Now().Add(patience); ; pause(ctx, time.Second) {
		at, err := ReadJoin(file)
		if err != nil {
			return nil, err
		}
		nc, err := nats.Connect(at.String(),
			nats.MaxReconnects(int(patience/time.Second)), nats.ReconnectWait(time.Second),
			nats.ReconnectJitter(200*time.Millisecond, 200*time.Millisecond),
			nats.Timeout(5*time.Second), nats.PingInterval(5*time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
			nats.SetCustomDialer(follower(file)), nats.IgnoreAuthErrorAbort(),
			nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
				if err != nil && ctx.Err() == nil {
					say.line("the connection is lost (%v): waiting for the server", err)
				}
			}),
			nats.ReconnectHandler(func(*nats.Conn) { say.line("the server is back") }),
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		switch {
		case err == nil:
			return nc, nil
		case errors.Is(err, nats.ErrAuthorization):
			return nil, fmt.Errorf("%s: the server refused the key of %s: is it of this job? (%w)", at.Host, file, err)
		case time.Now().After(deadline):
			return nil, fmt.Errorf("%s: %w", at.Host, err)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}

// follower is a file whose server is looked for where it is now. Where somebody took its port
// meanwhile, a server that begins again has another one, and workers would wait for it in vain.
type follower string

// Dial connects to the server of the file.
func (f follower) Dial(network, _ string) (net.Conn, error) {
	at, err := ReadJoin(string(f))
	if err != nil {
		return nil, err
	}
	return net.DialTimeout(network, at.Host, 5*time.Second)
}
