package separation

import (
	"math/bits"
	"testing"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/testgen"
)

// laidOut is a generated instance with its reduction, laid out for the bound.
type laidOut struct {
	testgen.Instance
	in *instance.Instance
	p  *Problem
}

func layOut(t testing.TB, g testgen.Instance) laidOut {
	t.Helper()
	in, l := testgen.Reduced(t, g.Set()), g.Lambda
	return laidOut{g, in, New(in.Columns, in.Table, Prices{Error: l.Den, Rule: l.Num * in.Total}, in.Total)}
}

// points returns the points of a set of words.
func points(set []uint64) (list []Point) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			list = append(list, Point(i*64+bits.TrailingZeros64(w)))
		}
	}
	return list
}

// addAll adds every mixed subset of some points, at most 16 of them, to a pool.
func (x laidOut) addAll(l *Pool, among []Point) {
	for sub := range uint32(1) << len(among) {
		var set []Point
		var labels [2]bool
		for i, e := range among {
			if sub>>i&1 == 1 {
				set = append(set, e)
				labels[x.p.label(e)] = true
			}
		}
		if labels[0] && labels[1] {
			l.Add(set)
		}
	}
}

// completion is the smallest continuation of a prefix, on the bound's scale.
type completion struct {
	value int64
	rules []int // 2·antecedent + label
}

// best tries all continuations of a prefix that leaves a set, rule by rule. Among
// equal values, the first in lexicographic order wins.
func (x laidOut) best(left []Point, used uint32) completion {
	p := x.p
	best := completion{value: min(x.errors(left, 0), x.errors(left, 1))}
	if p.rule > best.value {
		return best
	}
	for a := range x.in.Columns {
		if used>>a&1 == 1 {
			continue
		}
		var in, out []Point
		for _, e := range left {
			if x.holds(a, e) {
				in = append(in, e)
			} else {
				out = append(out, e)
			}
		}
		errors, label := x.errors(in, 0), 0
		if e := x.errors(in, 1); e < errors {
			errors, label = e, 1
		}
		if p.rule+errors > best.value {
			continue
		}
		rest := x.best(out, used|1<<a)
		if v := p.rule + errors + rest.value; v < best.value {
			best = completion{v, append([]int{2*a + label}, rest.rules...)}
		}
	}
	return best
}

func (x laidOut) holds(a int, e Point) bool { return x.in.Columns[a][e/64]>>(e%64)&1 == 1 }

// errors is the scaled cost of predicting a label for all of some points.
func (x laidOut) errors(list []Point, label int) (sum int64) {
	for _, e := range list {
		if x.p.label(e) != label {
			sum += x.p.pointCost(e)
		}
	}
	return sum
}

// runs returns how many instances a test tries.
func runs(plain int) uint64 { return uint64(cases.Count(plain)) }

// Behind makes c the context of up's prefix and one more rule, by what that
// rule captures. The live rules are up's until Restrict is called.
func (c *Context) Behind(up *Context, captured []uint64) {
	c.Left = append(c.Left[:0], up.Left...)
	bitvec.AndNot(c.Left, up.Left, captured)
	if c.Live == nil {
		c.Live = make([][]uint64, len(up.Live))
	}
	for q := range c.Live {
		c.Live[q] = append(c.Live[q][:0], up.Live[q]...)
	}
}

// liveMasks are the masks of live columns that Node.Begin takes.
func liveMasks(p *Problem, live func(label, word int) uint64) [][]uint64 {
	masks := make([][]uint64, p.labels)
	for q := range masks {
		for i := range p.width {
			masks[q] = append(masks[q], live(q, i))
		}
	}
	return masks
}
