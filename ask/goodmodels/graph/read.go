package graph

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
	b := &builder{}
	b.known = map[bitvec.Key]int32{}
	named := map[int64]int32{0: 0} // of each state of the file that an edge has led to, its place here
	var columns []int32
	begin := func(p *Problem, threshold, limits int64) (err error) {
		if b.layout, err = newLayout(p); err != nil || limits != 0 {
			return errors.Join(ErrFile, err)
		}
		b.threshold, b.hash = threshold-b.base, bitvec.NewHasher(b.words)
		columns = make([]int32, len(p.Columns))
		for c, all := range b.antecedents {
			for _, a := range all {
				columns[a] = int32(c)
			}
		}
		b.d[b.add(b.all, b.hash.Hash(b.all), 0, b.losses(nil, b.all))] = 0
		return nil
	}
	lists := proofFormat{"proof of good rule lists", proofMagic, proofVersion, stateRecord}
	err := lists.read(from, about, problem, begin, func(number, n int64, r *numbers) error {
		state, ok := named[number]
		if !ok {
			return ErrFile
		}
		b.from[state] = int32(len(b.edges))
		for ; n > 0 && !r.short; n-- {
			antecedent, labels, child := r.next(), r.next(), r.next()
			if antecedent >= int64(len(columns)) || r.short || labels>>b.classes != 0 {
				return ErrFile
			}
			at, ok := b.follow(state, columns[antecedent], uint64(labels))
			if !ok {
				return ErrFile
			}
			named[child] = at
		}
		b.to[state] = int32(len(b.edges))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// proofFormat is a kind of proofs: what Begin calls it, and the kind of records that tell of a state.
type proofFormat struct {
	what, magic string
	version     uint32
	state       int64
}

// read reads a proof: begin gets the problem, the threshold and the last number of the header, and
// state the number of each state, how many parts its record has, and these.
func (f proofFormat) read(from io.Reader, about Proof, problem func(lambda ratio.Ratio) (*Problem, error),
	begin func(p *Problem, threshold, last int64) error, state func(number, n int64, r *numbers) error) error {
	in := blockfile.NewReader(from, 'Z', ErrFile)
	if err := in.Begin(f.what, f.magic, f.version); err != nil {
		return err
	}
	kind, payload, err := in.Next()
	if err != nil {
		return err
	}
	if kind != 'H' || len(payload) < len(about.Digest) || !bytes.Equal(payload[:len(about.Digest)], about.Digest[:]) {
		return ErrFile
	}
	r := &numbers{left: payload[len(about.Digest):]}
	lambda := ratio.Ratio{Num: r.next(), Den: r.next()}
	antecedents, weight, threshold, last := r.next(), r.next(), r.next(), r.next()
	if r.short || !lambda.Within() || weight != about.Weight {
		return ErrFile
	}
	p, err := problem(lambda)
	if err != nil {
		return err
	}
	if int64(len(p.Columns)) != antecedents {
		return ErrFile
	}
	if err := begin(p, threshold, last); err != nil {
		return err
	}
	for number := int64(0); ; {
		kind, payload, err := in.Next()
		switch {
		case err != nil:
			return err
		case kind == 'Z':
			return in.End(max(0, len(payload)-sha256.Size))
		case kind != 'R':
			return fmt.Errorf("%w: a block of type %q", ErrFile, kind)
		}
		for r.left = payload; len(r.left) > 0; {
			kind, n := r.next(), r.next()
			if kind != f.state {
				for ; n >= 0 && !r.short; n-- { // the members and a number
					r.next()
				}
				continue
			}
			if err := state(number, n, r); err != nil {
				return err
			}
			number++
		}
		if r.short {
			return ErrFile
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
