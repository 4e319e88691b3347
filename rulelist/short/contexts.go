package short

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// Lists of four rules: those of three behind each first rule.
//
// The points that a first rule s leaves are a table of its own, of fewer points (instance.Restrict). It has only
// conditions that may follow: no list of three rules gets more right than a list of three rules
// within room, so by argument 2 each rule of four gets right at least what the fourth rule
// has to add. Among conditions that are equal there only the first stays, as any list with
// another one in its place has the same errors and is larger.

// allFours looks at all lists of four rules, of two classes. First rules come in an order in which
// those done are like those left, so that the time left can be told.
func (c *table[T]) allFours() bool {
	if c.classes != 2 || c.n == 0 {
		return c.n == 0
	}
	step := c.n*5/8 | 1
	for gcd(step, c.n) != 1 {
		step += 2
	}
	return c.s.eachFirst(4, c.n, func() func(int) {
		row, x := c.rowOf(), &context[T]{}
		return func(i int) {
			s := i * step % c.n
			x.behind(c, s, row)
		}
	})
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// context is what a worker has for the tables behind first rules.
type context[T count] struct {
	rows []T // memory for them
	set  []uint64
}

// behind looks at the lists of four rules that begin with s.
func (x *context[T]) behind(c *table[T], s int, rowOf func(int) []T) {
	least := c.need(4, s) - c.best // what each rule gets right
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
	x.set = append(x.set[:0], c.all...)
	bitvec.AndNot(x.set, x.set, c.columns[s])
	in := c.s.p.In.Restrict(x.set, among)
	if in.Words == 0 || len(among) < 3 {
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
	d.prefix, d.label, d.memory = append(c.prefix[:len(c.prefix):len(c.prefix)], c.names[s]), int(c.label1[s]), &x.rows
	d.right = c.right + c.right1[s] + c.gains[0] - int64(c.single[s]) - d.gains[0] // of what has cancelled one half is right
	d.ones()
	d.allThrees()
}
