package graph

import (
	"cmp"
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"parcorels/loop"
)

// Counting. Each state has rows: how many models there cost so much, are of one size, and end by a
// class or split. A split has the products of the rows of both sides, but of ends of one class. The
// size counts leaves of a tree, and rules of a list, whose default counts 0.

// Counts has the number of models of every state.
type Counts struct {
	s    *Set
	rows [][]row // by cost, then size
}

type row struct {
	cost   int64
	size   int32
	end    int32 // the class; −1 of a split
	models *big.Int
}

// noEnd stands for a split.
const noEnd = -1

// endSize is the size of an end of a state, and of the first side of a split.
func (s *Set) endSize() int32 {
	if s.lists {
		return 0
	}
	return 1
}

// first returns the rows of the first side of a split.
func (c *Counts) first(of *state, x split) (rows []row) {
	if x.with != rule {
		return c.rows[x.with]
	}
	for class, cost := range c.s.captured(nil, of, x) {
		rows = append(rows, row{cost, 1, int32(class), big.NewInt(1)})
	}
	return rows
}

// Count counts the models.
func (s *Set) Count() *Counts {
	c := &Counts{s: s, rows: make([][]row, len(s.states))}
	var first, both big.Int
	for i := range slices.Backward(s.states) {
		of := &s.states[i]
		places := index{}
		var sums []row
		for _, x := range of.splits {
			times := big.NewInt(int64(len(s.antecedents[x.column])))
			for _, a := range c.first(of, x) {
				first.Mul(a.models, times)
				for _, b := range c.rows[x.without] {
					if a.cost+b.cost > of.room {
						break
					}
					if a.end != noEnd && a.end == b.end {
						continue
					}
					at, known := places.at(key{a.cost + b.cost, int64(a.size + b.size)})
					if !known {
						sums = append(sums, row{a.cost + b.cost, a.size + b.size, noEnd, new(big.Int)})
					}
					sums[at].models.Add(sums[at].models, both.Mul(&first, b.models))
				}
			}
		}
		for class, cost := range of.ends {
			if cost <= of.room {
				sums = append(sums, row{cost, s.endSize(), int32(class), big.NewInt(1)})
			}
		}
		slices.SortFunc(sums, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.cost, b.cost), int(a.size-b.size), int(a.end-b.end))
		})
		c.rows[i] = sums
	}
	return c
}

// Models returns how many there are.
func (c *Counts) Models() *big.Int {
	sum := new(big.Int)
	for _, e := range c.Entries() {
		sum.Add(sum, e.Models)
	}
	return sum
}

// Entry is how many models have one objective and so many rules or leaves.
type Entry struct {
	Objective int64
	Size      int
	Models    *big.Int
}

// Entries returns the numbers of models in the order of objective, and then of size.
func (c *Counts) Entries() (list []Entry) {
	if len(c.rows) == 0 {
		return nil
	}
	for _, r := range c.rows[0] {
		if k := len(list) - 1; k >= 0 && list[k].Objective == r.cost+c.s.base && list[k].Size == int(r.size) {
			list[k].Models = new(big.Int).Add(list[k].Models, r.models)
			continue
		}
		list = append(list, Entry{r.cost + c.s.base, int(r.size), r.models})
	}
	return list
}

// Model is a model: its nodes in preorder, the index of an antecedent for each split and −1 − class for each
// leaf, the side where the antecedent holds first. A list has a leaf on each of those sides.
type Model struct {
	Preorder  []int
	Objective int64
}

// compareNodes is the order of models that are equal otherwise: by their antecedents in preorder.
func compareNodes(a, b []int) int {
	return slices.CompareFunc(a, b, func(x, y int) int { return max(x, -1) - max(y, -1) })
}

// Sample returns a model at random, each as often as any other. There must be one.
func (c *Counts) Sample(rng *rand.Rand) Model { return c.At(randomBelow(rng, c.Models())) }

// At returns the model of a place, counted from 0, in an order of the graph's own. There must be so many.
func (c *Counts) At(place *big.Int) Model {
	left := new(big.Int).Set(place)
	for _, r := range c.rows[0] {
		if left.Cmp(r.models) < 0 {
			return Model{c.descend(0, &r, left, nil), r.cost + c.s.base}
		}
		left.Sub(left, r.models)
	}
	panic("graph: a model beyond the last one was asked for")
}

// descend appends the nodes of the model of a place among those of a row.
func (c *Counts) descend(at int32, r *row, place *big.Int, nodes []int) []int {
	if r.end != noEnd {
		return append(nodes, -1-int(r.end))
	}
	of := &c.s.states[at]
	for _, x := range of.splits {
		without, antecedents := c.rows[x.without], c.s.antecedents[x.column]
		for _, a := range c.first(of, x) {
			first := sort.Search(len(without), func(i int) bool {
				b := &without[i]
				return b.cost > r.cost-a.cost || b.cost == r.cost-a.cost && b.size >= r.size-a.size
			})
			for i := first; i < len(without) && a.cost+without[i].cost == r.cost && a.size+without[i].size == r.size; i++ {
				b := &without[i]
				if a.end != noEnd && a.end == b.end {
					continue
				}
				each := new(big.Int).Mul(a.models, b.models)
				if all := new(big.Int).Mul(each, big.NewInt(int64(len(antecedents)))); place.Cmp(all) >= 0 {
					place.Sub(place, all)
					continue
				}
				which, inside := new(big.Int).QuoRem(place, each, new(big.Int))
				one, other := new(big.Int).QuoRem(inside, b.models, new(big.Int))
				nodes = append(nodes, antecedents[which.Int64()])
				nodes = c.descend(x.with, &a, one, nodes)
				return c.descend(x.without, b, other, nodes)
			}
		}
	}
	panic("graph: a model beyond the last one was asked for")
}

// randomBelow returns a random number below n, each as often as any other.
func randomBelow(rng *rand.Rand, n *big.Int) *big.Int {
	for {
		x := new(big.Int)
		for range (n.BitLen() + 63) / 64 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rng.Uint64()))
		}
		x.Rsh(x, uint((n.BitLen()+63)/64*64-n.BitLen()))
		if x.Cmp(n) < 0 {
			return x
		}
	}
}

// What a limit leaves true. A graph that is built for a smaller threshold is whole for that: its
// counts are exact there, and lower bounds for the threshold that was asked for. What was
// proved of V does not depend on the threshold, so a second attempt begins with the memo of the
// first. Each attempt may take half of the time that is left.

// Weights take some milliseconds to find, good ones some tenths of a second, which small graphs do not
// need. So a build begins with little work on them, and begins anew with more when it has counted
// many columns.
var stages = []struct{ entries, columns int64 }{{1 << 20, 1 << 19}, {1 << 23, 1 << 22}, {1 << 26, 0}}

// staged runs a part of a build that depends on the weights within half of the time that is left, with better weights where
// that takes long.
func (b *builder) staged(threshold int64, run func() error) error {
	if b.options.Time > 0 {
		whole := b.ctx
		defer func() { b.ctx = whole }()
		limited, cancel := context.WithTimeout(whole, (b.options.Time-time.Since(b.start))/2)
		defer cancel()
		b.ctx = limited
	}
	for {
		s := stages[b.stage]
		if b.weights == nil {
			sets, y := b.proposer.propose(b.Price, max(threshold-b.Price, 0), s.entries, func() bool { return b.ctx.Err() == nil })
			b.weights = newWeights(b.layout, sets, y)
		}
		if b.mostNodes = 0; s.columns > 0 {
			b.mostNodes = b.nodes() + s.columns/int64(b.live+1)
		}
		err := run()
		if err == nil || b.mostNodes == 0 || b.nodes() < b.mostNodes {
			return err
		}
		b.stage++
		b.weights = nil
	}
}

// Build finds all good models whose objective is at most threshold: plain rule lists, or trees. If a limit does not allow
// that, it finds those within a smaller threshold, which Set.Threshold tells.
func Build(ctx context.Context, p *Problem, threshold int64, o Options) (*Set, error) {
	b, err := newBuilder(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if threshold > mostObjective {
		return nil, ErrScale
	}
	defer b.report()()
	s, err := b.largest(threshold - b.base)
	if err == nil && o.Proof != nil {
		err = b.prove(o.Proof, nil)
	}
	return s, err
}

// largest builds the graph for the largest threshold up to the one asked for that the limits
// allow, of those that halving finds.
func (b *builder) largest(asked int64) (*Set, error) {
	if b.attempt(asked) == nil {
		return b.finish(), nil
	}
	least, err := b.optimum(asked)
	if err != nil {
		return nil, err
	}
	var found *Set
	for slack, failed := (asked-least)/2, asked-least; ; {
		if err := b.ctx.Err(); err != nil && found == nil {
			return nil, err
		}
		err := b.attempt(least + slack)
		if err == nil {
			before := found
			found = b.finish()
			found.Complete = false
			if before != nil || failed-slack < 2 || b.options.Proof != nil { // a proof is of the graph built last
				return found, nil
			}
			slack = (slack + failed) / 2
			continue
		}
		switch {
		case found != nil:
			return found, nil
		case slack == 0:
			return nil, ErrLimit
		}
		slack, failed = slack/2, slack
	}
}

// attempt is build within half of the time that is left.
func (b *builder) attempt(threshold int64) error {
	return b.staged(threshold, func() error { return b.build(threshold) })
}

// optimum returns the least cost of a model beyond base, if it is at most asked.
func (b *builder) optimum(asked int64) (least int64, err error) {
	err = b.staged(asked, func() (err error) {
		var ok bool
		if least, ok = b.least(asked); !ok {
			err = ErrLimit
		}
		return err
	})
	return least, err
}

// report tells of progress from a goroutine of its own, until the returned function is called: a level of
// the graph may take long.
func (b *builder) report() (end func()) {
	if b.options.Progress == nil {
		return func() {}
	}
	return loop.Every(b.options.Every, func(final bool) {
		if !final {
			b.options.Progress(Progress{Elapsed: time.Since(b.start), States: int(b.states.Load()), Open: int(b.open.Load()),
				Nodes: b.nodes()})
		}
	})
}
