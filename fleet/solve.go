package fleet

import (
	"context"
	"fmt"
	"sync"
	"time"

	"parcorels/instance"
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
	Records         int64
	Proof           int64 // bytes
}

// Solver returns a solver for parcorels.Options.Solve. With the same folder it continues the job
// that is there. Stats, if not nil, are filled in.
func Solver(fo Options, stats *Stats) func(context.Context, *instance.Instance, search.Options) (search.Result, error) {
	return func(ctx context.Context, in *instance.Instance, o search.Options) (search.Result, error) {
		f := &fo
		url, creds := f.URL, f.Creds
		if url == "" {
			s, err := Start(f.Server)
			if err != nil {
				return search.Result{}, err
			}
			defer s.Close()
			url = s.URL()
			if creds, err = ReadCredentials(CredentialsOf(f.Server.Folder)); err != nil {
				return search.Result{}, err
			}
		}
		return f.solve(ctx, in, o, url, creds, stats)
	}
}

func (f *Options) solve(ctx context.Context, in *instance.Instance, o search.Options, url string, creds *Credentials, stats *Stats) (search.Result, error) {
	const patience = 100 * 365 * 24 * time.Hour // of a coordinator
	nc, err := Connect(ctx, url, creds, coordinatorName, min(patience, 1<<30*time.Second), f.Say)
	if err != nil {
		return search.Result{}, err
	}
	defer nc.Close()
	limit := o.Time
	o.Time = 0
	ready, err := search.Prepare(ctx, in, o)
	if err != nil {
		return search.Result{}, err
	}
	c := &Coordinator{Replicas: f.Replicas, Disk: f.Disk, AckWait: f.AckWait, Gifts: f.Gifts, Look: f.Look, Say: f.Say}
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
	working, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	var own sync.WaitGroup
	var failed error
	if !f.Alone {
		wn, err := Connect(ctx, url, creds, coordinatorName, 1<<30*time.Second, nil)
		if err != nil {
			return search.Result{}, err
		}
		defer wn.Close()
		w := &Worker{Workers: o.Workers, Memory: o.Memory, SaveEvery: f.SaveEvery, AckWait: f.AckWait, Gifts: f.Gifts, Say: f.Say}
		w.ready = ready // it is the same problem
		own.Go(func() {
			if err := w.Run(working, wn); err != nil && working.Err() == nil {
				failed = err
				c.Stop()
			}
		})
	}
	done, err := c.Run(ctx)
	leave() // it may not have heard that the job is over
	own.Wait()
	if err == nil {
		err = failed
	}
	if err != nil {
		return search.Result{}, err
	}
	r := c.Result(done)
	if done && o.Proof != nil {
		r.ProofErr = c.WriteProof(ctx, &r)
	}
	if stats != nil {
		l := c.look()
		*stats = Stats{Blocks: l.Done, Workers: len(c.workers), Expanded: l.Expanded, Records: r.Stats.ProofRecords, Proof: r.Stats.ProofBytes}
		for _, n := range l.Refused {
			stats.Refused += n
		}
	}
	return r, nil
}
