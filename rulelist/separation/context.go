package separation

import (
	"iter"
	"math/bits"

	"parcorels/bitvec"
)

// Context is a prefix as the bound sees it: the points that it leaves and the
// rules that a completion may use.
type Context struct {
	Left []uint64   // remaining points
	Live [][]uint64 // by label, the columns whose rule a completion may use
}

// NewContext returns the context of the empty prefix with every rule that gains
// more than a rule costs.
func (p *Problem) NewContext() *Context {
	c := &Context{Left: append([]uint64(nil), p.all...), Live: make([][]uint64, p.labels)}
	for q := range c.Live {
		c.Live[q] = make([]uint64, p.width)
		for col := range p.Columns {
			c.Live[q][col/64] |= 1 << (col % 64)
		}
	}
	p.restrict(c, p.costs.All())
	return c
}

// restrict takes the rules out of a context that gain no more than they cost among what is left. Points that cost nothing to
// miss are in no set, but count among what a rule gains.
//
// Deleting such a rule from a completion costs at most its gain and saves its
// price, and the list gets shorter, so it is strictly smaller. The smallest
// of all completions has none.
func (p *Problem) restrict(c *Context, left []uint64) {
	gains := make([]int64, p.labels)
	for col, words := range p.Columns {
		p.costs.Gain(gains, left, words)
		for q, g := range gains {
			if p.unit*g <= p.price {
				c.Live[q][col/64] &^= 1 << (col % 64)
			}
		}
	}
}

// rules returns the rules that a completion may use.
func (c *Context) rules() iter.Seq[int] {
	return func(yield func(int) bool) {
		for q, live := range c.Live {
			for col := range bitvec.Members(live) {
				if !yield(len(c.Live)*col + q) {
					return
				}
			}
		}
	}
}

// pure returns those of these rules that are pure on a set, ascending in each label.
func (c *Context) pure(l *Pool, set int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for q, live := range c.Live {
			for col := range bitvec.Common(live, l.pureOn(set, q)) {
				if !yield(len(c.Live)*col + q) {
					return
				}
			}
		}
	}
}

// entries returns how many rules the sets have together, each as often as sets have it.
func (c *Context) entries(l *Pool, sets []int32) (n int) {
	for _, k := range sets {
		for q, live := range c.Live {
			for i, w := range l.pureOn(k, q) {
				n += bits.OnesCount64(w & live[i])
			}
		}
	}
	return n
}

// Rules returns the number of rules that a completion may use.
func (c *Context) Rules() (n int) {
	for _, live := range c.Live {
		for _, w := range live {
			n += bits.OnesCount64(w)
		}
	}
	return n
}

// has reports whether all points of a set are left.
func (c *Context) has(set []Point) bool {
	for _, e := range set {
		if c.Left[e/64]>>(e%64)&1 == 0 {
			return false
		}
	}
	return true
}

// Kill takes a rule out of the context.
func (c *Context) Kill(rule int) {
	q, col := rule%len(c.Live), rule/len(c.Live)
	c.Live[q][col/64] &^= 1 << (col % 64)
}

// IsLive reports whether a completion may use a rule.
func (c *Context) IsLive(rule int) bool {
	q, col := rule%len(c.Live), rule/len(c.Live)
	return c.Live[q][col/64]>>(col%64)&1 == 1
}
