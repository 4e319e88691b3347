package save

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/record"
	"parcorels/verify/framing"
)

// Checkpoint says where Solve saves what it has done, and what it resumes from.
type Checkpoint struct {
	// Digest returns that of the instance: rules.Set.Digest; nil: all zeros. A checkpoint of another one is
	// refused. It is called where one is read or saved, as it takes a pass over all that is captured.
	Digest func() [32]byte

	// From is a checkpoint to resume from; nil: begin anew. Apart from λ, the
	// options may differ from those of the search that saved it. Limits of
	// time and nodes count from now.
	From io.Reader

	// Save is to keep what write writes, as a whole or not at all; nil: nothing
	// is saved. It is called every Every, and when a search ends without having
	// found and proved the smallest list. It runs in one goroutine, while the
	// workers stand still.
	Save  func(write func(io.Writer) error) error
	Every time.Duration // from one checkpoint to the next; 0: only at the end

	// Failed is told of an error of Save, or of the proof, after which the search
	// goes on; nil: nobody is. Result.CheckpointErr and ProofErr tell at the end.
	// While the proof cannot be written, the last checkpoint that has its proof
	// stays, and Save is not called.
	Failed func(error)
}

// ErrCheckpoint reports a checkpoint that cannot be resumed from: damaged, cut
// off, no checkpoint at all, or one of another problem.
var ErrCheckpoint = errors.New("unusable checkpoint")

// ErrOtherData is an ErrCheckpoint whose search was on other samples, or on the same
// antecedents in another order.
var ErrOtherData = fmt.Errorf("%w: it was saved with other data, or data read in another way", ErrCheckpoint)

const (
	kindState  = framing.Header
	KindOpen   = 'O'
	KindClosed = 'C'

	mostNumber = 1<<62 + 1 // is above all that are counted
)

// checkpoint is the kind of file: its blocks are those of a proof.
var checkpoint = framing.File{Magic: "PARCCKPT", Version: 6, Format: fmt.Errorf("%w: not a checkpoint file", ErrCheckpoint),
	Refused: ErrCheckpoint}

// Head says what problem a checkpoint is of.
type Head struct {
	Digest   [32]byte
	Lambda   ratio.Ratio
	MaxRules int // 0: no limit
}

// State is what a checkpoint begins with beside the problem.
type State struct {
	List   []problem.Antecedent // the incumbent
	Totals Totals
	Bound  int64 // on all lists, beyond the root's cost; 0: none

	Separation Mark
	Proof      record.Mark
}

// Totals is what a search has done so far, with the searches that it goes on
// from.
type Totals struct {
	Elapsed                                                  time.Duration
	Expanded, Inserted, Evaluations, Hits, Dominated, Closed int64
}

func (t *Totals) counts() []*int64 {
	return []*int64{&t.Expanded, &t.Inserted, &t.Evaluations, &t.Hits, &t.Dominated, &t.Closed}
}

// append appends the problem and the state.
func (st *State) append(b []byte, h *Head, p *problem.Problem) []byte {
	b = append(b, h.Digest[:]...)
	for _, n := range []int64{h.Lambda.Num, h.Lambda.Den, int64(h.MaxRules), int64(p.In.Antecedents), p.In.Total, int64(len(st.List))} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, a := range st.List {
		b = binary.AppendUvarint(b, uint64(a))
	}
	b = binary.AppendUvarint(b, uint64(st.Totals.Elapsed))
	for _, n := range st.Totals.counts() {
		b = binary.AppendUvarint(b, uint64(*n))
	}
	b = binary.AppendUvarint(b, uint64(st.Bound))
	return appendProofMark(st.Separation.append(b), &st.Proof)
}
