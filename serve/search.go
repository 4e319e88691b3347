package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"parcorels/ask/fair"
	"parcorels/family"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/ratio"
)

// How often a running search is looked at, and saved where Options do not say. A better model
// may come in between.
const (
	lookEvery  = 250 * time.Millisecond
	saveEvery  = time.Minute
	retryEvery = 5 * time.Second // to write the result on a full disk
)

// work searches for the model of a run. Where the server is told to end, nothing is
// concluded: the run waits for the next start, with its checkpoint.
func (r *run) work(ctx context.Context, workers int) {
	inside, cancel := context.WithCancel(ctx)
	defer cancel()
	r.update(func() {
		r.stop = cancel
		if r.Stopped { // meanwhile
			cancel()
		}
	})
	m, e, err := r.search(inside, workers)
	stopped := false
	r.update(func() { r.stop, stopped = nil, r.Stopped })
	switch {
	case ctx.Err() != nil && !stopped && (err != nil || m != nil && m.Certificate().Status == status.Interrupted):
		r.set(queued)
		return
	case errors.Is(err, context.Canceled) && stopped:
		e = &ended{Error: "stopped before there was a model"}
	case err != nil:
		e = &ended{Error: r.s.said(err)}
	}
	r.update(func() { e.Warnings, e.Unseen = append(e.Warnings, r.Warnings...), r.Unseen })
	for r.conclude(e, m) != nil && r.s.queue.find(r.ID) == r {
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(r.s.o.every, retryEvery)):
		}
	}
}

// search reads, mines and searches.
func (r *run) search(ctx context.Context, workers int) (*family.Model, *ended, error) {
	start, s := time.Now(), r.s
	f, read, o, err := s.resolved(&r.Asked)
	if err != nil {
		return nil, nil, err
	}
	read.KeepColumns = r.Asked.Kind != alternativesKind // parts of the rows cut numbers anew
	asked := o.MaxCard
	data, p, err := s.problem(ctx, r.Asked.Table, read, &o, r.bind)
	if err != nil {
		return nil, nil, err
	}
	if o.MaxCard != asked {
		r.warn("The limit of time ended while conjunctions were looked for: the model has single conditions.")
	}
	o.Workers = workers
	if s.o.Memory > 0 && f.Kind != model.RuleSet {
		o.Memory = max(s.o.Memory/int64(s.o.AtOnce+overtaking)/2, 64<<20)
	}
	if o.Time > 0 {
		o.Time = max(o.Time-time.Since(start), time.Second)
	}
	o.Progress, o.ProgressEvery, o.Models = r.onEvent, lookEvery, true
	if r.Asked.Kind != "" {
		c, err := r.choose(ctx, p, data, o, start)
		return nil, &ended{Choice: c}, err
	}
	judged := r.judge(ctx, p, data, read, o)
	defer judged.Wait()
	part := r.beginProof(&o)
	if part != nil {
		defer part.Close()
	}
	if f.Kind == model.RuleList {
		o.Checkpoint = &family.Checkpoint{Every: s.o.every, Failed: func(err error) { r.warn("The search so far " + unwritten(err)) }}
		if from := r.files.Checkpoint(o.Checkpoint); from != nil {
			defer from.Close()
		}
	}
	r.set(searching)
	m, within, err := r.fit(ctx, p, o)
	if errors.Is(err, family.ErrCheckpoint) || errors.Is(err, family.ErrProof) {
		return r.anew(ctx, workers, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return m, r.found(m, within, part), nil
}

// fit finds the model: within a limit on the share of class 1 that it finds, if somebody wished for one.
func (r *run) fit(ctx context.Context, p *family.Problem, o family.Options) (*family.Model, *fair.Answer, error) {
	least, err := ratio.Parse(r.Asked.Recall) // of 100
	if err != nil {                           // nobody did
		m, err := p.Fit(ctx, o)
		return m, nil, err
	}
	o.Checkpoint, o.Progress = nil, nil // which would show lists beyond the limit
	r.update(func() { r.Told = "The best list that finds as many as you wish is shown once it is found." })
	if o.Proof != nil {
		o.Proof = &family.Proof{To: o.Proof.File}
	}
	limit := fair.Limit{Measure: family.Recall, Most: ratio.New(least.Num, 100*least.Den)}
	a, err := fair.Ask(ctx, p, fair.Options{Options: o, Limits: []fair.Limit{limit}})
	if err != nil {
		return nil, nil, err
	}
	a.Model.Search.Proved = a.Proved
	return a.Model, a, nil
}

// anew searches from the beginning where what was saved cannot be continued.
func (r *run) anew(ctx context.Context, workers int, why error) (*family.Model, *ended, error) {
	r.warn(fmt.Sprintf("The search began anew: %v.", why))
	if err := r.files.Forget(); err != nil {
		return nil, nil, err
	}
	return r.search(ctx, workers)
}

// bind writes down which table the run is about, or makes sure that it still is. Conditions are looked for then.
func (r *run) bind(hash string) error {
	r.set(mining)
	a := r.question()
	if a.Hash == hash {
		return nil
	}
	if a.Hash != "" {
		return fmt.Errorf("%s is not the table any more that this run is about: its contents have changed", a.Table)
	}
	a.Hash = hash
	r.update(func() { r.Asked = a })
	if err := r.files.WriteJSON("run.json", a); err != nil {
		r.warn("What was asked " + unwritten(err))
	}
	return nil
}

// beginProof opens the file of the proof, if there is to be one. It belongs with the
// checkpoint, which says how much of it counts; without one it begins anew.
func (r *run) beginProof(o *family.Options) *os.File {
	if !r.Asked.Proof {
		return nil
	}
	f, err := r.files.Unfinished()
	if err != nil {
		r.warn("There will be no proof: it " + unwritten(err))
		return nil
	}
	o.Proof = &family.Proof{To: f}
	if o.Family == "" || o.Family == model.RuleList {
		o.Proof = &family.Proof{File: f}
	}
	return f
}

// found says how a search ended, within a limit if that is not nil.
func (r *run) found(m *family.Model, within *fair.Answer, part *os.File) *ended {
	result := m.Report()
	if within != nil {
		result.LowerBound, result.Status = within.Bound, status.TimeLimit
		switch x := r.snapshot(); {
		case within.Proved:
			result.Status = status.Optimal
		case x.Stopped:
			result.Status = status.Interrupted
		}
	}
	e := &ended{Result: &result}
	search := &m.Search
	if part != nil && search.Proved {
		search.ProofErr = part.Sync()
		e.Proved = search.ProofErr == nil
	}
	failed := part != nil && search.ProofErr != nil
	if failed {
		e.Warnings = append(e.Warnings, fmt.Sprintf("There is no proof: %v.", search.ProofErr))
	}
	e.Resumes = r.files.Kept() && (result.Status != status.Optimal || failed && search.ProofKept)
	return e
}

// conclude ends a run, and writes how. If the disk does not take that, the model is in memory, on the page.
func (r *run) conclude(e *ended, m *family.Model) (err error) {
	defer r.s.queue.nudge()
	if m != nil {
		err = r.files.Put("model.json", m.Encode)
	}
	if err == nil {
		err = r.files.WriteJSON("result.json", e)
	}
	r.update(func() {
		r.finish(e)
		if r.Model = nil; err == nil {
			r.files.Tidy(e.Proved, e.Resumes)
		} else {
			r.Model = m
			r.Warnings = append(slices.Clip(e.Warnings), fmt.Sprintf("The result is not on the disk yet: %v. It is shown from memory, and "+
				"written as soon as there is room: leave this program running.", err))
		}
		r.touch()
	})
	return err
}
