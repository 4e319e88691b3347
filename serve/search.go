package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"parcorels"
	"parcorels/internal/status"
	"parcorels/model"
)

// How often a running search is looked at, and saved where Options do not say. A better model
// may come in between.
const (
	lookEvery = 250 * time.Millisecond
	saveEvery = time.Minute
)

// work searches for the model of a run. Where the server is told to end, nothing is
// concluded: the run waits for the next start, with its checkpoint.
func (r *run) work(ctx context.Context, workers int) {
	inside, cancel := context.WithCancel(ctx)
	defer cancel()
	r.mutex.Lock()
	r.stop = cancel
	if r.stopped { // meanwhile
		cancel()
	}
	r.mutex.Unlock()
	m, e, err := r.search(inside, workers)
	r.mutex.Lock()
	r.stop = nil
	stopped := r.stopped
	r.mutex.Unlock()
	switch {
	case ctx.Err() != nil && !stopped && (err != nil || m != nil && m.Certificate().Status == status.Interrupted):
		r.set(queued)
		return
	case errors.Is(err, context.Canceled) && stopped:
		e = &ended{Error: "stopped before there was a model"}
	case err != nil:
		e = &ended{Error: said(err)}
	}
	r.conclude(e, m)
}

// search reads, mines and searches.
func (r *run) search(ctx context.Context, workers int) (*parcorels.Model, *ended, error) {
	start, s := time.Now(), r.s
	f, read, o, err := s.resolved(&r.asked)
	if err != nil {
		return nil, nil, err
	}
	read.KeepColumns = r.asked.Kind == pathKind // whose folds cut numbers anew
	data, err := s.tables.data(ctx, r.asked.Table, read)
	if err != nil {
		return nil, nil, err
	}
	if err := r.bind(data.Hash); err != nil {
		return nil, nil, err
	}
	r.set(mining)
	p, err := problem(ctx, data, &o)
	if err != nil {
		return nil, nil, err
	}
	o.Workers = workers
	if s.o.Memory > 0 && f.Kind != model.RuleSet {
		o.Memory = max(s.o.Memory/int64(s.o.AtOnce)/2, 64<<20)
	}
	if o.Time > 0 {
		o.Time = max(o.Time-time.Since(start), time.Second)
	}
	o.Progress, o.ProgressEvery, o.Models = r.onEvent, lookEvery, true
	if r.asked.Kind != "" {
		c, err := r.choose(ctx, p, data, o, start)
		return nil, &ended{Choice: c}, err
	}
	part := r.beginProof(&o)
	if part != nil {
		defer part.Close()
	}
	if f.Kind == model.RuleList {
		o.Checkpoint = &parcorels.Checkpoint{Every: s.o.every, Save: r.save, Failed: func(err error) { r.warn("The search so far " + unwritten(err)) }}
		if from, err := r.open("run.ckpt"); err == nil {
			defer from.Close()
			o.Checkpoint.From = bufio.NewReaderSize(from, 1<<16)
		}
	}
	r.set(searching)
	m, err := p.Fit(ctx, o)
	if errors.Is(err, parcorels.ErrCheckpoint) || errors.Is(err, parcorels.ErrProof) {
		return r.anew(ctx, workers, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return m, r.found(m, part), nil
}

// anew searches from the beginning where what was saved cannot be continued.
func (r *run) anew(ctx context.Context, workers int, why error) (*parcorels.Model, *ended, error) {
	r.warn(fmt.Sprintf("The search began anew: %v.", why))
	for _, file := range []string{"run.ckpt", "proof.part"} {
		if err := os.Remove(r.path(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return r.search(ctx, workers)
}

// bind writes down which table the run is about, or makes sure that it still is.
func (r *run) bind(hash string) error {
	r.mutex.Lock()
	a := r.asked
	r.mutex.Unlock()
	if a.Hash == hash {
		return nil
	}
	if a.Hash != "" {
		return fmt.Errorf("%s is not the table any more that this run is about: its contents have changed", a.Table)
	}
	r.mutex.Lock()
	r.asked.Hash = hash
	a = r.asked
	r.mutex.Unlock()
	if err := r.writeJSON("run.json", a); err != nil {
		r.warn("What was asked " + unwritten(err))
	}
	return nil
}

// problem mines. Where the limit of time ends that, single conditions are left.
func problem(ctx context.Context, data *parcorels.Data, o *parcorels.Options) (*parcorels.Problem, error) {
	limited, cancel := ctx, func() {}
	if o.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, o.Time)
	}
	defer cancel()
	p, err := parcorels.NewProblem(limited, data, *o)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return p, err
	}
	o.MaxCard = 1
	return parcorels.NewProblem(ctx, data, *o)
}

// save keeps the search, as a whole or not at all.
func (r *run) save(write func(io.Writer) error) error {
	return r.s.o.write(r.path("run.ckpt"), write)
}

// beginProof opens the file of the proof, if there is to be one. It belongs with the
// checkpoint, which says how much of it counts; without one it begins anew.
func (r *run) beginProof(o *parcorels.Options) *os.File {
	if !r.asked.Proof {
		return nil
	}
	flags := os.O_RDWR | os.O_CREATE
	if _, err := os.Stat(r.path("run.ckpt")); err != nil {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(r.path("proof.part"), flags, 0o666)
	if err != nil {
		r.warn("There will be no proof: it " + unwritten(err))
		return nil
	}
	o.Proof = &parcorels.Proof{To: f}
	if o.Family == "" || o.Family == model.RuleList {
		o.Proof = &parcorels.Proof{File: f}
	}
	return f
}

// found says how a search ended.
func (r *run) found(m *parcorels.Model, part *os.File) *ended {
	result := m.Report()
	e := &ended{Result: &result}
	if r.asked.Cuts != nil {
		e.Warnings = append(e.Warnings, "Numbers are cut as in the run that this wish is about. The command below chooses its own cuts.")
	}
	optimal, kept := result.Status == status.Optimal, false
	if part != nil && m.Search.Proved {
		err := part.Sync()
		if e.Proved = err == nil; err != nil {
			m.Search.ProofErr = err
		}
	}
	if part != nil && m.Search.ProofErr != nil {
		kept = m.Search.ProofKept
		e.Warnings = append(e.Warnings, fmt.Sprintf("There is no proof: %v.", m.Search.ProofErr))
	}
	_, err := os.Stat(r.path("run.ckpt"))
	e.Resumes = err == nil && (!optimal || kept)
	return e
}

// tidy puts the proof in place, and removes what a run that has ended needs no more. A kill may
// come before, so each start tidies again.
func (r *run) tidy() {
	if r.end.Proved {
		_ = os.Rename(r.path("proof.part"), r.path("proof")) // done already where there is none
	}
	if !r.end.Resumes {
		_ = os.Remove(r.path("run.ckpt"))
		_ = os.Remove(r.path("proof.part"))
	}
}

// conclude writes how a run ended. Until the disk takes that, the model is in memory, on the
// page, and written again every now and then.
func (r *run) conclude(e *ended, m *parcorels.Model) {
	r.mutex.Lock()
	e.Warnings = append(e.Warnings, r.warnings...)
	r.mutex.Unlock()
	write := func() (err error) {
		if m != nil {
			err = r.s.o.write(r.path("model.json"), m.Encode)
		}
		if err == nil {
			err = r.writeJSON("result.json", e)
		}
		return err
	}
	err := write()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.finish(e)
	if err == nil {
		r.tidy()
	} else {
		r.model = m
		r.unsaved = write
		r.warnings = append(r.warnings, fmt.Sprintf("The result is not on the disk yet: %v. It is shown from memory, and written as soon as there is room: leave this program running.", err))
	}
	r.touch()
}
