package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"parcorels/internal/blockfile"
	"parcorels/rulelist/problem"
	"parcorels/trie"
	"parcorels/verify/framing"
)

// Recorder is the one handle on the proof that every pruning is given, one for each
// worker: it holds records in the making. A nil
// *Recorder takes calls and does nothing.
//
// The record of an expansion is complete when all children were judged; if the
// search is stopped before, it is given up. So it grows in a buffer of its own
// beside the records of what children displaced elsewhere in the meantime.
type Recorder struct {
	p       *problem.Problem
	arena   *trie.Arena
	to      *Writer
	done    []byte // whole records
	records uint64

	prefix    []problem.Column // of the expansion at hand, as columns
	expansion []byte           // its record so far
	alone     bool             // whether the exception at hand is a record of its own
	other     []problem.Column

	sets  map[string]int // of bounds in done, by their points: the number of each
	key   []byte
	known []numbered // of the bound at hand: the sets that were there before
	fresh []int      // and the places of the others
}

// What dominates a prefix, in the format's terms.
const (
	byPrefix  = 0
	byShorter = 1

	recordExpanded  = 1
	recordDominated = 2
	recordBound     = 3 // bounds.go
	recordWeights   = 4 // likewise
	recordCounted   = 5 // writer.go
)

// NewRecorder returns a worker's recorder for a writer; nil without one. The prefixes that it names by nodes are in the arena.
func NewRecorder(to *Writer, p *problem.Problem, arena *trie.Arena) *Recorder {
	if to == nil {
		return nil
	}
	return &Recorder{p: p, arena: arena, to: to, done: make([]byte, 0, blockSize), sets: map[string]int{}}
}

// Begin starts the record of an expansion.
func (l *Recorder) Begin(prefix []problem.Column) {
	if l == nil {
		return
	}
	l.prefix = append(l.prefix[:0], prefix...)
	l.expansion = l.appendPrefix(append(l.expansion[:0], recordExpanded), prefix)
}

// End completes it.
func (l *Recorder) End() {
	if l == nil {
		return
	}
	l.expansion = append(l.expansion, 0)
	l.reserve(len(l.expansion))
	l.done = append(l.done, l.expansion...)
	l.records++
}

// ByHolder notes that the child that col makes is dominated by the holder of
// its key in the symmetry map. The caller has been pinned since it met r.
func (l *Recorder) ByHolder(col int, r trie.Ref) {
	if l == nil {
		return
	}
	l.other = trie.Path(l.arena, trie.ID(r), l.other)
	n := len(l.prefix)
	if len(l.other) == n+1 && int(l.other[n]) == col && slices.Equal(l.other[:n], l.prefix) {
		return // it met itself: it is in a queue already, and will have a record of its own
	}
	l.close(l.appendPrefix(append(l.open(col), byPrefix), l.other))
}

// open begins an exception about the child that col makes and returns the
// buffer that the dominator goes to. When the record of the expansion has grown
// long, that is a record about the child alone, which says the same.
func (l *Recorder) open(col int) []byte {
	if l.alone = len(l.expansion) > blockSize; !l.alone {
		return binary.AppendUvarint(l.expansion, uint64(l.p.Antecedents[col])+1)
	}
	l.prefix = append(l.prefix, problem.Column(col))
	defer func() { l.prefix = l.prefix[:len(l.prefix)-1] }()
	l.reserve(len(l.prefix) + problem.MaxDepth)
	return l.appendPrefix(append(l.done, recordDominated), l.prefix)
}

// close ends what open began.
func (l *Recorder) close(b []byte) {
	if !l.alone {
		l.expansion = b
		return
	}
	l.done = b
	l.records++
}

// Displaced notes that the prefix that r names is dominated by another. The
// caller has been pinned since it met r.
func (l *Recorder) Displaced(r trie.Ref, by []problem.Column) {
	if l == nil {
		return
	}
	l.other = trie.Path(l.arena, trie.ID(r), l.other)
	l.Dominated(l.other, by)
}

// DominatedBy notes that a prefix is dominated by the one that r names.
func (l *Recorder) DominatedBy(prefix []problem.Column, r trie.Ref) {
	if l == nil {
		return
	}
	l.other = trie.Path(l.arena, trie.ID(r), l.other)
	l.Dominated(prefix, l.other)
}

// Dominated notes that a prefix is dominated by another.
func (l *Recorder) Dominated(prefix, by []problem.Column) {
	if l == nil {
		return
	}
	l.reserve(len(prefix) + len(by))
	l.done = l.appendPrefix(append(l.done, recordDominated), prefix)
	l.done = l.appendPrefix(append(l.done, byPrefix), by)
	l.records++
}

// Redundant notes that a prefix is dominated by itself without one rule.
func (l *Recorder) Redundant(prefix []problem.Column, rule int) {
	if l == nil {
		return
	}
	l.reserve(len(prefix) + 1)
	l.done = l.appendPrefix(append(l.done, recordDominated), prefix)
	l.done = binary.AppendUvarint(append(l.done, byShorter), uint64(rule))
	l.records++
}

func (l *Recorder) appendPrefix(b []byte, prefix []problem.Column) []byte {
	b = binary.AppendUvarint(b, uint64(len(prefix)))
	for _, col := range prefix {
		b = binary.AppendUvarint(b, uint64(l.p.Antecedents[col]))
	}
	return b
}

// reserve makes room for a record of n antecedents, or n bytes: it writes the
// block that is long enough, or that would grow too long.
func (l *Recorder) reserve(n int) {
	if len(l.done) > blockSize || len(l.done)+3*n+recordBytes > blockfile.MaxBlock {
		l.Flush()
	}
}

// recordBytes is more than a record has beside its antecedents.
const recordBytes = 32

// Flush writes the whole records to the file.
func (l *Recorder) Flush() {
	if l == nil || l.records == 0 {
		return
	}
	l.to.addRecords(l.done, l.records)
	l.done, l.records = l.done[:0], 0
	clear(l.sets)
}

// Records that searches of parts of a problem have written. Every record is true by itself, and a block of records can be read
// without any other. So the proof of all parts is what each has written, one after another.

// AddRaw adds blocks that are framed already.
func (w *Writer) AddRaw(framed []byte, records uint64) {
	if _, err := w.held.Write(framed); err != nil {
		w.Fail(err)
	}
	w.Records += records
}

// AddPiece copies the blocks of so many records, which a search of a part has written.
func (w *Writer) AddPiece(r io.Reader, records int64) error {
	from := bufio.NewReaderSize(r, blockSize)
	blocks := framing.File{Refused: ErrProof}.Blocks(from)
	for {
		if _, err := from.Peek(1); errors.Is(err, io.EOF) {
			w.Records += uint64(records)
			return nil
		} else if err != nil {
			return err
		}
		kind, payload, err := blocks.Next()
		if err != nil {
			return err
		}
		if kind != framing.Records {
			return blocks.Refused("block %d holds no records", blocks.Last())
		}
		w.addRecords(payload, 0)
	}
}
