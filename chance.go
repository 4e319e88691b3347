package parcorels

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/bits-and-blooms/bitset"
	"golang.org/x/sync/errgroup"

	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model"
	"parcorels/optionerr"
	"parcorels/rulelist/problem"
	listsearch "parcorels/rulelist/search"
	"parcorels/tree/numeric"
	treesearch "parcorels/tree/search"
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

// ChanceOptions say how labels are shuffled.
type ChanceOptions struct {
	Shuffles int    // how often
	Made     Chance // what is known of the first of them, which are not made again
	Seed     uint64
	// Groups has a number for each sample. The labels of a group stay together, and only
	// groups of as many samples exchange theirs. nil: each sample is a group.
	Groups []int
	Nodes  int64 // prefixes or sets of each search; 0: mostNodes
}

// Usual is how many shuffles are made where nobody says: if none is as good, labels without
// meaning allow as good a model one time in a hundred at most.
const Usual = 99

// Chance deals the labels out to the rows at random, cuts the numbers and asks whether there
// is as good a model again, and so on, as c says. m is what Fit found with the same options. A row's label takes its
// weight along, so that the classes keep theirs. The same seed gives the same answer for
// any number of workers. Where the deadline of ctx ends a search, its answer is not known.
//
// Numbers are cut anew if the table was read with KeepColumns or has at most 500 rows. If
// they are not, too few shuffles look as good.
func (p *Problem) Chance(ctx context.Context, m *Model, o Options, c ChanceOptions) (Chance, error) {
	switch {
	case c.Shuffles < 1 || c.Shuffles > mostShuffles:
		return Chance{}, optionerr.Errorf("Chance", "%d shuffles, expected 1 to %d", c.Shuffles, mostShuffles)
	case c.Made.Shuffles > c.Shuffles:
		return Chance{}, optionerr.Errorf("Chance", "%d shuffles are made already, expected at most %d", c.Made.Shuffles, c.Shuffles)
	case c.Groups != nil && len(c.Groups) != p.Set.Data.N:
		return Chance{}, optionerr.Errorf("Groups", "%d numbers of groups for %d samples", len(c.Groups), p.Set.Data.N)
	}
	answers := make([]answer, c.Shuffles-c.Made.Shuffles)
	o.Progress, o.Proof, o.Checkpoint, o.Pause = nil, nil, nil, nil
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)))
	o.Workers = 1
	if p.kind != model.RuleSet {
		o.Nodes = cmp.Or(c.Nodes, o.Nodes, mostNodes)
	}
	s, err := p.withDefaults(o).resolve(p.reading)
	if err != nil {
		return Chance{}, err
	}
	again, err := p.relabelling(s)
	if err != nil {
		return Chance{}, err
	}
	want := m.Certificate()
	for i := range answers {
		group.Go(func() (err error) {
			if answers[i] = unknownAnswer; errors.Is(inside.Err(), context.DeadlineExceeded) {
				return nil
			}
			d := &Data{shuffled(p.Set.Data, c.Groups, rand.New(rand.NewPCG(c.Seed, uint64(c.Made.Shuffles+i)))), p.reading}
			if answers[i], err = asGood(inside, d, again, &want, s, o); errors.Is(err, context.DeadlineExceeded) {
				answers[i], err = unknownAnswer, nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Chance{}, err
	}
	r := c.Made
	r.Shuffles = c.Shuffles
	for _, a := range answers {
		switch a {
		case yes:
			r.AsGood++
		case unknownAnswer:
			r.Unproved++
		}
	}
	return r, nil
}

// answer to whether there is as good a model.
type answer int

const (
	no answer = iota
	yes
	unknownAnswer
)

// relabelling makes problems of the same samples with other labels. The points of the samples are
// found once: labels only change their weights.
type relabelling struct {
	of     *Problem
	places *instance.Places
}

// relabelling returns nil where other labels, with their weights, may have other antecedents.
func (p *Problem) relabelling(s *resolved) (*relabelling, error) {
	d := p.Set.Data
	if s.family.reaches == nil || p.first != nil || p.numbers != nil || d.Weights != nil && d.Format != "out" || p.Set.Informative || p.Set.Pruned() {
		return nil, nil
	}
	places, err := instance.PlacesFromSet(p.Set)
	return &relabelling{p, places}, err
}

// problem returns the problem of data with other labels, nil where their features are others, too.
func (r *relabelling) problem(d *Data) (_ *Problem, err error) {
	if r == nil || len(d.Features) != len(r.of.Set.Data.Features) || len(d.Features) == 0 || &d.Features[0] != &r.of.Set.Data.Features[0] {
		return nil, nil
	}
	set := *r.of.Set
	set.Data = d.Dataset
	p := &Problem{Set: &set, kind: r.of.kind, reading: d.reading, file: d.Source}
	if p.kind == model.RuleList {
		p.instance, err = r.places.Instance(&set)
	} else {
		p.points, err = r.places.Points(&set)
	}
	return p, err
}

// asGood asks whether some model of the data is as good as want says. s are the options, resolved.
func asGood(ctx context.Context, d *Data, again *relabelling, want *model.Certificate, s *resolved, o Options) (answer, error) {
	p, err := again.problem(d)
	if err == nil && p == nil {
		p, err = s.problem(ctx, d)
	}
	if err != nil {
		return 0, err
	}
	objective := big.NewRat(want.Objective.Num, want.Objective.Den)
	if s.family.reaches != nil && p.first == nil {
		units := new(big.Int).Mul(big.NewInt(s.price.Den), big.NewInt(d.TotalWeight()))
		target := units.Mul(units, objective.Num())
		if !target.Quo(target, objective.Denom()).IsInt64() {
			return 0, problem.ErrOverflow
		}
		return s.family.reaches(ctx, p, s, target.Int64())
	}
	other, err := p.Fit(ctx, o)
	if err != nil {
		return 0, err
	}
	got := other.Certificate()
	better := func(num, den int64) bool {
		order := big.NewRat(num, den).Cmp(objective)
		return order <= 0 && !want.Maximize || order >= 0 && want.Maximize
	}
	switch {
	case better(got.Objective.Num, got.Objective.Den):
		return yes, nil
	case better(got.Bound.Num, got.Bound.Den):
		return unknownAnswer, nil
	}
	return no, ctx.Err()
}

func answered(reached, known bool) answer {
	switch {
	case reached:
		return yes
	case !known:
		return unknownAnswer
	}
	return no
}

func reachesList(ctx context.Context, p *Problem, s *resolved, target int64) (answer, error) {
	reached, known, err := listsearch.Reaches(ctx, p.instance, s.listOptions(), target)
	return answered(reached, known), err
}

func reachesTree(ctx context.Context, p *Problem, s *resolved, target int64) (answer, error) {
	if p.numbers != nil {
		r, err := numeric.Solve(ctx, p.numbers.table, s.numericOptions(len(p.Set.Antecedents)))
		if err != nil {
			return no, err
		}
		return answered(r.Objective <= target, r.LowerBound > target), nil
	}
	reached, known, err := treesearch.Reaches(ctx, p.points, s.treeOptions(), target)
	return answered(reached, known), err
}

// A search of shuffled labels ends after mostNodes: noise is hard to prove anything of, but
// its bound soon passes the objective of labels that say something.
const (
	mostShuffles = 100_000
	mostNodes    = 2_000
)

// shuffled returns the data with labels, and their weights, in another order.
func shuffled(d *dataset.Dataset, groups []int, rng *rand.Rand) *dataset.Dataset {
	s, order := *d, dealt(d.N, groups, rng)
	if d.Labels != nil {
		s.Labels = bitset.New(uint(d.N))
		for i, from := range order {
			s.Labels.SetTo(uint(i), d.Labels.Test(uint(from)))
		}
	}
	s.ClassOf, s.Weights = taken(d.ClassOf, order), taken(d.Weights, order)
	all := bitset.New(uint(d.N)).FlipRange(0, uint(d.N))
	return s.Recut(all, s.Weights)
}

// taken returns values in an order; nil of none.
func taken[T any](values []T, order []int) (list []T) {
	if values == nil {
		return nil
	}
	for _, from := range order {
		list = append(list, values[from])
	}
	return list
}

// dealt returns whose label each sample gets.
func dealt(n int, groups []int, rng *rand.Rand) []int {
	if groups == nil {
		return rng.Perm(n)
	}
	members := map[int][]int{}
	var names []int
	for i, g := range groups {
		if members[g] == nil {
			names = append(names, g)
		}
		members[g] = append(members[g], i)
	}
	slices.SortStableFunc(names, func(a, b int) int { return cmp.Compare(len(members[a]), len(members[b])) })
	order := make([]int, n)
	for first := 0; first < len(names); {
		size, last := len(members[names[first]]), first
		for last < len(names) && len(members[names[last]]) == size {
			last++
		}
		for i, from := range rng.Perm(last - first) {
			within := rng.Perm(size)
			for j, to := range members[names[first+i]] {
				order[to] = members[names[first+from]][within[j]]
			}
		}
		first = last
	}
	return order
}
