package graph

import (
	"cmp"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
)

// Counting. Each state has rows: how many models there cost so much, are of one size, and end by a
// class or split. A split has the products of the rows of both sides, but of ends of one class. The
// size counts leaves of a tree, and rules of a list, whose default counts 0.

// Counts has the number of models of every state.
type Counts struct {
	s     *Set
	small [][]row[small]
	large [][]row[large] // where a number does not fit a word
}

type row[N any] struct {
	cost   int64
	size   int32
	end    int32 // the class; −1 of a split
	models N
}

// noEnd stands for a split.
const noEnd = -1

// natural is a natural number; ok is false where it did not fit.
type natural[N any] interface {
	plus(N) (N, bool)
	times(N) (N, bool)
	of(int) N
	number() *big.Int
}

type small uint64

func (a small) plus(b small) (small, bool) { return a + b, a+b >= a }
func (a small) of(n int) small             { return small(n) }
func (a small) number() *big.Int           { return new(big.Int).SetUint64(uint64(a)) }
func (a small) times(b small) (small, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return small(lo), hi == 0
}

type large struct{ *big.Int }

func (a large) number() *big.Int            { return a.Int }
func (a large) of(n int) large              { return large{big.NewInt(int64(n))} }
func (a large) times(b large) (large, bool) { return large{new(big.Int).Mul(a.Int, b.Int)}, true }
func (a large) plus(b large) (large, bool)  { return large{new(big.Int).Add(a.Int, b.Int)}, true }

// Count counts the models.
func (s *Set) Count() *Counts {
	c := &Counts{s: s}
	var ok bool
	if c.small, ok = count[small](s); !ok {
		c.small = nil
		c.large, _ = count[large](s)
	}
	return c
}

// endSize is the size of an end of a state, and of the first side of a split.
func (s *Set) endSize() int32 {
	if s.lists {
		return 0
	}
	return 1
}

// firstRows returns the rows of the first side of a split.
func firstRows[N natural[N]](s *Set, rows [][]row[N], of *state, x split, spare []row[N]) []row[N] {
	if x.with != rule {
		return rows[x.with]
	}
	var one N
	for c, cost := range s.captured(nil, of, x) {
		spare = append(spare, row[N]{cost, 1, int32(c), one.of(1)})
	}
	return spare
}

func count[N natural[N]](s *Set) (rows [][]row[N], fits bool) {
	rows, fits = make([][]row[N], len(s.states)), true
	var sums, spare []row[N]
	var zero N
	for i := range slices.Backward(s.states) {
		of := &s.states[i]
		places := index{}
		sums = sums[:0]
		for _, x := range of.splits {
			times := zero.of(len(s.antecedents[x.column]))
			for _, a := range firstRows(s, rows, of, x, spare[:0]) {
				n, ok := a.models.times(times)
				fits = fits && ok
				for _, b := range rows[x.without] {
					if a.cost+b.cost > of.room {
						break
					}
					if a.end != noEnd && a.end == b.end {
						continue
					}
					both, ok := n.times(b.models)
					at, known := places.at(key{a.cost + b.cost, int64(a.size + b.size)})
					if !known {
						sums = append(sums, row[N]{a.cost + b.cost, a.size + b.size, noEnd, zero.of(0)})
					}
					sum, fit := sums[at].models.plus(both)
					sums[at].models, fits = sum, fits && ok && fit
				}
			}
		}
		if !fits {
			return nil, false
		}
		for c, cost := range of.ends {
			if cost <= of.room {
				sums = append(sums, row[N]{cost, s.endSize(), int32(c), zero.of(1)})
			}
		}
		rows[i] = slices.Clone(sums)
		slices.SortFunc(rows[i], func(a, b row[N]) int {
			return cmp.Or(cmp.Compare(a.cost, b.cost), int(a.size-b.size), int(a.end-b.end))
		})
	}
	return rows, true
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
func (c *Counts) Entries() []Entry {
	if c.large != nil {
		return entriesOf(c.s, c.large)
	}
	return entriesOf(c.s, c.small)
}

func entriesOf[N natural[N]](s *Set, rows [][]row[N]) (list []Entry) {
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows[0] {
		if k := len(list) - 1; k >= 0 && list[k].Objective == r.cost+s.base && list[k].Size == int(r.size) {
			list[k].Models = new(big.Int).Add(list[k].Models, r.models.number())
			continue
		}
		list = append(list, Entry{r.cost + s.base, int(r.size), r.models.number()})
	}
	return list
}

// Model is a model: its nodes in preorder, the index of an antecedent for each split and −1 − class for each
// leaf, the side where the antecedent holds first. A list has a leaf on each of those sides.
type Model struct {
	Preorder  []int
	Objective int64
}

// Rule is "if the antecedent holds, predict class Label". The antecedent is an index
// into Problem.Columns.
type Rule struct{ Antecedent, Label int }

// List is a rule list with its objective.
type List struct {
	Rules     []Rule
	Default   int
	Objective int64
}

// List returns a model of a set of lists as one.
func (m Model) List() List {
	l := List{Objective: m.Objective, Default: -1 - m.Preorder[len(m.Preorder)-1]}
	for i := 0; i+1 < len(m.Preorder); i += 2 {
		l.Rules = append(l.Rules, Rule{m.Preorder[i], -1 - m.Preorder[i+1]})
	}
	return l
}

// Model returns a list as a model.
func (l List) Model() Model {
	m := Model{Objective: l.Objective}
	for _, r := range l.Rules {
		m.Preorder = append(m.Preorder, r.Antecedent, -1-r.Label)
	}
	m.Preorder = append(m.Preorder, -1-l.Default)
	return m
}

// At returns the model of a place, counted from 0, in an order of the graph's own. There must be so many.
func (c *Counts) At(place *big.Int) Model {
	if c.large != nil {
		return modelAt(c.s, c.large, place)
	}
	return modelAt(c.s, c.small, place)
}

// Sample returns a model at random, each as often as any other. There must be one.
func (c *Counts) Sample(rng *rand.Rand) Model { return c.At(randomBelow(rng, c.Models())) }

func modelAt[N natural[N]](s *Set, rows [][]row[N], place *big.Int) Model {
	left := new(big.Int).Set(place)
	for _, r := range rows[0] {
		n := r.models.number()
		if left.Cmp(n) < 0 {
			return Model{descend(s, rows, 0, &r, left, nil), r.cost + s.base}
		}
		left.Sub(left, n)
	}
	panic("graph: a model beyond the last one was asked for")
}

// descend appends the nodes of the model of a place among those of a row.
func descend[N natural[N]](s *Set, rows [][]row[N], at int32, r *row[N], place *big.Int, nodes []int) []int {
	if r.end != noEnd {
		return append(nodes, -1-int(r.end))
	}
	of := &s.states[at]
	for _, x := range of.splits {
		without, antecedents := rows[x.without], s.antecedents[x.column]
		for _, a := range firstRows(s, rows, of, x, nil) {
			first := sort.Search(len(without), func(i int) bool {
				b := &without[i]
				return b.cost > r.cost-a.cost || b.cost == r.cost-a.cost && b.size >= r.size-a.size
			})
			for i := first; i < len(without) && a.cost+without[i].cost == r.cost && a.size+without[i].size == r.size; i++ {
				b := &without[i]
				if a.end != noEnd && a.end == b.end {
					continue
				}
				each := new(big.Int).Mul(a.models.number(), b.models.number())
				if all := new(big.Int).Mul(each, big.NewInt(int64(len(antecedents)))); place.Cmp(all) >= 0 {
					place.Sub(place, all)
					continue
				}
				which, inside := new(big.Int).QuoRem(place, each, new(big.Int))
				one, other := new(big.Int).QuoRem(inside, b.models.number(), new(big.Int))
				nodes = append(nodes, antecedents[which.Int64()])
				nodes = descend(s, rows, x.with, &a, one, nodes)
				return descend(s, rows, x.without, b, other, nodes)
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
