package rashomon

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"parcorels/bitvec"
	"parcorels/internal/blockfile"
	"parcorels/ratio"
)

// ErrFile reports a file that is no proof of good lists, or is not about these data.
var ErrFile = errors.New("not a file of good rule lists of these data")

// Read reads the graph from a proof, which it does not check. About has digest and weight of the
// data; problem makes the problem for the λ that the file tells.
func Read(from io.Reader, about Proof, problem func(lambda ratio.Ratio) (*Problem, error)) (*Set, error) {
	in := blockfile.NewReader(from, 'Z', ErrFile)
	if err := in.Begin("proof of good rule lists", proofMagic, proofVersion); err != nil {
		return nil, err
	}
	kind, payload, err := in.Next()
	if err != nil {
		return nil, err
	}
	r := &numbers{left: payload}
	if kind != 'H' || len(payload) < len(about.Digest) || !bytes.Equal(payload[:len(about.Digest)], about.Digest[:]) {
		return nil, ErrFile
	}
	r.left = payload[len(about.Digest):]
	lambda := ratio.Ratio{Num: r.next(), Den: r.next()}
	antecedents, weight, threshold := r.next(), r.next(), r.next()
	if limits := r.next(); r.short || limits != 0 || !lambda.Within() || weight != about.Weight {
		return nil, ErrFile
	}
	p, err := problem(lambda)
	if err != nil {
		return nil, err
	}
	b := &builder{}
	if b.layout, err = newLayout(p); err != nil || int64(len(p.Columns)) != antecedents {
		return nil, errors.Join(ErrFile, err)
	}
	b.threshold, b.hash = threshold-b.base, bitvec.NewHasher(b.words)
	columns := make([]int32, len(p.Columns))
	for c, all := range b.antecedents {
		for _, a := range all {
			columns[a] = int32(c)
		}
	}
	b.known = map[bitvec.Key]int32{}
	b.d[b.add(b.all, b.hash.Hash(b.all), 0, b.losses(nil, b.all))] = 0
	named := map[int64]int32{0: 0} // of each state of the file that an edge has led to, its place here
	state := int64(0)
	for {
		kind, payload, err := in.Next()
		if err != nil {
			return nil, err
		}
		switch kind {
		case 'R':
			if state, err = b.records(payload, state, named, columns); err != nil {
				return nil, err
			}
		case 'Z':
			if err := in.End(max(0, len(payload)-sha256.Size)); err != nil {
				return nil, err
			}
			s := b.finish()
			return s, nil
		default:
			return nil, fmt.Errorf("%w: a block of type %q", ErrFile, kind)
		}
	}
}

// numbers reads the numbers of a payload.
type numbers struct {
	left  []byte
	short bool // it ended early
}

func (r *numbers) next() int64 {
	x, n := binary.Uvarint(r.left)
	if n <= 0 || x > math.MaxInt64 {
		r.short, r.left = true, nil
		return 0
	}
	r.left = r.left[n:]
	return int64(x)
}

// records makes the states and edges that a block tells of, from a state of the file on, and returns
// the next one.
func (b *builder) records(payload []byte, number int64, named map[int64]int32, columns []int32) (int64, error) {
	r := &numbers{left: payload}
	for len(r.left) > 0 {
		kind, n := r.next(), r.next()
		if kind != stateRecord {
			for ; n >= 0 && !r.short; n-- { // the members and a number
				r.next()
			}
			continue
		}
		state, ok := named[number]
		if !ok {
			return 0, ErrFile
		}
		b.from[state] = int32(len(b.edges))
		for ; n > 0 && !r.short; n-- {
			antecedent, labels, child := r.next(), r.next(), r.next()
			if antecedent >= int64(len(columns)) || r.short || labels>>b.classes != 0 {
				return 0, ErrFile
			}
			at, ok := b.follow(state, columns[antecedent], uint64(labels))
			if !ok {
				return 0, ErrFile
			}
			named[child] = at
		}
		b.to[state] = int32(len(b.edges))
		number++
	}
	if r.short {
		return 0, ErrFile
	}
	return number, nil
}

// follow adds the edges of a column, and returns the state that they lead to.
func (b *builder) follow(state, column int32, labels uint64) (int32, bool) {
	set := b.points(state)
	if !b.splits(set, b.columns[column]) {
		return 0, false
	}
	left := make([]uint64, b.words)
	key := b.hash.AndNotHash(left, set, b.columns[column])
	at, ok := b.known[key]
	if !ok {
		at = b.add(left, key, 0, b.losses(nil, left))
	}
	b.lead(state, at, column, labels)
	return at, true
}
