package rashomon

import (
	"cmp"
	"math/bits"
	"slices"
)

// Classifiers. Two lists are one classifier if they predict the same for every sample. Each
// state has a table of what its completions predict: a 128-bit key, the sum (exclusive or) of
// random words of the samples predicted 1, and of it the smallest completion in the order
// cost, rules, antecedents. Along an edge (u,s,1) the key gains that of s∩u, which is that of
// u and of u∖s together. The smallest completion behind an edge is that edge with the smallest
// one of the child, so one entry a key is enough. Different predictions share a key with
// probability 2^-128.

// Classifiers has the smallest list of each classifier.
type Classifiers struct {
	s       *Set
	tables  [][]prediction
	empties []prediction // the empty lists
	order   []int32      // of the root's table and the empty lists behind it, smallest first
}

type key struct{ hi, lo uint64 }

func (k key) xor(l key) key { return key{k.hi ^ l.hi, k.lo ^ l.lo} }

// prediction is what some completions predict, with the smallest of them.
type prediction struct {
	key   key
	cost  int64
	rules int32
	edge  int32 // index of the first edge
	next  int32 // place in the table of the child, −1 for a stop
}

func (p *prediction) before(q *prediction) bool {
	return p.cost < q.cost || p.cost == q.cost && p.rules < q.rules
}

// Classifiers finds the classifiers. It returns false if the tables need more than so many
// entries.
func (s *Set) Classifiers(most int) (*Classifiers, bool) {
	c := &Classifiers{s: s, tables: make([][]prediction, len(s.d))}
	keys := s.stateKeys()
	places := newPlaces()
	entries := 0
	var list []prediction
	for i := len(s.d) - 1; i >= 0; i-- {
		list = list[:0]
		places.clear()
		left := s.threshold - s.d[i]
		add := func(p prediction) {
			at := places.find(p.key, func(at int32) key { return list[at].key })
			switch {
			case *at == 0:
				list = append(list, p)
				*at = int32(len(list))
				places.grow(list)
			case p.before(&list[*at-1]):
				list[*at-1] = p
			}
		}
		for j, e := range s.out(int32(i)) {
			behind := keys[e.child]
			captured := keys[i].xor(behind)
			number := s.first[i] + int32(j)
			if e.cost+e.stop <= left {
				k := behind // the default predicts 1 where the rule does not
				if e.label == 1 {
					k = captured
				}
				add(prediction{k, e.cost + e.stop, 1, number, -1})
			}
			for at, p := range c.tables[e.child] {
				if e.cost+p.cost > left {
					continue
				}
				k := p.key
				if e.label == 1 {
					k = k.xor(captured)
				}
				add(prediction{k, e.cost + p.cost, p.rules + 1, number, int32(at)})
			}
		}
		if entries += len(list); entries > most {
			return nil, false
		}
		c.tables[i] = slices.Clone(list)
	}
	c.sort(keys)
	return c, true
}

// sort lists the classifiers of whole lists in the order of their smallest lists.
func (c *Classifiers) sort(keys []key) {
	s := c.s
	var all []prediction
	if len(c.tables) > 0 {
		all = c.tables[0]
	}
	for q := range s.stop {
		if s.within(s.stop[q]) {
			p := prediction{cost: s.stop[q], edge: -1, next: int32(q)}
			if q == 1 && len(keys) > 0 {
				p.key = keys[0]
			}
			c.empties = append(c.empties, p)
			at := slices.IndexFunc(all, func(x prediction) bool { return x.key == p.key })
			if at >= 0 && p.before(&all[at]) {
				all[at] = p
			} else if at < 0 {
				all = append(all, p)
			}
		}
	}
	if len(c.tables) > 0 {
		c.tables[0] = all
	} else {
		c.tables = [][]prediction{all}
	}
	for i := range all {
		c.order = append(c.order, int32(i))
	}
	slices.SortFunc(c.order, func(i, j int32) int {
		a, b := &all[i], &all[j]
		if d := cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.rules, b.rules)); d != 0 {
			return d
		}
		x, y := c.list(a), c.list(b)
		return slices.CompareFunc(x.Rules, y.Rules, func(r, t Rule) int { return r.Antecedent - t.Antecedent })
	})
}

// Len returns the number of classifiers.
func (c *Classifiers) Len() int { return len(c.order) }

// At returns the smallest list of a classifier. The classifiers are in the order of these lists.
func (c *Classifiers) At(i int) List { return c.list(&c.tables[0][c.order[i]]) }

func (c *Classifiers) list(p *prediction) List {
	s := c.s
	l := List{Objective: s.base + p.cost}
	if p.edge < 0 {
		l.Default = p.next == 1
		return l
	}
	for {
		e := &s.edges[p.edge]
		l.Rules = append(l.Rules, Rule{s.antecedents[e.column][0], e.label == 1})
		if p.next < 0 {
			l.Default = e.label == 0
			return l
		}
		p = &c.tables[e.child][p.next]
	}
}

// stateKeys returns the keys of the samples of each state.
func (s *Set) stateKeys() []key {
	keys := make([]key, len(s.d))
	for i := range keys {
		for w, x := range s.points(int32(i))[:s.realWords] {
			for ; x != 0; x &= x - 1 {
				keys[i] = keys[i].xor(pointKey(uint64(64*w + bits.TrailingZeros64(x))))
			}
		}
	}
	return keys
}

func pointKey(place uint64) key {
	return key{scramble(2*place + 1), scramble(2*place + 2)}
}

// scramble is the finaliser of splitmix64 on its sequence.
func scramble(n uint64) uint64 {
	x := n * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// places finds entries of a list by their keys: open addressing, at most half full. A slot
// has the place in the list and 1, 0 stands for none.
type places struct {
	slots []int32
}

func newPlaces() *places { return &places{slots: make([]int32, 64)} }

func (p *places) clear() {
	clear(p.slots)
}

func (p *places) find(k key, of func(at int32) key) *int32 {
	mask := uint64(len(p.slots) - 1)
	for i := k.lo & mask; ; i = (i + 1) & mask {
		if at := &p.slots[i]; *at == 0 || of(*at-1) == k {
			return at
		}
	}
}

// grow makes room for another entry.
func (p *places) grow(list []prediction) {
	if 2*len(list) < len(p.slots) {
		return
	}
	p.slots = make([]int32, 4*len(p.slots))
	for at := range list {
		*p.find(list[at].key, func(at int32) key { return list[at].key }) = int32(at + 1)
	}
}
