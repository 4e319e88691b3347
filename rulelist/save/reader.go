package save

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"parcorels/internal/blockfile"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// Reader reads a checkpoint block by block.
type Reader struct {
	*blockfile.Reader
	payload []byte // of the block at hand
	code    prefixCode
	m       int    // antecedents of the instance
	among   []bool // antecedents of code.last
	counts  [2]uint64
}

func newReader(from io.Reader, antecedents int) *Reader {
	return &Reader{
		Reader: blockfile.NewReader(from, kindEnd, ErrCheckpoint),
		m:      antecedents, among: make([]bool, antecedents),
	}
}

// Open reads and checks what a checkpoint begins with.
func Open(from io.Reader, h Head, p *problem.Problem) (r *Reader, st State, err error) {
	r = newReader(from, p.In.Antecedents)
	if err = r.Begin("checkpoint", checkpointMagic, checkpointVersion); err != nil {
		return nil, State{}, err
	}
	kind, err := r.next()
	if err != nil {
		return nil, State{}, err
	}
	if kind != kindState {
		return nil, State{}, r.Damaged("block 1 is not the first of a checkpoint")
	}
	st, err = r.state(&h, p)
	return r, st, err
}

// next reads the next block into payload and returns its type.
func (r *Reader) next() (kind byte, err error) {
	kind, r.payload, err = r.Next()
	return kind, err
}

// state reads the first block and compares the problem with p.
func (r *Reader) state(h *Head, p *problem.Problem) (st State, err error) {
	f := fields{b: r.payload}
	digest := f.bytes(len(h.Digest))
	num, den, most := f.number(), f.number(), f.number()
	m, total := f.number(), f.number()
	switch {
	case f.bad:
	case num != uint64(h.Lambda.Num) || den != uint64(h.Lambda.Den):
		return st, fmt.Errorf("%w: it was saved with λ = %s, not %v", ErrCheckpoint, lambdaText(num, den), h.Lambda)
	case most != uint64(h.MaxRules):
		return st, fmt.Errorf("%w: it was saved with a limit of %d rules, not %d (0: none)", ErrCheckpoint, most, h.MaxRules)
	case m != uint64(p.In.Antecedents):
		return st, fmt.Errorf("%w: it was saved with %d antecedents, not %d", ErrCheckpoint, m, p.In.Antecedents)
	case total != uint64(p.In.Total):
		return st, fmt.Errorf("%w: it was saved with samples of total weight %d, not %d", ErrCheckpoint, total, p.In.Total)
	case !bytes.Equal(digest, h.Digest[:]):
		return st, ErrOtherData
	}
	length := f.numberTo(uint64(min(p.In.Antecedents, p.Longest)))
	seen := make([]bool, p.In.Antecedents)
	for range length {
		a := f.numberTo(uint64(p.In.Antecedents - 1))
		if f.bad || seen[a] {
			return st, r.Damaged("the rule list of block 1 is none")
		}
		seen[a] = true
		st.List = append(st.List, problem.Antecedent(a))
	}
	st.Totals.Elapsed = time.Duration(f.numberTo(1 << 62))
	for _, n := range st.Totals.counts() {
		*n = int64(f.numberTo(1 << 62))
	}
	st.Bound = int64(f.numberTo(problem.MaxScaled))
	st.Separation.read(&f)
	readProofMark(&f, &st.Proof)
	if f.bad || len(f.b) > 0 {
		return st, r.Damaged("block 1 does not hold what it should")
	}
	return st, nil
}

// lambdaText writes a λ as package ratio does, if it is one.
func lambdaText(num, den uint64) string {
	if r := (ratio.Ratio{Num: int64(num), Den: int64(den)}); r.Within() || den == 1 {
		return r.String()
	}
	return fmt.Sprintf("%d/%d", num, den)
}

// Each calls f with the prefixes of all blocks that follow, as antecedents, with by how much
// their bounds exceed those of their costs, and then checks the end and the seal. It stops when ctx is done.
func (r *Reader) Each(ctx context.Context, f func(kind byte, prefix []problem.Antecedent, more int64)) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		kind, err := r.next()
		if err != nil {
			return err
		}
		switch kind {
		case KindOpen, KindClosed:
			err = r.prefixes(kind, f)
		case kindEnd:
			return r.end()
		default:
			err = r.Damaged("block %d has an unknown type", r.At())
		}
		if err != nil {
			return err
		}
	}
}

// prefixes calls f with those of the block at hand.
func (r *Reader) prefixes(kind byte, f func(kind byte, prefix []problem.Antecedent, more int64)) error {
	r.code.reset()
	for b := r.payload; len(b) > 0; {
		var err error
		if b, err = r.code.next(b, r.m); err != nil || !r.distinct() {
			return r.Damaged("block %d does not hold prefixes", r.At())
		}
		var more uint64
		if kind == KindOpen {
			var ok bool
			if more, b, ok = uvarint(b, problem.MaxScaled); !ok {
				return r.Damaged("block %d does not hold bounds", r.At())
			}
			r.counts[0]++
		} else {
			r.counts[1]++
		}
		f(kind, r.code.last, int64(more))
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
func (r *Reader) end() error {
	f := fields{b: r.payload}
	open, closed := f.number(), f.number()
	if f.bad || open != r.counts[0] || closed != r.counts[1] {
		return r.Damaged("the last block does not fit the others")
	}
	return r.End(len(r.payload) - len(f.b))
}

// fields reads the fields of a payload. After one that is not there, or out of
// range, bad is set and all are zero.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) number() uint64 { return f.numberTo(1<<64 - 1) }

func (f *fields) numberTo(most uint64) uint64 {
	x, rest, ok := uvarint(f.b, most)
	if f.bad = f.bad || !ok; f.bad {
		return 0
	}
	f.b = rest
	return x
}

func (f *fields) bytes(n int) []byte {
	if f.bad = f.bad || len(f.b) < n; f.bad {
		return nil
	}
	b := f.b[:n]
	f.b = f.b[n:]
	return b
}
