package parcorels

import (
	"cmp"
	"context"
	"math/big"
	"math/rand/v2"
	"runtime"

	"github.com/bits-and-blooms/bitset"
	"golang.org/x/sync/errgroup"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/optionerr"
)

// Chance says how often labels that say nothing allow as good a model.
type Chance struct {
	Shuffles int // with labels dealt out to the rows at random
	AsGood   int // of these, how many have a model at least as good as that of the labels as they are
	Unproved int // searches that a limit ended: a better model may exist
}

// P is an upper bound on the probability that labels without any meaning allow a model as
// good as that found (Phipson and Smyth, 2010): the labels as they are count as a
// shuffle, and so does each search that a limit ended as one as good.
func (c Chance) P() float64 { return float64(c.AsGood+c.Unproved+1) / float64(c.Shuffles+1) }

// Chance deals the labels out to the rows at random, cuts the numbers and searches again,
// and so on, n times. m is what Fit found with the same options. A row's label takes its
// weight along, so that the classes keep theirs. The same seed gives the same answer for
// any number of workers.
//
// Numbers are cut anew if the table was read with KeepColumns or has at most 500 rows. If
// they are not, too few shuffles look as good.
func (p *Problem) Chance(ctx context.Context, m *Model, o Options, n int, seed uint64) (Chance, error) {
	if n < 1 || n > mostShuffles {
		return Chance{}, optionerr.Errorf("Chance", "%d shuffles, expected 1 to %d", n, mostShuffles)
	}
	found := make([]*Model, n)
	o.Progress, o.Proof, o.Checkpoint, o.Pause = nil, nil, nil, nil
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)))
	o.Workers = 1
	if o.Nodes == 0 && p.kind != model.RuleSet {
		o.Nodes = mostNodes
	}
	for i := range n {
		group.Go(func() (err error) {
			d := &Data{shuffled(p.Set.Data, rand.New(rand.NewPCG(seed, uint64(i)))), p.reading}
			found[i], err = Fit(inside, d, o)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Chance{}, err
	}
	c := Chance{Shuffles: n}
	want := m.Certificate()
	for _, other := range found {
		got := other.Certificate()
		worse := big.NewRat(got.Objective.Num, got.Objective.Den).Cmp(big.NewRat(want.Objective.Num, want.Objective.Den))
		if want.Maximize {
			worse = -worse
		}
		bound := big.NewRat(got.Bound.Num, got.Bound.Den).Cmp(big.NewRat(want.Objective.Num, want.Objective.Den))
		if want.Maximize {
			bound = -bound
		}
		switch {
		case worse <= 0:
			c.AsGood++
		case bound <= 0:
			c.Unproved++
		}
	}
	return c, nil
}

// A search of shuffled labels ends after mostNodes: noise is hard to prove anything of, but
// its bound soon passes the objective of labels that say something.
const (
	mostShuffles = 100_000
	mostNodes    = 2_000
)

// shuffled returns the data with labels, and their weights, in another order.
func shuffled(d *dataset.Dataset, rng *rand.Rand) *dataset.Dataset {
	s, order := *d, rng.Perm(d.N)
	if d.Labels != nil {
		s.Labels = bitset.New(uint(d.N))
		for i, from := range order {
			s.Labels.SetTo(uint(i), d.Labels.Test(uint(from)))
		}
	}
	if d.ClassOf != nil {
		s.ClassOf = make([]uint16, d.N)
		for i, from := range order {
			s.ClassOf[i] = d.ClassOf[from]
		}
	}
	if d.Weights != nil {
		s.Weights = make([]int64, d.N)
		for i, from := range order {
			s.Weights[i] = d.Weights[from]
		}
	}
	all := bitset.New(uint(d.N)).FlipRange(0, uint(d.N))
	return s.Recut(all, s.Weights)
}
