package rashomon

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// ReadTrees reads the graph from a proof, which it does not check. About has digest and weight of the
// data; problem makes the problem for the λ that the file tells.
func ReadTrees(from io.Reader, about Proof, problem func(lambda ratio.Ratio) (*Problem, error)) (*Trees, error) {
	in := blockfile.NewReader(from, 'Z', ErrFile)
	if err := in.Begin("proof of good trees", treeMagic, treeVersion); err != nil {
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
	antecedents, weight, threshold, depth := r.next(), r.next(), r.next(), r.next()
	if r.short || !lambda.Within() || weight != about.Weight || depth > 1<<20 {
		return nil, ErrFile
	}
	p, err := problem(lambda)
	if err != nil {
		return nil, err
	}
	p.Depth = int(depth)
	if int64(len(p.Columns)) != antecedents {
		return nil, ErrFile
	}
	b, err := newTreeBuilder(context.Background(), p, threshold, Options{})
	if err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	b.threshold, b.Complete = threshold-b.base, true
	b.begin()
	all, level := b.root()
	named := map[int64]int32{0: b.reach(all, level, 0, 0)} // of each state of the file that a split has led to, its place here
	state := int64(0)
	for {
		kind, payload, err := in.Next()
		if err != nil {
			return nil, err
		}
		switch kind {
		case 'R':
			if state, err = b.records(payload, state, named); err != nil {
				return nil, err
			}
		case 'Z':
			if err := in.End(max(0, len(payload)-sha256.Size)); err != nil {
				return nil, err
			}
			if slices.ContainsFunc(b.states, func(s treeState) bool { return s.leaves == nil }) {
				return nil, ErrFile // it does not tell of all states
			}
			return b.Only(func(int) bool { return true }), nil // with values and rooms
		default:
			return nil, fmt.Errorf("%w: a block of type %q", ErrFile, kind)
		}
	}
}

// records makes the splits of the states that a block tells of, from one on, and returns the next.
func (b *treeBuilder) records(payload []byte, state int64, named map[int64]int32) (int64, error) {
	r := &numbers{left: payload}
	for len(r.left) > 0 {
		kind, n := r.next(), r.next()
		if kind != treeStateRecord {
			for ; n >= 0 && !r.short; n-- { // the sides and a number
				r.next()
			}
			continue
		}
		at, ok := named[state]
		if !ok || b.states[at].leaves != nil {
			return 0, ErrFile
		}
		f := b.frame(0)
		b.count(f, b.states[at].set)
		for _, lost := range f.all {
			b.states[at].leaves = append(b.states[at].leaves, b.p.Price+lost)
		}
		next := max(b.states[at].level-1, -1)
		for ; n > 0 && !r.short; n-- {
			antecedent, with, without := r.next(), r.next(), r.next()
			if r.short || antecedent >= int64(len(b.p.Columns)) || b.states[at].level == 0 || !f.split(b.states[at].set, b.p.Columns[antecedent], b.samples) {
				return 0, ErrFile
			}
			x := split{column: int32(antecedent), with: b.reach(f.sides[1], next, 0, 0), without: b.reach(f.sides[0], next, 0, 0)}
			b.states[at].splits = append(b.states[at].splits, x)
			named[with], named[without] = x.with, x.without
		}
		state++
	}
	if r.short {
		return 0, ErrFile
	}
	return state, nil
}
