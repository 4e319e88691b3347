package save

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"time"

	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/verify/framing"
)

// Reader reads a checkpoint block by block.
type Reader struct {
	*framing.Reader
	code   prefixCode
	m      int    // antecedents of the instance
	among  []bool // antecedents of code.last
	counts [2]uint64
}

// Open reads and checks what a checkpoint begins with.
func Open(from io.Reader, h Head, p *problem.Problem) (_ *Reader, st State, err error) {
	r := &Reader{m: p.In.Antecedents, among: make([]bool, p.In.Antecedents)}
	if r.Reader, err = checkpoint.Open(from); err != nil {
		return nil, st, err
	}
	kind, payload, err := r.Next()
	if err != nil {
		return nil, st, err
	}
	if kind != kindState {
		return nil, st, r.Refused("block 0 is not the first of a checkpoint")
	}
	st, err = r.state(payload, &h, p)
	return r, st, err
}

// state reads the first block and compares the problem with p.
func (r *Reader) state(payload []byte, h *Head, p *problem.Problem) (st State, err error) {
	f := &framing.Parser{Bytes: payload}
	digest := f.Take(uint64(len(h.Digest)))
	num, den, most := f.Varint(), f.Varint(), f.Varint()
	m, total := f.Varint(), f.Varint()
	switch {
	case f.Err != nil:
	case num != uint64(h.Lambda.Num) || den != uint64(h.Lambda.Den):
		return st, fmt.Errorf("%w: it was saved with λ = %v, not %v", ErrCheckpoint, ratio.Ratio{Num: int64(num), Den: int64(den)},
			h.Lambda)
	case most != uint64(h.MaxRules):
		return st, fmt.Errorf("%w: it was saved with a limit of %d rules, not %d (0: none)", ErrCheckpoint, most, h.MaxRules)
	case m != uint64(p.In.Antecedents):
		return st, fmt.Errorf("%w: it was saved with %d antecedents, not %d", ErrCheckpoint, m, p.In.Antecedents)
	case total != uint64(p.In.Total):
		return st, fmt.Errorf("%w: it was saved with samples of total weight %d, not %d", ErrCheckpoint, total, p.In.Total)
	case !bytes.Equal(digest, h.Digest[:]):
		return st, ErrOtherData
	}
	length := f.Below("length", min(p.In.Antecedents, p.Longest)+1)
	seen := make([]bool, p.In.Antecedents)
	for range length {
		a := f.Below("antecedent", p.In.Antecedents)
		if f.Err != nil || seen[a] {
			return st, r.Refused("the rule list of block 0 is none")
		}
		seen[a] = true
		st.List = append(st.List, problem.Antecedent(a))
	}
	st.Totals.Search = time.Duration(f.Below64("time", mostNumber))
	for _, n := range st.Totals.counts() {
		*n = f.Below64("count", mostNumber)
	}
	st.Bound = f.Below64("bound", problem.MaxScaled+1)
	st.Separation.read(f)
	readProofMark(f, &st.Proof)
	if f.More() {
		f.Fail(framing.ErrBehind)
	}
	if f.Err != nil {
		return st, r.Refused("block 0: %w", f.Err)
	}
	return st, nil
}

// Each calls f with the prefixes of all blocks that follow, as antecedents, with by how much
// their bounds exceed those of their costs, and then checks the end and the seal. It stops when ctx is done.
func (r *Reader) Each(ctx context.Context, f func(kind byte, prefix []problem.Antecedent, more int64)) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		kind, payload, err := r.Next()
		if err != nil {
			return err
		}
		switch kind {
		case KindOpen, KindClosed:
			err = r.prefixes(kind, payload, f)
		case framing.Claim:
			return r.end(payload)
		default:
			err = r.Refused("block %d has an unknown type", r.Last())
		}
		if err != nil {
			return err
		}
	}
}

// prefixes calls f with those of a block.
func (r *Reader) prefixes(kind byte, b []byte, f func(kind byte, prefix []problem.Antecedent, more int64)) error {
	r.code.reset()
	for p := (framing.Parser{Bytes: b}); p.More(); {
		r.code.next(&p, r.m)
		if p.Err != nil || !r.distinct() {
			return r.Refused("block %d does not hold prefixes", r.Last())
		}
		var more int64
		if kind == KindOpen {
			more = p.Below64("bound", problem.MaxScaled+1)
			r.counts[0]++
		} else {
			r.counts[1]++
		}
		if p.Err != nil {
			return r.Refused("block %d does not hold bounds", r.Last())
		}
		f(kind, r.code.last, more)
	}
	return nil
}

// distinct reports whether no antecedent of the prefix comes twice.
func (r *Reader) distinct() bool {
	ok := true
	for i, a := range r.code.last {
		if r.among[a] {
			ok = false
			r.code.last = r.code.last[:i]
			break
		}
		r.among[a] = true
	}
	for _, a := range r.code.last {
		r.among[a] = false
	}
	return ok
}

// end checks the end block, and that nothing is behind it.
func (r *Reader) end(payload []byte) error {
	f := framing.Parser{Bytes: payload}
	open, closed, seal := f.Varint(), f.Varint(), f.Take(sha256.Size)
	if f.Err != nil || f.More() || open != r.counts[0] || closed != r.counts[1] || !bytes.Equal(seal, r.Sum()) {
		return r.Refused("the last block does not fit the others")
	}
	return r.End()
}
