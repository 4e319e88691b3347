package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/parallel"
	"parcorels/rulelist/save"
	"parcorels/rules"
)

// tinyMemory is a budget in which the structures of one worker always fit.
const tinyMemory = 4 << 20

// mostVerified is how many expansions a proof may have for verify, which looks
// at every sample, to be asked as well.
const mostVerified = 2000

var errDiskFull = errors.New("no space left on device")

// attempt solves the instance in the legs of the run, and returns what each
// found and the first thing that is not as it must be.
func (run soakRun) attempt(ctx context.Context, in testgen.Instance, w truth) (results []Result, err error) {
	if run.Kernel != "" {
		before := bitvec.Kernel()
		if err := bitvec.UseKernel(run.Kernel); err != nil {
			return nil, err
		}
		defer func() { _ = bitvec.UseKernel(before) }() // it was in use
	}
	reduced, err := run.reduce(in)
	if err != nil {
		return nil, err
	}
	var saved kept
	for i, leg := range run.Legs {
		var r Result
		if r, saved, err = leg.search(ctx, in, reduced, w, saved); err != nil {
			return results, fmt.Errorf("leg %d: %w", i, err)
		}
		results = append(results, r)
	}
	return results, nil
}

func (run soakRun) reduce(in testgen.Instance) (*instance.Instance, error) {
	if run.Separate {
		return instance.FromSetSeparate(in.Set())
	}
	return instance.FromSet(in.Set())
}

// kept is what there is to resume from.
type kept struct {
	checkpoint []byte // nil: nothing
	proof      []byte // that goes with it; nil: none
}

// proofFile returns the file that a leg writes its proof to, nil for none.
func (l soakLeg) proofFile(saved kept) *tape {
	switch {
	case l.Proof == 0 || saved.checkpoint != nil && saved.proof == nil:
		return nil
	case saved.checkpoint != nil:
		return &tape{bytes: slices.Clone(saved.proof)}
	}
	return &tape{room: max(l.Proof, 0)}
}

// search makes the search of one leg, and returns what to resume from.
func (l soakLeg) search(ctx context.Context, in testgen.Instance, reduced *instance.Instance, w truth, saved kept) (Result, kept,
	error) {
	if l.Procs > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(l.Procs))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if l.CancelAfter < 0 {
		cancel()
	} else if l.CancelAfter > 0 {
		defer time.AfterFunc(l.CancelAfter, cancel).Stop()
	}
	o := l.options()
	o.Lambda, o.MaxRules = in.Lambda, in.MaxRules
	set := in.Set()
	proof := l.proofFile(saved)
	if proof != nil {
		o.Proof = &Proof{File: proof, Digest: set.Digest()}
	}
	resumed := saved.checkpoint != nil
	var checkpoints shelf
	if l.Save || resumed {
		o.Checkpoint = l.checkpoint(set, saved.checkpoint, &checkpoints)
	}
	watch := reports{w: w, scale: float64(in.Scale()), cancelAt: l.CancelAt, cancel: cancel}
	if l.Report > 0 {
		o.Progress = watch.see
	}
	r, err := Solve(ctx, reduced, l.straits().In(o))
	for _, check := range []func() error{
		func() error { return err },
		func() error { return w.judge(in, r) },
		func() error { return l.allowed(r, resumed) },
		func() error { return watch.ended(r, l.Report > 0) },
		func() error { return l.proved(r, proof, set) },
		func() error { return l.saved(r, resumed) },
	} {
		if err := check(); err != nil {
			return r, kept{}, err
		}
	}
	return r, l.survives(&checkpoints, proof, r, saved), nil
}

// allowed checks that the search ended for a reason that it was given, and
// within its limits. Open prefixes of a checkpoint are kept whatever the budget.
func (l soakLeg) allowed(r Result, resumed bool) error {
	var reason bool
	switch r.Status {
	case parallel.Optimal:
		reason = true
	case parallel.NodeLimit:
		reason = l.Nodes > 0
	case parallel.TimeLimit:
		reason = l.Time > 0
	case parallel.Interrupted:
		reason = l.CancelAfter != 0 || l.CancelAt > 0 || l.CutAt > 0
	case parallel.MemoryLimit:
		reason = l.Memory > 0 && l.Memory < tinyMemory
	}
	expanded := int64(0)
	for _, w := range r.Stats.PerWorker {
		expanded += w.Expanded
	}
	switch {
	case !reason:
		return fmt.Errorf("the search ended with status %v", r.Status)
	case l.Nodes > 0 && expanded > l.Nodes:
		return fmt.Errorf("%d prefixes were expanded, %d allowed", expanded, l.Nodes)
	case l.Memory > 0 && !resumed && r.Stats.PeakBytes > l.Memory:
		return fmt.Errorf("%d bytes were taken, %d allowed", r.Stats.PeakBytes, l.Memory)
	}
	return nil
}

// reports checks what the search says about itself on the way.
type reports struct {
	w        truth
	scale    float64
	cancelAt int64
	cancel   context.CancelFunc

	seen  int // from one goroutine: the race detector sees to that
	last  Progress
	wrong error
}

func (x *reports) see(p Progress) {
	best, lower := float64(x.w.best.Objective)/x.scale, float64(x.w.lower)/x.scale
	switch {
	case x.wrong != nil:
	case p.Bound > best || p.Value < lower || p.Bound > p.Value:
		x.wrong = fmt.Errorf("reported: objective %v, lower bound %v; the optimum is in [%v, %v]", p.Value, p.Bound, lower, best)
	case x.seen > 0 && (p.Bound < x.last.Bound || p.Value > x.last.Value || p.Nodes < x.last.Nodes):
		x.wrong = fmt.Errorf("reported: %+v after %+v", p, x.last)
	case x.last.Final:
		x.wrong = errors.New("reported: something after the end")
	}
	x.seen++
	x.last = p
	if x.cancelAt > 0 && p.Nodes >= x.cancelAt {
		x.cancel()
	}
}

// ended checks the last report. A search that ends before its workers begin
// makes none.
func (x *reports) ended(r Result, wanted bool) error {
	switch {
	case x.wrong != nil:
		return x.wrong
	case !wanted || x.seen == 0 && r.Status != parallel.Optimal:
		return nil
	case !x.last.Final || x.last.Value != r.ObjectiveValue() || x.last.Bound != r.LowerBoundValue():
		return fmt.Errorf("the last of %d reports is %+v, the result %v with objective %v, lower bound %v",
			x.seen, x.last, r.Status, r.ObjectiveValue(), r.LowerBoundValue())
	}
	return nil
}

// proved checks the proof.
func (l soakLeg) proved(r Result, file *tape, set *rules.Set) error {
	switch {
	case file == nil || r.Status != parallel.Optimal:
		return nil
	case file.room > 0 && r.ProofErr != nil:
		if !errors.Is(r.ProofErr, errDiskFull) {
			return r.ProofErr
		}
		return nil
	case r.ProofErr != nil:
		return r.ProofErr
	case r.Stats.Expanded > mostVerified:
		return nil
	}
	v, err := checkProof(file.bytes, set, 2)
	if err != nil {
		return fmt.Errorf("the proof: %w", err)
	}
	if v.Objective != r.Objective || v.Scale != r.Scale || len(v.Rules) != len(r.Rules) {
		return fmt.Errorf("the proof is of objective %d with %d rules, the result of %d with %d", v.Objective, len(v.Rules), r.Objective,
			len(r.Rules))
	}
	return nil
}

// shelf keeps the last two checkpoints.
type shelf struct{ last, before []byte }

func (s *shelf) save(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	s.before, s.last = s.last, b.Bytes()
	return nil
}

// checkpoint says where checkpoints go.
func (l soakLeg) checkpoint(set *rules.Set, saved []byte, to *shelf) *save.Checkpoint {
	c := &save.Checkpoint{Digest: set.Digest, From: from(saved), Every: l.SaveEvery}
	if l.Save {
		c.Save = to.save
	}
	if l.Save && l.SaveFails {
		c.Save = func(write func(io.Writer) error) error {
			if err := write(&tape{room: 100}); err != nil {
				return err
			}
			return errDiskFull
		}
	}
	return c
}

// saved checks that a search that ended early was saved, or said why not. One
// that was resumed may end before all is there to be saved.
func (l soakLeg) saved(r Result, resumed bool) error {
	switch begun := len(r.Stats.PerWorker) > 0; {
	case !l.Save || r.Status == parallel.Optimal || !begun:
		return nil
	case l.SaveFails && !resumed && !errors.Is(r.CheckpointErr, errDiskFull):
		return fmt.Errorf("nothing could be saved, and the error is %v", r.CheckpointErr)
	case !l.SaveFails && r.CheckpointErr != nil:
		return r.CheckpointErr
	}
	return nil
}

// survives returns what the next leg resumes from: the last checkpoint, or the
// one before if the process was killed, or else the one that this leg had; and
// the proof, of which there may be more by now.
func (l soakLeg) survives(checkpoints *shelf, proof *tape, r Result, saved kept) kept {
	b := checkpoints.last
	if l.Killed {
		b = checkpoints.before
	}
	switch {
	case b == nil && proof != nil:
		saved.proof = proof.bytes
		return saved
	case b == nil:
		return saved
	case proof == nil || r.ProofErr != nil: // whether it failed before that checkpoint is not known
		return kept{checkpoint: b}
	}
	return kept{b, proof.bytes}
}
