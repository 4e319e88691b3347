// Package pairs makes sure that no list of at most three rules is smaller than a claimed one, by
// plain counts of pairs of antecedents. Begin with [Problem.Smaller]. It shares no code with the search.
//
// Samples that satisfy the same antecedents form a group. A group counts for each class what it
// weighs in that class, less what it weighs in the lightest one. A list gets right, beyond a
// constant, the largest count of what each rule captures, and of what is left. The counts of t
// outside s are those of t less those of s∩t. So the counts of pairs give all lists of two rules.
//
// With three rules s, t, v, label q of v and default r, v adds D(v ∩ left) to what the two rules
// and the default get right. D is the count of q less that of r, and left is what s and t leave. That is at most
//
//   - D(v\s) + the count of r in v∩t\s, as taking t away removes no more of r;
//   - D(v\s) − D(v∩t) + the count of q in v∩s∩t.
//
// Counts of pairs bound both. A list that passes is counted. Lists with two neighbours of one label in
// falling order of their indices are left out: the list with the two swapped makes no more errors and is smaller.
package pairs

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"parcorels/loop"
	"parcorels/verify/framing"
)

// Most is the most rules of a list that can be counted.
const Most = 3

// Problem is what lists are compared by: Unit·errors + Price·rules, then rules, then antecedents.
type Problem struct {
	Samples     *framing.Samples
	Unit, Price int64
	Claimed     []uint16
	Objective   int64 // of the claimed list
}

// plane is a part of the count of a class: the groups of a word that have one digit of it.
type plane struct {
	word   int
	mask   uint64
	weight int64
}

// counter counts.
type counter struct {
	Problem
	ctx      context.Context
	workers  int
	classes  int
	columns  [][]uint64
	planes   [][]plane // by class
	constant int64     // what every list gets wrong
	all      []int64   // of all groups, by class; their largest sum is constant less
	pairs    [][]int64 // of each antecedent, class by class, the counts of what it has in common with each
	smaller  atomic.Pointer[[]uint16]
}

// Smaller returns a list of at most so many rules that is smaller than the claimed one, nil if there is none. The
// only error is that of the context.
func (p Problem) Smaller(ctx context.Context, most, workers int) ([]uint16, error) {
	c := newCounter(ctx, p, workers)
	c.look(slices.Max(c.all), nil)
	m := len(c.columns)
	c.each(m, func(s int) {
		row := make([]int64, c.classes*m)
		for t, column := range c.columns {
			for q, planes := range c.planes {
				row[q*m+t] = count(planes, c.columns[s], column)
			}
		}
		c.pairs[s] = row
	})
	if ctx.Err() == nil {
		c.each(m, func(s int) { c.begin(s, most) })
	}
	if found := c.smaller.Load(); found != nil {
		return *found, ctx.Err()
	}
	return nil, ctx.Err()
}

func newCounter(ctx context.Context, p Problem, workers int) *counter {
	g := framing.NewGroups(p.Samples)
	losses, base, _ := g.PickLossy(false)
	c := &counter{Problem: p, ctx: ctx, workers: workers, classes: p.Samples.Classes, constant: base}
	c.columns, c.all, c.pairs = g.Columns(), make([]int64, c.classes), make([][]int64, len(p.Samples.Captured))
	for _, loses := range losses {
		c.constant += slices.Max(loses)
	}
	for q := range c.classes {
		numbers := make([]int64, len(losses))
		for at, loses := range losses {
			numbers[at] = slices.Max(loses) - loses[q]
			c.all[q] += numbers[at]
		}
		var planes []plane
		for b, digit := range framing.Digits(numbers) {
			for w, mask := range digit {
				if mask != 0 {
					planes = append(planes, plane{w, mask, 1 << b})
				}
			}
		}
		c.planes = append(c.planes, planes)
	}
	return c
}

// count returns the count of a∩b.
func count(planes []plane, a, b []uint64) (n int64) {
	for _, p := range planes {
		n += int64(bits.OnesCount64(a[p.word]&b[p.word]&p.mask)) * p.weight
	}
	return n
}

// each calls f for 0 to n−1 by all workers, until a smaller list is found.
func (c *counter) each(n int, f func(i int)) {
	loop.ParallelWith(max(1, c.workers), n, func() func(int) {
		return func(i int) {
			if c.smaller.Load() == nil && c.ctx.Err() == nil {
				f(i)
			}
		}
	})
}

// look notes a list that gets so much right if it is smaller than the claimed one.
func (c *counter) look(right int64, list []uint16) {
	objective := c.Unit*(c.constant-right) + c.Price*int64(len(list))
	if objective > c.Objective || objective == c.Objective && (len(list) > len(c.Claimed) ||
		len(list) == len(c.Claimed) && slices.Compare(list, c.Claimed) >= 0) {
		return
	}
	found := slices.Clone(list)
	c.smaller.CompareAndSwap(nil, &found)
}

// need returns what a list of so many rules must get right at least to be as good as the claimed one.
func (c *counter) need(rules int) int64 {
	left := c.Objective - c.Price*int64(rules)
	if left < 0 {
		return c.constant + 1
	}
	return c.constant - left/c.Unit
}

// begin looks at all lists that begin with s.
func (c *counter) begin(s, most int) {
	m := len(c.columns)
	behind := make([]int64, c.classes*m) // counts outside s
	left := make([]int64, c.classes)
	for q, all := range c.all {
		for t := range m {
			behind[q*m+t] = c.pairs[t][q*m+t] - c.pairs[s][q*m+t]
		}
		left[q] = all - c.pairs[s][q*m+s]
	}
	label, first := c.label(c.pairs[s], s)
	c.look(first+slices.Max(left), []uint16{uint16(s)})
	if most < 2 {
		return
	}
	ranked := make([][]int, c.classes*c.classes)
	rest := make([]int64, c.classes)
	for t := range m {
		if t == s {
			continue
		}
		second, right := c.label(behind, t)
		for r, l := range left {
			rest[r] = l - behind[r*m+t]
		}
		c.look(first+right+slices.Max(rest), []uint16{uint16(s), uint16(t)})
		if most < Most || second == label && t < s {
			continue
		}
		for q := range c.classes {
			for r := range c.classes {
				ask := c.need(3) - first - right - rest[r]
				if q == r || c.ctx.Err() != nil {
					continue
				}
				order := &ranked[q*c.classes+r]
				if *order == nil {
					*order = c.rank(behind, q, r)
				}
				c.third(s, t, q, r, second, ask, behind, *order)
			}
		}
	}
}

// label returns the class of the largest count of an antecedent, and that count.
func (c *counter) label(counts []int64, s int) (label int, most int64) {
	for q := range c.classes {
		if n := counts[q*len(c.columns)+s]; q == 0 || n > most {
			label, most = q, n
		}
	}
	return label, most
}

// rank returns the antecedents by falling D.
func (c *counter) rank(counts []int64, q, r int) []int {
	m := len(c.columns)
	order := make([]int, m)
	for v := range order {
		order[v] = v
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Compare(counts[q*m+b]-counts[r*m+b], counts[q*m+a]-counts[r*m+a])
	})
	return order
}

// third looks for the rule behind s and t with label q and default r that has at least so much of D.
func (c *counter) third(s, t, q, r, second int, ask int64, behind []int64, order []int) {
	m := len(c.columns)
	inS, inT := c.pairs[s], c.pairs[t]
	var free []uint64
	for _, v := range order {
		d := behind[q*m+v] - behind[r*m+v]
		if d+behind[r*m+t] < ask {
			return
		}
		if d+min(behind[r*m+v], inT[r*m+v]) < ask || d-inT[q*m+v]+inT[r*m+v]+min(inS[q*m+v], inT[q*m+v], inS[q*m+t]) < ask {
			continue
		}
		if v == s || v == t || q == second && v < t {
			continue
		}
		if free == nil {
			free = make([]uint64, len(c.columns[s]))
			for w := range free {
				free[w] = ^(c.columns[s][w] | c.columns[t][w])
			}
		}
		c.exactly(s, t, v, free)
	}
}

// exactly counts a list of three rules.
func (c *counter) exactly(s, t, v int, free []uint64) {
	m := len(c.columns)
	var right [Most + 1]int64
	for q, all := range c.all {
		a, b := c.pairs[s][q*m+s], c.pairs[t][q*m+t]-c.pairs[s][q*m+t]
		last := count(c.planes[q], c.columns[v], free)
		for i, n := range [Most + 1]int64{a, b, last, all - a - b - last} {
			right[i] = max(right[i], n)
		}
	}
	c.look(right[0]+right[1]+right[2]+right[3], []uint16{uint16(s), uint16(t), uint16(v)})
}
