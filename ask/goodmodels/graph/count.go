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

// Tables. Many questions ask for the least objective of a model with some property: what it
// predicts, which columns it looks at, how its predictions differ between groups. Where the property
// is built from the leaves up, each state has a table of the properties of its models, with the
// smallest of each by cost, then size, then antecedents. One entry for a property is enough: the
// smallest model of a split is made of the smallest of both sides. Ends of each class and larger models are told
// apart, as two ends of one class are no pair.

// key is a property of two numbers: sums, columns or random bits.
type key [2]int64

func (k key) plus(l key) key  { return key{k[0] + l[0], k[1] + l[1]} }
func (k key) minus(l key) key { return key{k[0] - l[0], k[1] - l[1]} }

// property says how a property is built.
type property struct {
	end func(state, class int) key // of predicting a class for all of a state, a sum over its points
	// join is the property of a split by an antecedent, from those of its sides; nil: their sum.
	join func(state int, x split, antecedent int, with, without key) key
	// groups are the antecedents of a column that have the same effect; nil: all have.
	groups func(antecedents []int) []int
}

// firstOfEach returns the first antecedent of each class.
func firstOfEach[C comparable](antecedents []int, class func(antecedent int) C) (first []int) {
	for _, a := range antecedents {
		if !slices.ContainsFunc(first, func(b int) bool { return class(a) == class(b) }) {
			first = append(first, a)
		}
	}
	return first
}

// entry is a property with its smallest model.
type entry struct {
	key           key
	cost          int64
	size          int32
	end           int32 // the class; −1 of a split
	split         int32 // of the state
	antecedent    int32
	with, without int32 // places in the tables of the sides; of a rule, its label
}

// Table has the smallest model of each property.
type Table struct {
	s      *Set
	states [][]entry // by cost
	order  []int32   // of the entries of whole models, smallest first
}

// tabulate makes the tables, or returns false if they need more than so many entries, or halted says so.
func (s *Set) tabulate(p property, most int, halted func() bool) (*Table, bool) {
	t := &Table{s: s, states: make([][]entry, max(len(s.states), 1))}
	if p.join == nil {
		p.join = func(_ int, _ split, _ int, with, without key) key { return with.plus(without) }
	}
	found := &places{}
	var first []entry
	total, joined := 0, 0
	for i := range slices.Backward(s.states) {
		of := &s.states[i]
		found.clear()
		for j, x := range of.splits {
			first = t.first(first, p, i, x)
			without, antecedents := t.states[x.without], s.antecedents[x.column][:1]
			if p.groups != nil {
				antecedents = p.groups(s.antecedents[x.column])
			}
			for _, antecedent := range antecedents {
				for a := range first {
					with := &first[a]
					for b := range without {
						other := &without[b]
						cost := with.cost + other.cost
						if cost > of.room {
							break
						}
						if with.end != noEnd && with.end == other.end {
							continue
						}
						joined++
						k := p.join(i, x, antecedent, with.key, other.key)
						found.offer(entry{k, cost, with.size + other.size, noEnd, int32(j), int32(antecedent), int32(a), int32(b)})
					}
					if total+len(found.list) > most || joined/100 > most {
						return nil, false
					}
				}
			}
		}
		if halted != nil && halted() {
			return nil, false
		}
		for c, cost := range of.ends {
			if cost <= of.room {
				found.list = append(found.list, entry{key: p.end(i, c), cost: cost, size: s.endSize(), end: int32(c)})
			}
		}
		total += len(found.list)
		t.states[i] = slices.Clone(found.list)
		slices.SortStableFunc(t.states[i], func(a, b entry) int { return cmp.Or(cmp.Compare(a.cost, b.cost), int(a.size-b.size)) })
	}
	t.sort()
	return t, true
}

// first returns the table of the first side of a split.
func (t *Table) first(spare []entry, p property, state int, x split) []entry {
	if x.with != rule {
		return t.states[x.with]
	}
	spare = spare[:0:cap(spare)]
	for c, cost := range t.s.captured(nil, &t.s.states[state], x) {
		spare = append(spare, entry{key: p.end(state, c).minus(p.end(int(x.without), c)), cost: cost, size: 1, end: int32(c)})
	}
	return spare
}

// sort orders the entries of whole models, the smallest of each property.
func (t *Table) sort() {
	known := index{}
	all := t.states[0]
	for i := range all {
		if _, before := known.at(all[i].key); !before {
			t.order = append(t.order, int32(i))
		}
	}
	slices.SortStableFunc(t.order, func(i, j int32) int {
		a, b := &all[i], &all[j]
		if d := cmp.Or(cmp.Compare(a.cost, b.cost), int(a.size-b.size)); d != 0 {
			return d
		}
		return compareNodes(t.nodes(0, i, nil), t.nodes(0, j, nil))
	})
}

// Len returns the number of properties.
func (t *Table) Len() int { return len(t.order) }

// At returns the smallest model of a property. They are in the order of these models.
func (t *Table) At(i int) Model { return Model{t.nodes(0, t.order[i], nil), t.Objective(i)} }

// Key returns the property of a place.
func (t *Table) Key(i int) [2]int64 { return t.states[0][t.order[i]].key }

// Objective returns that of the smallest model of a place.
func (t *Table) Objective(i int) int64 { return t.s.base + t.states[0][t.order[i]].cost }

func (t *Table) nodes(state, place int32, to []int) []int {
	e := &t.states[state][place]
	if e.end != noEnd {
		return append(to, -1-int(e.end))
	}
	x := t.s.states[state].splits[e.split]
	if to = append(to, int(e.antecedent)); x.with == rule {
		to = append(to, -1-int(e.with))
	} else {
		to = t.nodes(x.with, e.with, to)
	}
	return t.nodes(x.without, e.without, to)
}

// Sums finds the smallest model of each value of a sum: predicted has, by class and point, what predicting the
// class there adds; nil, also of a class: 0. It returns false if the tables need more than so many entries.
func (s *Set) Sums(predicted [][]int64, most int) (*Table, bool) {
	return s.tabulate(property{end: s.added(predicted)}, most, nil)
}

// added returns the sums over the points of a state, by class.
func (s *Set) added(predicted [][]int64) func(state, class int) key {
	at := make([][]int64, s.classes)
	for c := range at {
		at[c] = make([]int64, len(s.states))
		for i := range s.states {
			if c < len(predicted) {
				at[c][i] = s.addUp(predicted[c], s.states[i].set)
			}
		}
	}
	return func(state, class int) key { return key{at[class][state]} }
}

func nothing(int, int) key { return key{} }

// Decided finds the smallest model of each weight of the points that are decided by certain antecedents: by a rule
// of a list, or on a path of a tree.
func (s *Set) Decided(by func(antecedent int) bool, weight []int64, most int) (*Table, bool) {
	all := s.added([][]int64{weight})
	return s.tabulate(property{
		end: nothing,
		join: func(state int, x split, antecedent int, with, without key) key {
			switch {
			case !by(antecedent):
				return with.plus(without)
			case x.with == rule:
				return all(state, 0).minus(all(int(x.without), 0)).plus(without)
			}
			return all(state, 0)
		},
		groups: func(antecedents []int) []int { return firstOfEach(antecedents, by) },
	}, most, nil)
}

// ColumnSets finds, for each set of columns that a model looks at, the smallest such model. Of returns the columns of
// an antecedent, a bit each, of at most 64.
func (s *Set) ColumnSets(of func(antecedent int) uint64, most int) (*Table, bool) {
	return s.tabulate(property{
		end: nothing,
		join: func(_ int, _ split, antecedent int, with, without key) key {
			return key{with[0] | without[0] | int64(of(antecedent))}
		},
		groups: func(antecedents []int) []int { return firstOfEach(antecedents, of) },
	}, most, nil)
}

// Classifiers finds the smallest of the models that predict the same for every sample. Each sample and class has a word of
// 128 random bits, and what a model predicts the sum of them: two have the same one with a probability of 2^-128.
func (s *Set) Classifiers(most int) (*Table, bool) {
	at := make([][]key, len(s.states))
	for i := range s.states {
		for c := range s.states[i].ends {
			var sum key
			for w, x := range s.states[i].set {
				for b := 0; x>>b != 0 && c > 0; b++ {
					if x>>b&1 == 1 {
						place := uint64(c*64*len(s.states[i].set) + 64*w + b)
						sum = sum.plus(key{int64(scramble(2*place + 1)), int64(scramble(2*place + 2))})
					}
				}
			}
			at[i] = append(at[i], sum)
		}
	}
	return s.tabulate(property{end: func(state, class int) key { return at[state][class] }}, most, nil)
}

// Smallest returns the smallest model, and false if there is none.
func (s *Set) Smallest() (Model, bool) {
	t, ok := s.tabulate(property{end: nothing}, 1<<30, nil)
	if !ok || t.Len() == 0 {
		return Model{}, false
	}
	return t.At(0), true
}

// scramble is the finaliser of splitmix64 on its sequence.
func scramble(n uint64) uint64 {
	x := n * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// places is a list of entries, one for each key.
type places struct {
	index
	list []entry
}

func (p *places) clear() { p.index, p.list = index{}, p.list[:0] }

// offer keeps an entry if it is the smallest of its key. Among equal ones, the first stays.
func (p *places) offer(x entry) {
	if at, known := p.at(x.key); !known {
		p.list = append(p.list, x)
	} else if y := &p.list[at]; x.cost < y.cost || x.cost == y.cost && x.size < y.size {
		*y = x
	}
}

// index numbers keys in the order in which they come.
type index map[key]int32

// at returns the number of a key, and whether it was known.
func (x index) at(k key) (at int, known bool) {
	n, known := x[k]
	if !known {
		n = int32(len(x))
		x[k] = n
	}
	return int(n), known
}
