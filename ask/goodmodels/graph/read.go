package graph

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// ErrFile reports a file that is no proof of good models, or is not about these data.
var ErrFile = errors.New("not a file of good models of these data")

// reading is what a reader knows of lists or trees.
type reading struct {
	*Set
	named  map[int64][]uint64 // the set of each state that a split has led to
	column []int32            // by antecedent
	layout *layout
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
	if r.short || !lambda.Within() || weight != about.Weight || of > 1 || trees != (of == 1) {
		return nil, ErrFile
	}
	p, err := problem(lambda)
	if err != nil {
		return nil, err
	}
	if int64(len(p.Columns)) != antecedents {
		return nil, ErrFile
	}
	// The last number is a depth of trees, and for lists that of limits, which there must not be.
	if last > 1<<20 || !trees && last != 0 {
		return nil, ErrFile
	}
	p.Trees, p.Depth = trees, int(last)
	l, err := newLayout(p)
	if err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	x := &reading{Set: l.empty(threshold - l.base), named: map[int64][]uint64{0: l.all}, layout: l, column: make([]int32, len(p.Columns))}
	for c, list := range x.antecedents {
		for _, a := range list {
			x.column[a] = int32(c)
		}
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

// state reads the splits of the next state. A fault ends the reading as a record that is too short does.
func (x *reading) state(n int64, r *numbers) {
	at := int64(len(x.states))
	set, ok := x.named[at]
	if !ok {
		r.fail()
		return
	}
	of := state{set: set, ends: x.layout.ends(nil, set)}
	for ; n > 0 && !r.short; n-- {
		antecedent, with, without := r.next(), r.next(), r.next()
		if r.short || antecedent >= int64(len(x.column)) {
			r.fail()
			return
		}
		s := split{x.column[antecedent], int32(with), int32(without)}
		ok := splits(set[:x.layout.realWords], x.layout.columns[s.column])
		for side, child := range []int64{without, with}[:x.layout.sides()] {
			of := make([]uint64, len(set))
			bitvec.AndNot(of, set, x.layout.outside[1-side][s.column])
			ok = ok && x.name(at, child, of)
		}
		if x.lists {
			s.with, ok = rule, ok && with == 0
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
