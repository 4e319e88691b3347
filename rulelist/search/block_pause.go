package search

import (
	"bytes"
	"io"
	"slices"
	"sync/atomic"

	"parcorels/internal/blockfile"
	"parcorels/internal/order"
	"parcorels/parallel"
	"parcorels/trie"
)

// What can be done with a block while its workers stand still.
//
// A part that is given away is a contiguous range of the open prefixes, sorted by their
// antecedents in ascending order. Prefixes with the same remaining set mostly have the same
// antecedents in another order, so most of them stay together. Of 2 to 64 blocks that were made
// so, all together expanded 1.00 to 1.12 times as many prefixes as one search; of blocks that
// were dealt in turn up to 1.6 times.
//
// What was given away is closed here, as if it had been expanded: it still says which prefixes
// with the same remaining set are larger.

// Standstill is a search of a block whose workers stand still, or have ended. It is of use only
// in the call of Block.Pause.
type Standstill struct {
	s     *search
	block Block
	ended bool
	given []trie.ID // by the last Split
	kept  int64     // prefixes that it did not give
}

// Part is a part of a block.
type Part struct {
	Content  []byte // a block
	Prefixes int    // open prefixes in it
}

// Ended reports whether the search has ended before the end of its block.
func (x *Standstill) Ended() bool { return x.ended }

// Open returns about how many prefixes are open.
func (x *Standstill) Open() int64 { return max(0, x.s.queue.Open()-x.s.given.Load()) }

// Bound returns a lower bound on all lists that begin with an open prefix, at most the objective
// of the smallest list known.
func (x *Standstill) Bound() int64 { return x.s.lowerBound(parallel.Unknown, x.s.incumbent.Load()) }

// Expanded returns how many prefixes of the block were expanded, with those of searches that
// saved it.
func (x *Standstill) Expanded() int64 { return x.s.totals().expanded }

// Records writes all records so far to Block.Proof, and returns how many they are.
func (x *Standstill) Records() (int64, error) {
	w := x.s.proof
	if w == nil {
		return 0, nil
	}
	for _, worker := range x.s.workers {
		if worker != nil {
			worker.proof.flush()
		}
	}
	if w.Err() == nil {
		_ = w.held.retry()
	}
	return int64(w.Records), w.fault()
}

// Save returns what is left of the block.
func (x *Standstill) Save() (Part, error) {
	parts, err := x.divide(nil, nil)
	if err != nil {
		return Part{}, err
	}
	return parts[0], nil
}

// Split divides what is left of the block into one part to keep and up to so many others, none
// with fewer prefixes than least on average. Without Give nothing is given away. There may be
// no other part.
func (x *Standstill) Split(others, least int) (kept Part, given []Part, err error) {
	var nodes []openNode
	x.s.saver.eachNode((*trie.Node).Open, func(id trie.ID, prefix []column, more int64) {
		n := openNode{id: id, key: make([]antecedent, len(prefix))}
		for i, col := range prefix {
			n.key[i] = x.s.p.antecedents[col]
		}
		slices.Sort(n.key)
		nodes = append(nodes, n)
	})
	others = min(others, len(nodes)/max(least, 1)-1)
	if x.ended || others < 1 {
		kept, err = x.Save()
		return kept, nil, err
	}
	parts, err := x.divide(nodes, pivots(nodes, others+1))
	if err != nil {
		return Part{}, nil, err
	}
	for _, p := range parts[1:] {
		if p.Prefixes > 0 {
			given = append(given, p)
		}
	}
	return parts[0], given, nil
}

// openNode is an open prefix that can be given away.
type openNode struct {
	id  trie.ID
	key []antecedent // its antecedents in ascending order
}

// mostSorted is how many prefixes are sorted to find where to divide them.
const mostSorted = 1 << 14

// pivots returns the keys at which so many parts of about the same size begin, but for the
// first.
func pivots(nodes []openNode, parts int) [][]antecedent {
	step := max(1, len(nodes)/mostSorted)
	var keys [][]antecedent
	for i := 0; i < len(nodes); i += step {
		keys = append(keys, nodes[i].key)
	}
	order.Sort(keys, slices.Compare)
	var at [][]antecedent
	for i := 1; i < parts; i++ {
		at = append(at, keys[i*len(keys)/parts])
	}
	return at
}

// divide returns the parts between pivots, the first with all that has no node as well. Nodes
// of the others are marked to be given.
func (x *Standstill) divide(nodes []openNode, at [][]antecedent) ([]Part, error) {
	s := x.s
	x.given = x.given[:0]
	part := map[trie.ID]int{}
	counts := make([]int64, len(at)+1)
	for _, n := range nodes {
		i, found := slices.BinarySearchFunc(at, n.key, slices.Compare)
		if found { // the last of those that are equal
			for i < len(at) && slices.Equal(at[i], n.key) {
				i++
			}
		}
		if counts[i]++; i > 0 {
			part[n.id] = i
			x.given = append(x.given, n.id)
		}
	}
	x.kept = counts[0]
	x.eachWithoutNode(func([]antecedent, int64) { x.kept++ })
	all := x.kept + int64(len(x.given))
	buffers := make([]bytes.Buffer, len(counts))
	writers := make([]*checkpointWriter, len(counts))
	for i := range writers {
		share := s.marked()
		switch {
		case i > 0:
			share.scale(counts[i], all)
		case len(x.given) > 0:
			share.scale(x.kept, all)
		}
		writers[i] = s.saver.beginBlock(&buffers[i], i == 0, share)
	}
	s.saver.eachNode((*trie.Node).Open, func(id trie.ID, prefix []column, more int64) {
		writers[part[id]].columns(blockOpen, prefix, more)
	})
	x.eachWithoutNode(func(prefix []antecedent, more int64) { writers[0].prefix(blockOpen, prefix, more) })
	parts := make([]Part, len(counts))
	for i, w := range writers {
		w.finish()
		if err := w.Err(); err != nil {
			return nil, err
		}
		parts[i] = Part{buffers[i].Bytes(), int(w.counts[0])}
	}
	return parts, nil
}

// eachWithoutNode calls f with the open prefixes that have no node, which are never given.
func (x *Standstill) eachWithoutNode(f func(prefix []antecedent, more int64)) {
	var indices []antecedent
	for _, worker := range x.s.workers {
		if worker == nil {
			continue
		}
		worker.eachNoNode(func(prefix []column, more int64) {
			indices = indices[:0]
			for _, col := range prefix {
				indices = append(indices, x.s.p.antecedents[col])
			}
			f(indices, more)
		})
	}
	x.s.backlog.each(f)
}

// Give gives away what the last Split divided from the block.
func (x *Standstill) Give() {
	s := x.s
	h := s.arena.Handle(0)
	for _, id := range x.given {
		if s.symmetry == nil {
			h.Kill(id)
		} else {
			h.Hold(id) // for the queue, which has it still
			h.Close(id)
		}
	}
	if y := s.separated; y != nil {
		m := s.marked()
		m.scale(x.kept, x.kept+int64(len(x.given)))
		m.ascents(s)
	}
	s.given.Add(int64(len(x.given)))
	x.given = x.given[:0]
}

// beginBlock begins a block. Its counts are those of the search if it is what the search keeps.
func (v *saver) beginBlock(to io.Writer, kept bool, share separationMark) *checkpointWriter {
	w := &checkpointWriter{Writer: blockfile.NewWriter(to), p: v.s.p}
	w.Begin(checkpointMagic, checkpointVersion)
	var t totals
	if kept {
		t = v.s.totals()
	}
	w.Block(blockState, v.appendState(t, share, proofMark{}))
	return w
}

// scale leaves a share of the accounts, and of the work ahead.
func (m *separationMark) scale(part, all int64) {
	f := float64(part) / float64(max(all, 1))
	m.ahead = max(1, int64(float64(m.ahead)*f)) * min(m.ahead, 1)
	for i := range m.numbers {
		m.numbers[i] = int64(float64(m.numbers[i]) * f)
	}
}

// ascents gives the accounts of a block to the search of it.
func (m *separationMark) ascents(s *search) {
	if x := s.separated; x != nil && m.ahead > 0 {
		a := &x.ascents
		a.ahead, a.share, a.forGap = m.ahead, m.share, m.share == longShare
		a.each(func(i int, n *atomic.Int64) { n.Store(m.numbers[i]) })
	}
}
