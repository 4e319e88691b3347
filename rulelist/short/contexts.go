package short

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// Lists of four rules and more: those of one rule less behind each first rule.
//
// The points that a first rule s leaves are a table of its own, of fewer points (instance.Restrict). It has only
// conditions that may follow: no list of three rules gets more right than a list of three rules
// within room, so by argument 2 each rule of four gets right at least what the fourth rule
// has to add. Among conditions that are equal there only the first stays, as any list with
// another one in its place has the same errors and is larger.
//
// Where lists of K rules are looked at, those of K − 1 are done. So j < K − 1 rules behind the first one, which are a list of j + 1, get
// at most right what a list must get to come before the incumbent. That bounds R_j of argument 2 without a look at them.

// allLonger looks at all lists of so many rules, four or more.
func (c *table[T]) allLonger(rules int) bool {
	if c.n == 0 {
		return true
	}
	return c.s.eachFirst(rules, c.n, func() func(int) {
		row, x := c.rowOf(), &context[T]{}
		return func(s int) { x.behind(c, s, rules, row) }
	})
}

// context is what a worker has for the tables behind first rules.
type context[T count] struct {
	rows []T // memory for them
	set  []uint64
}

// behind looks at the lists of so many rules that begin with s.
func (x *context[T]) behind(c *table[T], s, rules int, rowOf func(int) []T) {
	least := c.need(rules, s) - c.best // what each rule gets right
	if c.right1[s] < least {
		return
	}
	c.prefixes.Add(1)
	row := rowOf(s)
	var among []int
	for t := range c.n {
		right := int64(0)
		for q := range c.gains {
			right = max(right, int64(c.single[q*c.width+t]-row[q*c.width+t]))
		}
		if right >= max(least, 1) && t != s {
			among = append(among, int(c.names[t]))
		}
	}
	p, prefix := c.s.p, append(c.prefix[:len(c.prefix):len(c.prefix)], c.names[s])
	x.set = append(x.set[:0], p.All...)
	for _, a := range prefix {
		bitvec.AndNot(x.set, x.set, p.In.Columns[a])
	}
	in := p.In.Restrict(x.set, among)
	if in.Words == 0 || len(among) < rules-1 {
		return
	}
	hasher, seen := bitvec.NewHasher(in.Words), map[bitvec.Key]int{}
	var columns [][]uint64
	var names []problem.Antecedent
	for i, column := range in.Columns {
		key, name := hasher.Hash(column), problem.Antecedent(among[i])
		if at, ok := seen[key]; ok {
			names[at] = min(names[at], name)
			continue
		}
		seen[key] = len(columns)
		columns, names = append(columns, column), append(names, name)
	}
	one := *c.s
	one.o.Workers, one.o.May = 1, nil
	d := newTable[T](&one, columns, names, in.All(), in.Table)
	d.prefix, d.label, d.memory = prefix, int(c.label1[s]), &x.rows
	d.right = c.right + c.right1[s] + c.gains[0] - int64(c.single[s]) - d.gains[0] // what has cancelled gains as much with any label
	d.ones()
	if rules == 4 {
		d.allThrees()
		return
	}
	if !d.allPairs() {
		return
	}
	for j := 3; j < rules-1; j++ {
		d.best = min(d.best+d.top, max(d.best, d.need(j)))
	}
	if e := d.strong(rules-1, d.best); e != nil {
		e.best = d.best
		e.allLonger(rules - 1)
	}
}
