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
	Search      time.Duration // from the first incumbent's search to the last worker's end
	Expanded    int64         // prefixes whose extensions were examined
	Inserted    int64         // prefixes put into a queue
	Evaluations int64         // antecedents counted against a remaining set
	MapHits     int64         // prefixes dropped by the symmetry map
	Dominated   int64         // prefixes dropped because another is smaller (prunings 5 and 8)
	Closed      int64         // children closed by look-ahead
}

func (t *Totals) counts() []*int64 {
	return []*int64{&t.Expanded, &t.Inserted, &t.Evaluations, &t.MapHits, &t.Dominated, &t.Closed}
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
	b = binary.AppendUvarint(b, uint64(st.Totals.Search))
	for _, n := range st.Totals.counts() {
		b = binary.AppendUvarint(b, uint64(*n))
	}
	b = binary.AppendUvarint(b, uint64(st.Bound))
	return appendProofMark(st.Separation.append(b), &st.Proof)
}

// What a checkpoint says of the separation bound (pruning 10): whether the root is bounded,
// and the accounts of ascents.
//
// A search that was resumed without them took seven times the expansions of one that ran
// straight (a table of 569 samples and 300 antecedents, λ = .007): ascents may cost what they
// have earned, and with accounts at zero they have earned nothing where most prefixes are.
// Nor did it bound the root where a trial (search/trial.go) had shown that to be worth it.
//
// The LP itself is solved again: its weights are many, and it takes a second or two.

// markNumbers is how many numbers the accounts of ascents have.
const markNumbers = 67

// Mark is how far a search was with the separation bound.
type Mark struct {
	Trial, TrialWork int64 // work left of a trial, and its work as a whole; 0: none
	Ahead            int64 // the estimated work of the search, 0 where the root is not bounded
	Share            int64
	Numbers          [markNumbers]int64 // of the accounts
}

// mostMarked bounds each number, so that no sum of them overflows. It is a year of work.
const mostMarked = 1 << 53

// all returns what is written.
func (m *Mark) all() []*int64 {
	fields := []*int64{&m.Trial, &m.TrialWork, &m.Ahead, &m.Share}
	for i := range m.Numbers {
		fields = append(fields, &m.Numbers[i])
	}
	return fields
}

// append appends the mark to what a checkpoint begins with.
func (m *Mark) append(b []byte) []byte {
	for _, n := range m.all() {
		b = binary.AppendUvarint(b, uint64(min(*n, mostMarked)))
	}
	return b
}

var errShare = errors.New("no share of a bound that there is")

// read reads it.
func (m *Mark) read(f *framing.Parser) {
	for _, n := range m.all() {
		*n = f.Below64("account", mostMarked+1)
	}
	if m.Ahead > 0 && m.Share == 0 {
		f.Fail(errShare)
	}
}

// Scale leaves a share of the accounts, and of the work ahead.
func (m *Mark) Scale(part, all int64) {
	f := float64(part) / float64(max(all, 1))
	m.Ahead = max(1, int64(float64(m.Ahead)*f)) * min(m.Ahead, 1)
	for i := range m.Numbers {
		m.Numbers[i] = int64(float64(m.Numbers[i]) * f)
	}
}

// appendProofMark appends what a checkpoint says about a proof.
func appendProofMark(b []byte, m *record.Mark) []byte {
	b = binary.AppendUvarint(b, uint64(m.Bytes))
	if m.Bytes == 0 {
		return b
	}
	b = binary.AppendUvarint(b, m.Blocks)
	b = binary.AppendUvarint(b, m.Records)
	return append(b, m.Hash[:]...)
}

// readProofMark reads it.
func readProofMark(f *framing.Parser, m *record.Mark) {
	if m.Bytes = f.Below64("length", mostNumber); m.Bytes > 0 {
		m.Blocks, m.Records = uint64(f.Below64("blocks", mostNumber)), uint64(f.Below64("records", mostNumber))
		copy(m.Hash[:], f.Take(uint64(len(m.Hash))))
	}
}

// prefixCode writes and reads a sequence of prefixes, given as antecedent
// indices. Neighbours mostly share all but their last rules, so each is
// written as the number of rules to drop from the end of the one before, the
// number to append, and those (docs/checkpoint-format.md): three or four bytes.
type prefixCode struct {
	last []problem.Antecedent
}

// reset begins a new sequence.
func (c *prefixCode) reset() { c.last = c.last[:0] }

// append adds a prefix to the sequence b.
func (c *prefixCode) append(b []byte, prefix []problem.Antecedent) []byte {
	shared := 0
	for shared < min(len(c.last), len(prefix)) && c.last[shared] == prefix[shared] {
		shared++
	}
	b = binary.AppendUvarint(b, uint64(len(c.last)-shared))
	b = binary.AppendUvarint(b, uint64(len(prefix)-shared))
	for _, a := range prefix[shared:] {
		b = binary.AppendUvarint(b, uint64(a))
	}
	c.last = append(c.last[:shared], prefix[shared:]...)
	return b
}

// next reads a prefix of antecedents below m into c.last.
func (c *prefixCode) next(f *framing.Parser, m int) {
	c.last = c.last[:len(c.last)-f.Below("rules to drop", len(c.last)+1)]
	for range f.Below("rules to append", m-len(c.last)+1) {
		c.last = append(c.last, problem.Antecedent(f.Below("antecedent", m)))
	}
}
