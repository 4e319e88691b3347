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
	Server ServerOptions // the embedded server
	Alone  bool          // this process coordinates, and does not search
	Disk   int64
	Pace   Pace

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
		s, err := Start(fo.Server)
		if err != nil {
			return search.Result{}, err
		}
		defer s.Close()
		return fo.solve(ctx, in, o, s.URL(), stats)
	}
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

// solve coordinates a job on the folder's server.
func (f *Options) solve(ctx context.Context, in *instance.Instance, o search.Options, url string, stats *Stats) (search.Result, error) {
	creds, err := ReadCredentials(CredentialsOf(f.Server.Folder))
	if err != nil {
		return search.Result{}, err
	}
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
	c := &Coordinator{Disk: f.Disk, Pace: f.Pace, Look: f.Look, Say: f.Say}
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
	w := &Worker{Workers: o.Workers, Memory: o.Memory, Say: f.Say, ready: ready} // it is the same problem
	leave, err := f.work(ctx, c, url, creds, w)
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
