package search

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"

	"parcorels/instance"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/separation"
)

// What one process finds before a search in blocks begins, for the others: a first incumbent, and
// what the root's LP says. It takes them some hundredths of a second instead of a second or more.
//
// It need not be believed. The list is evaluated, the bound is computed anew (separation.Seed), and
// the accounts of ascents decide what is bounded, not what is found.

// seed is what is sent.
type seed struct {
	List      []int
	Root      *separation.Seed // nil: the root is not bounded
	Surcharge int64            // of its LP
	Ahead     int64            // as in separated
}

// ErrSeed reports bytes that Seed of the same problem has not returned.
var ErrSeed = errors.New("what was prepared is damaged, or of another problem")

// Seed returns what another process needs not find again.
func (r *Ready) Seed() ([]byte, error) {
	x := seed{List: exported(r.s.incumbent.Load()).Antecedents}
	if y := r.s.separated; y != nil && y.Root != nil {
		x.Root, x.Surcharge, x.Ahead = separation.SeedOf(y.Root), y.P.Surcharge, y.Ahead
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := json.NewEncoder(z).Encode(&x)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

// mostSeed bounds the bytes of a seed.
const mostSeed = 1 << 30

// PrepareFrom is Prepare with what Seed returned in another process, or ErrSeed.
func PrepareFrom(ctx context.Context, in *instance.Instance, o Options, b []byte) (*Ready, error) {
	x, err := readSeed(b)
	if err != nil {
		return nil, err
	}
	return prepare(ctx, in, o, x)
}

func readSeed(b []byte) (*seed, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, ErrSeed
	}
	var x seed
	if json.NewDecoder(io.LimitReader(z, mostSeed)).Decode(&x) != nil {
		return nil, ErrSeed
	}
	return &x, nil
}

// use takes what another process found.
func (x *seed) use(ctx context.Context, s *search) error {
	l, err := evaluated(s.p, x.List)
	if err != nil {
		return ErrSeed
	}
	s.offer(l.solution())
	if x.Root == nil || !s.p.Uses(problem.Separation) || s.proof != nil && s.p.In.Separate {
		return nil
	}
	if x.Ahead < 1 || x.Surcharge < 0 || x.Surcharge > 0 && (!s.p.Limited || x.Surcharge > s.p.EmptyObjective()) {
		return ErrSeed
	}
	p := s.layOut(x.Surcharge)
	if p == nil {
		return nil
	}
	r := rootRun{s: s, x: &prune.Separated{P: p, Ahead: min(x.Ahead, prune.MostNodes)}}
	if r.x.Root, err = separation.FromSeed(p, x.Root, r.room(), s.proof != nil); err != nil {
		return ErrSeed
	}
	if r.bytes = r.x.Root.Bytes(); !s.budget.Reserve(r.bytes) {
		return nil
	}
	r.tell()
	r.use()
	return nil
}
