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
