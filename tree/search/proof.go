package search

import (
	"encoding/binary"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
)

// The proof (docs/proof-format.md): records that claim lower bounds on sets, and
// the tree. It is written after the search, from the bounds in the cache: a record
// for each set whose bound some other record needs, from the root down. What a
// checker finds from counts alone has no record. Where the cache has lost a
// bound, it is searched for again.

const (
	proofMagic   = "PARCTREE"
	proofVersion = 5
)

// prover writes the records of a proof.
type prover struct {
	*worker
	out     *blockfile.ProofWriter
	written map[bitvec.Key]written
}

// written is the last record on a set.
type written struct {
	record uint64
	bound  int64
}

// prove writes the whole proof of a tree of value v.
func (w *worker) prove(tree Tree, v int64) error {
	out := blockfile.NewProofWriter(w.o.Proof.Writer())
	out.Header(w.o.Proof, proofMagic, proofVersion,
		w.o.Lambda.Num, w.o.Lambda.Den, int64(w.in.Antecedents), w.in.Total, int64(w.Digits), int64(w.o.Depth), int64(w.o.MinRows))
	p, at := &prover{worker: w, out: out, written: map[bitvec.Key]written{}}, 0
	ok := out.Err() == nil && p.record(0, 0, 0, v)
	if ok {
		_, ok = p.order(0, 0, 0, tree, &at)
	}
	var err error
	w.proof.bytes, w.proof.records, err = out.End(ok, func() []byte { return p.claim(tree, v) })
	return err
}

// record writes a record on the set of frame d with the bound that is known, at
// least need, unless there is one, and those that it needs. The set is a side of
// that of the parent record. It returns false when the search was stopped.
func (p *prover) record(d int, parent uint64, side int, need int64) bool {
	k := p.frames[d].key
	if w, ok := p.written[k]; ok && w.bound >= need {
		return true
	}
	lower, _ := p.cache.find(k)
	if lower < need {
		lower, _ = p.solve(d, need)
	}
	if lower < need || !p.count(d) {
		return false
	}
	number := p.append(parent, side, lower)
	p.written[k] = written{number, lower}
	return p.cover(d, number, p.candidates(&p.frames[d], lower-1), lower)
}

// cover writes what shows that splits of frame d, whose record has a number, have
// a value of at least bound: records on their sides, as far as the counts do not
// say enough.
func (p *prover) cover(d int, number uint64, splits []split, bound int64) bool {
	for _, s := range splits {
		var k keys
		with, without := s.with.lower, s.without.lower // what the counts say
		for s.lower() < bound && !(s.looked && s.resolved()) {
			if !s.looked {
				p.look(&p.frames[d], &s, &k)
			} else if !p.raise(d, &s, &k, bound) {
				return false
			}
		}
		if s.lower() < bound {
			return false // no bound at all: a defect of the search
		}
		code := 2 * p.features[s.feature]
		if with+s.without.lower < bound {
			p.descend(d, int(s.feature), true, k.with)
			if !p.record(d+1, number, code+1, s.with.lower) {
				return false
			}
			with = s.with.lower
		}
		if with+without < bound {
			p.descend(d, int(s.feature), false, k.without)
			if !p.record(d+1, number, code, s.without.lower) {
				return false
			}
		}
	}
	return true
}

// order writes what shows that no smaller feature does as well at any split of
// the tree that begins at a node, on the set of frame d, and returns its value.
func (p *prover) order(d int, parent uint64, side int, tree Tree, at *int) (value int64, ok bool) {
	f := tree[*at]
	if *at++; f < 0 {
		cost, _ := p.splits.LeafCost(p.frames[d].set)
		return p.One(cost), true
	}
	k := p.frames[d].key
	if !p.record(d, parent, side, 0) {
		return 0, false
	}
	number := p.written[k].record
	for _, with := range []bool{true, false} {
		code := 2 * p.features[f]
		if with {
			code++
		}
		p.descend(d, f, with, bitvec.Key{})
		below := &p.frames[d+1]
		below.key = p.withLevels(p.hasher.Hash(below.set), below.levels)
		v, ok := p.order(d+1, number, code, tree, at)
		if !ok {
			return 0, false
		}
		value += v
	}
	if !p.count(d) {
		return 0, false
	}
	smaller := slices.DeleteFunc(p.candidates(&p.frames[d], value), func(s split) bool { return int(s.feature) >= f })
	return value, p.cover(d, number, smaller, value+1)
}

// append adds a record to the block at hand and returns its number.
func (p *prover) append(parent uint64, side int, bound int64) uint64 {
	out, number := p.out, p.out.Records
	if number > 0 {
		out.Buffer = binary.AppendUvarint(out.Buffer, number-parent)
		out.Buffer = binary.AppendUvarint(out.Buffer, uint64(side))
	}
	out.Buffer = binary.AppendUvarint(out.Buffer, uint64(bound))
	out.Recorded()
	return number
}

// claim says what the proof proves: the tree and its errors.
func (p *prover) claim(tree Tree, v int64) []byte {
	b := binary.AppendUvarint(nil, uint64(len(tree)))
	for _, x := range tree {
		if x >= 0 {
			x = p.features[x]
		} else {
			x = p.in.Antecedents + -1 - x
		}
		b = binary.AppendUvarint(b, uint64(x))
	}
	return binary.AppendUvarint(b, uint64(p.Errors(v)))
}
