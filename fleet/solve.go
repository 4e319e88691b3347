package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parcorels/family"
	"parcorels/instance"
	"parcorels/rulelist/blocks"
	"parcorels/rulelist/search"
)

// Options say where a job is, and what this process does of it.
type Options struct {
	Server ServerOptions // the embedded server, unless there is a URL
	URL    string        // of another server
	Creds  *Credentials  // for that

	Alone     bool // this process coordinates, and does not search
	Replicas  int
	Disk      int64
	SaveEvery time.Duration
	AckWait   time.Duration
	Gifts     Gifts

	Ready func(url string) // is called when workers may come
	Look  func(Look)
	Say   func(string)
}

// Stats say what a job took.
type Stats struct {
	Blocks, Workers int
	Refused         int
	Expanded        int64
}

// forever is the patience of a coordinator.
const forever = 1 << 30 * time.Second

// Solver returns a solver for family.Options.Solve. With the same folder it continues the job
// that is there. Stats, if not nil, are filled in.
func Solver(fo Options, stats *Stats) family.Solver {
	return func(ctx context.Context, in *instance.Instance, o search.Options) (search.Result, error) {
		url, creds, stop, err := fo.server()
		if err != nil {
			return search.Result{}, err
		}
		defer stop()
		return fo.solve(ctx, in, o, url, creds, stats)
	}
}

// server starts the embedded server, unless there is another one.
func (f *Options) server() (url string, creds *Credentials, stop func(), err error) {
	if f.URL != "" {
		return f.URL, f.Creds, func() {}, nil
	}
	s, err := Start(f.Server)
	if err != nil {
		return "", nil, nil, err
	}
	if creds, err = ReadCredentials(CredentialsOf(f.Server.Folder)); err != nil {
		s.Close()
	}
	return s.URL(), creds, s.Close, err
}

func (f *Options) coordinator() *Coordinator {
	return &Coordinator{Replicas: f.Replicas, Disk: f.Disk, AckWait: f.AckWait, Gifts: f.Gifts, Look: f.Look, Say: f.Say}
}

// work lets this process search, too, unless it coordinates alone. The returned function ends that.
func (f *Options) work(ctx context.Context, c *Coordinator, url string, creds *Credentials, w *Worker) (leave func() error, err error) {
	if f.Alone {
		return func() error { return nil }, nil
	}
	nc, err := Connect(ctx, url, creds, coordinatorName, forever, nil)
	if err != nil {
		return nil, err
	}
	w.SaveEvery, w.AckWait, w.Gifts, w.Say = f.SaveEvery, f.AckWait, f.Gifts, f.Say
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() {
		err := w.Run(working, nc)
		if working.Err() != nil {
			err = nil
		} else if err != nil {
			c.Stop()
		}
		ended <- err
	}()
	return func() error {
		cancel() // it may not have heard that the job is over
		defer nc.Close()
		return <-ended
	}, nil
}

func (f *Options) solve(ctx context.Context, in *instance.Instance, o search.Options, url string, creds *Credentials,
	stats *Stats) (search.Result, error) {
	nc, err := Connect(ctx, url, creds, coordinatorName, forever, f.Say)
	if err != nil {
		return search.Result{}, err
	}
	defer nc.Close()
	limit := o.Time
	o.Time = 0
	ready, err := blocks.Prepare(ctx, in, o)
	if err != nil {
		return search.Result{}, err
	}
	c := f.coordinator()
	if err := c.Open(ctx, nc, in, o, ready); err != nil {
		return search.Result{}, err
	}
	if f.Say != nil && c.Resumed() {
		l := c.look()
		f.Say(fmt.Sprintf("resumed: %d blocks are done, %d are open", l.Done, l.Blocks))
	}
	if f.Ready != nil {
		f.Ready(url)
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	leave, err := f.work(ctx, c, url, creds, &Worker{Workers: o.Workers, Memory: o.Memory, ready: ready}) // it is the same problem
	if err != nil {
		return search.Result{}, err
	}
	done, err := c.Run(ctx)
	if err = errors.Join(err, leave()); err != nil {
		return search.Result{}, err
	}
	r := c.Result(done)
	if done && o.Proof != nil {
		r.ProofErr = c.WriteProof(ctx, &r)
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
