package graph

import (
	"cmp"
	"slices"
)

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
