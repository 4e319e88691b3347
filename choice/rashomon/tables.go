package rashomon

import (
	"cmp"
	"slices"
)

// Tables. Many questions ask for the least objective of a list with some property: what it
// predicts, which columns it looks at, how its predictions differ between groups. Where
// the property k of a list is built along its path, each state has a table of the properties of its
// completions, with the smallest completion of each in the order cost, rules, antecedents. One entry for a
// property is enough: the smallest list behind an edge is that edge with the smallest
// completion of the child.

// key is a property: two sums, or columns, or random bits.
type key [2]int64

func (k key) plus(l key) key { return key{k[0] + l[0], k[1] + l[1]} }

// property says how a property is built, from the last rule to the first.
type property struct {
	empty func(label int) key
	// stop is the property of a rule with a default of a class behind it; before puts a rule before a
	// completion. Rules are edges of a state, by one of the antecedents of the column.
	stop   func(state int32, e *edge, antecedent, class int) key
	before func(state int32, e *edge, antecedent int, completion key) key
	// of groups the antecedents of a column that have the same effect; nil: all have.
	groups func(antecedents []int) []int
}

// adding is the property of a sum over the rules and the default: rest is that of predicting a class
// for all points of a state.
func adding(rule func(state int32, e *edge, antecedent int) key, rest func(class int, state int32) key) property {
	return property{
		empty: func(label int) key { return rest(label, 0) },
		stop: func(state int32, e *edge, antecedent, class int) key {
			return rule(state, e, antecedent).plus(rest(class, e.child))
		},
		before: func(state int32, e *edge, antecedent int, k key) key { return rule(state, e, antecedent).plus(k) },
	}
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

// entry is a property with its smallest completion.
type entry struct {
	key        key
	cost       int64
	rules      int32
	edge       int32 // index of the first edge; −1: the empty list
	antecedent int32
	next       int32 // place in the table of the child, −1 − class for a default
}

func (p *entry) smaller(q *entry) bool {
	return p.cost < q.cost || p.cost == q.cost && p.rules < q.rules
}

// Table has the smallest list of each property.
type Table struct {
	s      *Set
	states [][]entry
	order  []int32 // of the entries of whole lists, smallest first
}

// tabulate makes the tables, or returns false if they need more than so many entries.
func tabulate(s *Set, p property, most int) (*Table, bool) {
	return tabulateUntil(s, p, most, func() bool { return false })
}

// tabulateUntil is tabulate, and asks after every state whether it is to give up.
func tabulateUntil(s *Set, p property, most int, halted func() bool) (*Table, bool) {
	t := &Table{s: s, states: make([][]entry, max(len(s.d), 1))}
	places := &places{}
	places.clear()
	total := 0
	for i := len(s.d) - 1; i >= 0; i-- {
		places.clear()
		left := s.threshold - s.d[i]
		for j := range s.out(int32(i)) {
			number := s.first[i] + int32(j)
			e := &s.edges[number]
			antecedents := s.antecedents[e.column]
			if p.groups == nil {
				antecedents = antecedents[:1]
			} else {
				antecedents = p.groups(antecedents)
			}
			for _, a := range antecedents {
				for q, stop := range s.defaults(e.child) {
					if q != int(e.label) && e.cost+stop <= left {
						places.offer(entry{p.stop(int32(i), e, a, q), e.cost + stop, 1, number, int32(a), int32(-1 - q)})
					}
				}
				for at := range t.states[e.child] {
					if c := &t.states[e.child][at]; e.cost+c.cost <= left {
						places.offer(entry{p.before(int32(i), e, a, c.key), e.cost + c.cost, c.rules + 1, number, int32(a), int32(at)})
					}
				}
			}
			if total+len(places.list) > most {
				return nil, false
			}
		}
		if halted() {
			return nil, false
		}
		total += len(places.list)
		if i > 0 {
			t.states[i] = slices.Clone(places.list)
		}
	}
	s.empty(func(q int, cost int64) {
		places.offer(entry{key: p.empty(q), cost: cost, edge: -1, next: int32(-1 - q)})
	})
	t.states[0] = places.list
	t.sort()
	return t, true
}

func (t *Table) sort() {
	all := t.states[0]
	for i := range all {
		t.order = append(t.order, int32(i))
	}
	slices.SortFunc(t.order, func(i, j int32) int {
		a, b := &all[i], &all[j]
		if d := cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.rules, b.rules)); d != 0 {
			return d
		}
		return slices.CompareFunc(t.list(a).Rules, t.list(b).Rules, func(r, u Rule) int { return r.Antecedent - u.Antecedent })
	})
}

// Len returns the number of properties.
func (t *Table) Len() int { return len(t.order) }

// At returns the smallest list of a property. They are in the order of these lists.
func (t *Table) At(i int) List { return t.list(&t.states[0][t.order[i]]) }

// Key returns the property of a place.
func (t *Table) Key(i int) [2]int64 { return t.states[0][t.order[i]].key }

// Objective returns that of the smallest list of a place.
func (t *Table) Objective(i int) int64 { return t.s.base + t.states[0][t.order[i]].cost }

func (t *Table) list(p *entry) List {
	l := List{Objective: t.s.base + p.cost}
	for p.edge >= 0 {
		e := &t.s.edges[p.edge]
		l.Rules = append(l.Rules, Rule{int(p.antecedent), int(e.label)})
		if p.next < 0 {
			break
		}
		p = &t.states[e.child][p.next]
	}
	l.Default = int(-1 - p.next)
	return l
}

// places is a list of entries, one for each key.
type places struct {
	index
	list []entry
}

func (p *places) clear() {
	p.index.clear()
	p.list = p.list[:0]
}

// offer keeps an entry if it is the smallest of its key. Of equal ones the first stays.
func (p *places) offer(x entry) {
	if at, known := p.at(x.key); !known {
		p.list = append(p.list, x)
	} else if x.smaller(&p.list[at]) {
		p.list[at] = x
	}
}

// index numbers keys in the order in which they come: open addressing, at most half full. A slot has
// the number and 1, 0 stands for none.
type index struct {
	keys  []key
	slots []int32
}

func (x *index) clear() {
	x.keys = x.keys[:0]
	x.grow(64)
}

// grow makes so many slots, and puts the keys there.
func (x *index) grow(n int) {
	x.slots = slices.Grow(x.slots[:0], n)[:n]
	clear(x.slots)
	for i, k := range x.keys {
		*x.slot(k) = int32(i + 1)
	}
}

func (x *index) slot(k key) *int32 {
	mask := uint64(len(x.slots) - 1)
	for i := scramble(scramble(uint64(k[0]))+uint64(k[1])) & mask; ; i = (i + 1) & mask {
		if at := &x.slots[i]; *at == 0 || x.keys[*at-1] == k {
			return at
		}
	}
}

// at returns the number of a key, and whether it was known.
func (x *index) at(k key) (at int, known bool) {
	slot := x.slot(k)
	if *slot != 0 {
		return int(*slot - 1), true
	}
	x.keys = append(x.keys, k)
	*slot = int32(len(x.keys))
	if 2*len(x.keys) >= len(x.slots) {
		x.grow(4 * len(x.slots))
	}
	return len(x.keys) - 1, false
}
