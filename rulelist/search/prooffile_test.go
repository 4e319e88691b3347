package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parcorels/instance"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/record"
	"parcorels/rulelist/save"
	"parcorels/rules"
)

// tape is a proof file in memory, with one place for reads and writes.
type tape struct {
	bytes  []byte
	place  int
	synced int   // bytes that a power failure would leave
	room   int   // for bytes, if not 0
	fault  error // of Sync and Truncate
}

func (f *tape) Read(b []byte) (int, error) {
	if f.place == len(f.bytes) {
		return 0, io.EOF
	}
	n := copy(b, f.bytes[f.place:])
	f.place += n
	return n, nil
}

func (f *tape) Write(b []byte) (int, error) {
	full := f.room > 0 && f.place+len(b) > f.room
	if full { // some of it goes onto the disk
		b = b[:max(0, f.room-f.place)]
	}
	behind := slices.Clone(f.bytes[min(f.place+len(b), len(f.bytes)):])
	f.bytes = append(append(f.bytes[:f.place], b...), behind...)
	f.place += len(b)
	if full {
		return len(b), errDiskFull
	}
	return len(b), nil
}

func (f *tape) Truncate(size int64) error {
	if int(size) != f.place || f.place > len(f.bytes) {
		return fmt.Errorf("cut at %d of %d bytes, with the place at %d", size, len(f.bytes), f.place)
	}
	f.bytes = f.bytes[:size]
	return f.fault
}

func (f *tape) Sync() error {
	f.synced = len(f.bytes)
	return f.fault
}

// proving is a search with a proof and checkpoints that is cut off and goes on.
type proving struct {
	in      testgen.Instance
	set     *rules.Set
	reduced *instance.Instance
	saved   []byte // the last checkpoint
	proof   []byte // as it was when that was saved, or later
	every   time.Duration
}

func newProving(in testgen.Instance) (*proving, error) {
	set := in.Set()
	reduced, err := instance.FromSet(set)
	return &proving{in: in, set: set, reduced: reduced, every: 1}, err
}

// link makes one search, and returns the proof it has at the end. A process that
// is killed at any moment leaves the last checkpoint and, of the proof, what was
// synced before or more.
func (x *proving) link(ctx context.Context, o Options, rng *rand.Rand) (Result, []byte, error) {
	f := &tape{bytes: slices.Clone(x.proof)}
	saved := x.saved
	chosen := 0
	keep := func(write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		if f.synced != len(f.bytes) {
			return fmt.Errorf("%d bytes of the proof are synced, there are %d", f.synced, len(f.bytes))
		}
		if chosen++; rng.IntN(chosen) == 0 {
			x.saved = b.Bytes()
		}
		return nil
	}
	o.Lambda = x.in.Lambda
	o.Proof = &Proof{Digest: x.set.Digest(), Settings: []byte("settings"), File: f}
	o.Checkpoint = &save.Checkpoint{Digest: x.set.Digest, From: from(saved), Save: keep, Every: x.every}
	r, err := Solve(ctx, x.reduced, o)
	switch {
	case err != nil:
		return r, nil, err
	case r.ProofErr != nil:
		return r, nil, r.ProofErr
	case r.CheckpointErr != nil:
		return r, nil, r.CheckpointErr
	}
	if chosen > 0 || saved != nil {
		x.proof = f.bytes // longer than what the checkpoint drawn goes with, most often
	}
	return r, f.bytes, nil
}

// joined is an instance of 7 antecedents, two of which are each the union of
// two others: many prefixes leave the same points.
func joined(seed uint64) testgen.Instance {
	rng := rand.New(rand.NewPCG(seed, 35))
	p := oracle.Problem{Labels: testgen.Random(rng, 25, .5), Lambda: ratio.New(1, 40+rng.Int64N(40))}
	for range 5 {
		p.Columns = append(p.Columns, testgen.Random(rng, 25, 1./3))
	}
	for i := range 2 {
		union := slices.Clone(p.Columns[i])
		for k, in := range p.Columns[i+1] {
			union[k] = union[k] || in
		}
		p.Columns = append(p.Columns, union)
	}
	return testgen.Instance{Problem: p, Family: "joined", Seed: seed}
}

// stoppedProof returns a search that was stopped after so many prefixes.
func stoppedProof(t *testing.T, nodes int64) (*proving, Options) {
	t.Helper()
	o := Options{Workers: 1, Without: wide, Nodes: nodes}
	x := must.Get(newProving(testgen.Knotty(1)))(t)
	x.every = 0 // the checkpoint goes with the whole proof
	r, _, err := x.link(t.Context(), o, rand.New(rand.NewPCG(1, 34)))
	if err != nil || r.Status != parallel.NodeLimit {
		t.Fatalf("%v, status %v", err, r.Status)
	}
	return x, o
}

// TestProofRefused: a proof that is not the one of the checkpoint is refused,
// with a line that says why.
func TestProofRefused(t *testing.T) {
	x, o := stoppedProof(t, 3)
	whole := slices.Clone(x.proof)
	refused := func(proof []byte, want string) {
		t.Helper()
		x.proof = proof
		_, _, err := x.link(t.Context(), o, rand.New(rand.NewPCG(2, 34)))
		if !errors.Is(err, record.ErrProof) || !strings.HasPrefix(err.Error(), "unusable proof: "+want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for n := range whole {
		refused(slices.Clone(whole[:n]), fmt.Sprintf("it has %d bytes, and ", n))
		changed := slices.Clone(whole)
		changed[n] ^= 1 << (n % 8)
		refused(changed, "it is not the one that the checkpoint was saved with, or it was changed since")
	}
	x.proof = append(slices.Clone(whole), "what a process wrote before it was killed"...)
	o.Nodes = 0
	r, proof, err := x.link(t.Context(), o, rand.New(rand.NewPCG(3, 34)))
	if err != nil || r.Status != parallel.Optimal {
		t.Fatalf("%v, status %v", err, r.Status)
	}
	if _, err := checkProof(proof, x.set, 0); err != nil {
		t.Error(err)
	}
}

// TestProofNeedsFile: a proof that could not be whole is not begun.
func TestProofNeedsFile(t *testing.T) {
	x, o := stoppedProof(t, 3)
	for want, proof := range map[string]*Proof{
		"option Proof has no file: a search that resumes from a checkpoint continues the proof in one": {To: io.Discard},
		"option Proof has nowhere to write to":                                                         {},
	} {
		o.Lambda, o.Proof = x.in.Lambda, proof
		o.Checkpoint = &save.Checkpoint{Digest: x.set.Digest, From: from(x.saved)}
		var bad *optionerr.Error
		if _, err := Solve(t.Context(), x.reduced, o); !errors.As(err, &bad) || bad.Field != "Proof" || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestProofFails: a search whose proof could never be written goes on without,
// says so, and so do its checkpoints.
func TestProofFails(t *testing.T) {
	for what, f := range map[string]*tape{"no room": {room: 65}, "no sync": {fault: errDiskFull}} {
		x, o := stoppedProof(t, 3)
		o.Lambda = x.in.Lambda
		o.Proof = &Proof{Digest: x.set.Digest(), File: f}
		var told []error
		keep := func(write func(io.Writer) error) error {
			var b bytes.Buffer
			defer func() { x.saved = b.Bytes() }()
			return write(&b)
		}
		o.Checkpoint = &save.Checkpoint{Digest: x.set.Digest, Save: keep, Every: 1,
			Failed: func(err error) { told = append(told, err) }}
		r, err := Solve(t.Context(), x.reduced, o)
		if err != nil || r.Status != parallel.NodeLimit || r.CheckpointErr != nil || !errors.Is(r.ProofErr, errDiskFull) {
			t.Errorf("%s: %v, status %v, %v, %v", what, err, r.Status, r.CheckpointErr, r.ProofErr)
		}
		for i, err := range told { // if the search was paused after it failed
			if !errors.Is(err, errDiskFull) || i > 0 {
				t.Errorf("%s: told %v", what, told)
			}
		}
		o.Proof.File = &tape{bytes: f.bytes}
		o.Checkpoint.From = from(x.saved)
		_, err = Solve(t.Context(), x.reduced, o)
		unproved := errors.Is(err, save.ErrCheckpoint) && strings.Contains(err.Error(), "without a proof")
		if r.ProofKept && err != nil || !r.ProofKept && !unproved { // it is kept if a pause came before the first record
			t.Errorf("%s: the proof is kept: %v, %v", what, r.ProofKept, err)
		}
		o.Proof = nil
		o.Checkpoint.From, o.Nodes = from(x.saved), 0
		if r, err := Solve(t.Context(), x.reduced, o); err != nil || r.Status != parallel.Optimal {
			t.Errorf("%s: %v, status %v", what, err, r.Status)
		}
	}
}

// TestProofGivenUp: without a proof the search resumes from a checkpoint with
// one, and from then on there is none.
func TestProofGivenUp(t *testing.T) {
	x, o := stoppedProof(t, 3)
	o.Lambda = x.in.Lambda
	keep := func(write func(io.Writer) error) error {
		var b bytes.Buffer
		defer func() { x.saved = b.Bytes() }()
		return write(&b)
	}
	o.Checkpoint = &save.Checkpoint{Digest: x.set.Digest, From: from(x.saved), Save: keep}
	if r, err := Solve(t.Context(), x.reduced, o); err != nil || r.Status != parallel.NodeLimit {
		t.Fatalf("%v, status %v", err, r.Status)
	}
	if _, _, err := x.link(t.Context(), o, rand.New(rand.NewPCG(4, 34))); !errors.Is(err, save.ErrCheckpoint) ||
		err.Error() != "unusable checkpoint: it was saved by a search without a proof, and what that did cannot be proved any more" {
		t.Error(err)
	}
}

// TestProofUnread: a search whose context is done while it reads the proof
// leaves the file as it is.
func TestProofUnread(t *testing.T) {
	x, o := stoppedProof(t, 3)
	before := append(slices.Clone(x.proof), "more"...)
	x.proof = slices.Clone(before)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, after, err := x.link(ctx, o, rand.New(rand.NewPCG(5, 34)))
	if err != nil || r.Status != parallel.Interrupted || !bytes.Equal(after, before) {
		t.Errorf("%v, status %v, %d bytes of %d", err, r.Status, len(after), len(before))
	}
}
