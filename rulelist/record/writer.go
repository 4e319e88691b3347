package record

import (
	"encoding/binary"
	"sync"

	"parcorels/internal/blockfile"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist"
	"parcorels/rulelist/problem"
)

// The proof (docs/proof-format.md): what a checker that does not trust this
// package needs to see that no list is smaller than the one returned.
//
// Every prefix that the search drops for a reason that a checker could not
// find quickly by itself is named together with the prefix that is smaller;
// every prefix that it expands is named; all else, the bound, support and
// commuting neighbours, a checker computes. Each record is true by itself, as
// the argument of each pruning is, so the records need no order among
// themselves: every worker fills blocks of its own (recorder.go), and a block
// goes out under a mutex that is taken once in tens of thousands of records.
// The bound is the only pruning that looks at the incumbent, and what an
// earlier incumbent beats is beaten by the final one too; so the claimed list
// is written last.

const (
	proofMagic   = "PARCPROF"
	proofVersion = 8
	blockSize    = blockfile.RecordBlock
)

// Writer writes blocks. What cannot be written waits (file.go). After an
// error that is for good it writes nothing more, and the search goes on without a
// proof.
type Writer struct {
	mu sync.Mutex
	*blockfile.ProofWriter
	held *heldWriter
	file blockfile.File // nil: checkpoints are without the proof
	told bool           // whether somebody was told of its error
}

// NewWriter returns a writer that has written nothing.
func NewWriter(o *blockfile.Proof, b *parallel.Budget) *Writer {
	held := newHeldWriter(o.Writer(), b)
	return &Writer{ProofWriter: blockfile.NewProofWriter(held), held: held, file: o.File}
}

// Fault returns why the file lacks something of the proof, nil if it lacks nothing.
func (w *Writer) Fault() error {
	if err := w.Err(); err != nil {
		return err
	}
	return w.held.err
}

// Open writes what the proof is about.
func (w *Writer) Open(o *blockfile.Proof, p *problem.Problem, lambda ratio.Ratio, maxRules int) {
	about := []int64{lambda.Num, lambda.Den, int64(p.In.Antecedents), p.In.Total, int64(maxRules), int64(p.May.MinRows),
		int64(len(p.May.Labels))}
	for _, labels := range p.May.Labels {
		about = append(about, int64(labels))
	}
	w.Header(o, proofMagic, proofVersion, about...)
}

// addRecords writes a block of n whole records.
func (w *Writer) addRecords(payload []byte, n uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.WriteRecords(payload, n)
}

// Counted says that all lists of at most so many rules are to be counted: no other record is needed for these.
func (w *Writer) Counted(rules int) {
	w.addRecords(binary.AppendUvarint([]byte{recordCounted}, uint64(rules)), 1)
}

// Finish ends the file with the list that nothing is smaller than. The workers
// have ended.
func (w *Writer) Finish(rules []rulelist.Rule, def int, errors int64) {
	if w.Err() != nil {
		return
	}
	b := binary.AppendUvarint(nil, uint64(len(rules)))
	for _, rule := range rules {
		b = binary.AppendUvarint(b, uint64(rule.Antecedent))
	}
	for _, rule := range rules {
		b = binary.AppendUvarint(b, uint64(rule.Class))
	}
	b = binary.AppendUvarint(b, uint64(def))
	b = binary.AppendUvarint(b, uint64(errors))
	_ = w.Claim(b) // fault tells
}

// Retry writes what waited to be written, as far as that can be done; else [Writer.Fault] says why not.
func (w *Writer) Retry() { _ = w.held.retry() }
