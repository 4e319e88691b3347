package search

// This file writes the proof that a list has the largest posterior
// (docs/proof-format.md): the prefixes that a search must expand which knows the list
// from its start. It is written after the search, by going through these once more, depth
// first. Children that bounds or an exchange of two rules close are not written, as a checker finds that out
// by itself; of a child that another prefix closes, that one is. The key map of
// the search knows most of these.

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"parcorels/internal/blockfile"
	"parcorels/parallel"
	"parcorels/trie"
)

// Proof says where Solve writes the proof, and what it is a proof about.
type Proof = blockfile.Proof

const proofMagic = "PARCBAYE"
const proofVersion = 4

// prover writes the records of a proof.
type prover struct {
	*worker
	out *blockfile.ProofWriter
}

// next is a child that is not closed by bounds: it is expanded, unless another prefix closes it.
type next struct {
	child
	by []uint16
}

// prove writes the whole proof of the incumbent. It returns early if ctx or the time ends.
func (s *exact) prove(ctx context.Context, start time.Time, o Options, r *Result) error {
	s.run = parallel.NewRun(parallel.Limits{Workers: 1, Start: start, Time: o.Time})
	out := blockfile.NewProofWriter(o.Proof.Writer())
	out.Header(o.Proof, proofMagic, proofVersion, s.header(o)...)
	p := &prover{worker: newWorker(s, 0), out: out}
	complete := out.Err() == nil
	s.run.Do(ctx, parallel.Watch{}, func(int) {
		f := p.frame(0)
		p.trie.Pin()
		defer p.trie.Unpin()
		complete = complete && p.load(f, trie.Root) && p.record(0)
	})
	var err error
	r.ProofBytes, r.ProofRecords, err = out.End(complete, func() []byte { return nil })
	return err
}

// header says what the proof is about.
func (s *exact) header(o Options) []int64 {
	best, in, falling := s.incumbent.Load(), s.p.in, int64(0)
	if o.Falling {
		falling = 1
	}
	numbers := []int64{
		o.Prior.Length.Num, o.Prior.Length.Den, int64(in.Antecedents), in.Total,
		o.Prior.Width.Num, o.Prior.Width.Den, o.Prior.Alpha1.Num, o.Prior.Alpha1.Den, o.Prior.Alpha0.Num, o.Prior.Alpha0.Den,
		int64(o.MaxRules), int64(o.MinRows), falling, int64(len(best.rules)),
	}
	for _, a := range best.rules {
		numbers = append(numbers, int64(a))
	}
	return append(numbers, -best.value)
}

// record writes the record of a frame's prefix and all below it. It returns false
// if it was stopped.
func (p *prover) record(level int) bool {
	f := p.frame(level)
	children, ok := p.children(level)
	if !ok {
		return false
	}
	p.out.Buffer = binary.AppendUvarint(p.out.Buffer, uint64(len(children)))
	last := int32(-1)
	for _, c := range children {
		p.out.Buffer = binary.AppendUvarint(p.out.Buffer, uint64(c.antecedent-last-1))
		last = c.antecedent
		kind := uint64(0)
		if c.by != nil {
			kind = 1
		}
		p.out.Buffer = binary.AppendUvarint(p.out.Buffer, kind)
		for _, a := range c.by {
			p.out.Buffer = binary.AppendUvarint(p.out.Buffer, uint64(a))
		}
	}
	p.out.Recorded()
	for i := range children {
		if c := &children[i]; c.by == nil {
			p.descend(p.frame(level+1), f, &c.child)
			if !p.record(level + 1) {
				return false
			}
		}
	}
	return true
}

// children lists the children of a frame's prefix that bounds and exchanges leave open.
func (p *prover) children(level int) (open []next, ok bool) {
	f, best := p.frame(level), p.s.incumbent.Load().value
	if !p.count(f) {
		return nil, false
	}
	ok = p.each(f, func(c *child) bool {
		below := p.frame(level + 1)
		hash := p.descend(below, f, c)
		bound, ok := p.look(below)
		if !ok || bound < best {
			return ok
		}
		n := next{child: *c}
		p.claim.of(below)
		r := p.s.seen.Find(keyOf(hash, &below.use, below.last))
		if r != 0 && p.claim.Against(r) == parallel.Loses && !slices.Equal(p.claim.other, below.rules) {
			n.by = slices.Clone(p.claim.other)
		}
		open = append(open, n)
		return true
	})
	return open, ok
}
