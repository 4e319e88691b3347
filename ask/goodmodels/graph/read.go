package graph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// ErrFile reports a file that is no proof of good models, or is not about these data.
var ErrFile = errors.New("not a file of good models of these data")

// reading is what a reader knows of lists or trees.
type reading struct {
	*Set
	named   map[int64][]uint64 // the set of each state that a split has led to
	columns [][]uint64
	column  []int32 // by antecedent
	ends    func(set []uint64) []int64
	samples []uint64 // the points that are no ghosts
}

// Read reads the graph of lists or trees from a proof, which it does not check. About has digest and weight of the
// data; problem makes the problem for the λ that the file tells.
func Read(from io.Reader, about Proof, trees bool, problem func(lambda ratio.Ratio) (*Problem, error)) (*Set, error) {
	in := blockfile.NewReader(from, 'Z', ErrFile)
	if err := in.Begin("proof of good models", proofMagic, proofVersion); err != nil {
		return nil, err
	}
	kind, payload, err := in.Next()
	if err != nil {
		return nil, err
	}
	if kind != 'H' || len(payload) < len(about.Digest) || !bytes.Equal(payload[:len(about.Digest)], about.Digest[:]) {
		return nil, ErrFile
	}
	r := &numbers{left: payload[len(about.Digest):]}
	lambda := ratio.Ratio{Num: r.next(), Den: r.next()}
	antecedents, weight, of, threshold, last := r.next(), r.next(), r.next(), r.next(), r.next()
	if r.short || !lambda.Within() || weight != about.Weight || of > ofTrees || trees != (of == ofTrees) {
		return nil, ErrFile
	}
	p, err := problem(lambda)
	if err != nil {
		return nil, err
	}
	if int64(len(p.Columns)) != antecedents {
		return nil, ErrFile
	}
	x, err := p.reading(trees, threshold, last)
	if err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	for {
		kind, payload, err := in.Next()
		switch {
		case err != nil:
			return nil, err
		case kind == 'Z':
			if err := in.End(max(0, len(payload)-sha256.Size)); err != nil {
				return nil, err
			}
			return x.finish()
		case kind != 'R':
			return nil, fmt.Errorf("%w: a block of type %q", ErrFile, kind)
		}
		for r.left = payload; len(r.left) > 0; {
			kind, n := r.next(), r.next()
			if kind == stateRecord {
				x.state(n, r)
				continue
			}
			for ; n >= 0 && !r.short; n-- { // the members and a number
				r.next()
			}
		}
		if r.short {
			return nil, ErrFile
		}
	}
}

// reading makes what is known before the states. The last number of the header is a depth of trees, and for lists that of
// limits, which there must not be.
func (p *Problem) reading(trees bool, threshold, last int64) (x *reading, err error) {
	var all []uint64
	if trees {
		if last > 1<<20 {
			return nil, ErrFile
		}
		p.Depth = int(last)
		b, err := newTreeBuilder(context.Background(), p, threshold, Options{})
		if err != nil {
			return nil, err
		}
		b.threshold, b.complete = threshold-b.base, true
		x = &reading{Set: b.empty(), columns: p.Columns, samples: b.samples}
		f := b.frame(0)
		x.ends = func(set []uint64) (ends []int64) {
			b.count(f, set)
			for _, lost := range f.all {
				ends = append(ends, p.Price+lost)
			}
			return ends
		}
		all, _ = b.root()
	} else {
		l, err := newLayout(p)
		if err != nil || last != 0 {
			return nil, errors.Join(ErrFile, err)
		}
		x = &reading{Set: l.empty(threshold - l.base), columns: l.columns, samples: l.all[:l.realWords]}
		x.ends = func(set []uint64) []int64 { return l.losses(nil, set) }
		all = l.all
	}
	x.column = make([]int32, len(p.Columns))
	for c, list := range x.antecedents {
		for _, a := range list {
			x.column[a] = int32(c)
		}
	}
	x.named = map[int64][]uint64{0: all}
	return x, nil
}

// state reads the splits of the next state. A fault ends the reading as a record that is too short does.
func (x *reading) state(n int64, r *numbers) {
	at := int64(len(x.states))
	set, ok := x.named[at]
	if !ok {
		r.fail()
		return
	}
	of := state{set: set, ends: x.ends(set)}
	for ; n > 0 && !r.short; n-- {
		antecedent, with, without := r.next(), r.next(), r.next()
		if r.short || antecedent >= int64(len(x.column)) {
			r.fail()
			return
		}
		s := split{x.column[antecedent], int32(with), int32(without)}
		sides := [2][]uint64{make([]uint64, len(set)), make([]uint64, len(set))}
		var samples [2]uint64
		for i, w := range set {
			sides[1][i], sides[0][i] = w&x.columns[s.column][i], w&^x.columns[s.column][i]
			if i < len(x.samples) {
				samples[1] |= sides[1][i] & x.samples[i]
				samples[0] |= sides[0][i] & x.samples[i]
			}
		}
		ok := samples[0] != 0 && samples[1] != 0 && x.name(at, without, sides[0])
		if x.lists {
			s.with, ok = rule, ok && with == 0
		} else {
			ok = ok && x.name(at, with, sides[1])
		}
		if !ok {
			r.fail()
			return
		}
		of.splits = append(of.splits, s)
	}
	x.states = append(x.states, of)
}

// name notes that a split of a state leads to a child with such a set, and reports whether that may be.
func (x *reading) name(state, child int64, set []uint64) bool {
	known, ok := x.named[child]
	if child <= state || child > math.MaxInt32 || ok && !slices.Equal(known, set) {
		return false
	}
	x.named[child] = set
	return true
}

// finish makes the set of what was read.
func (x *reading) finish() (*Set, error) {
	if len(x.named) != max(len(x.states), 1) {
		return nil, ErrFile // it does not tell of all states
	}
	x.settle()
	return x.Set, nil
}

// numbers reads the numbers of a payload.
type numbers struct {
	left  []byte
	short bool // it ended early
}

func (r *numbers) next() int64 {
	x, n := binary.Uvarint(r.left)
	if n <= 0 || x > math.MaxInt64 {
		r.fail()
		return 0
	}
	r.left = r.left[n:]
	return int64(x)
}

func (r *numbers) fail() { r.short, r.left = true, nil }
