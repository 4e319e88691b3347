package short

import (
	"cmp"
	"math"
	"slices"

	"parcorels/rulelist/problem"
)

// Run looks at the lists of 1, 2, 3 rules and more on the columns of p, as far as the options let it. It tells without a look where the
// strongest conditions are too weak for lists of more rules.
func Run(p *problem.Problem, o Options) (r Result) {
	if o.Memory <= 0 || o.Memory > mostMemory {
		o.Memory = mostMemory
	}
	s := &search{p, o, p.Sum}
	switch countBytes(p) {
	case 2:
		return run[int16](s)
	case 4:
		return run[int32](s)
	}
	return run[int64](s)
}

// countBytes returns how many bytes take all counts.
func countBytes(p *problem.Problem) int64 {
	gains, sum := make([]int64, p.Labels), int64(0)
	p.Gain(gains, p.All, p.All)
	for _, g := range gains {
		sum += g
	}
	switch {
	case sum < 1<<15:
		return 2
	case sum < 1<<31:
		return 4
	}
	return 8
}

// Bytes returns what counts take of a problem, if the memory is not limited.
func Bytes(p *problem.Problem) int64 {
	n, classes := int64(len(p.Columns)), int64(p.Labels)
	return min(mostMemory, 1<<16+n*countBytes(p)*classes*(int64(p.Padded())+classes*int64(peakCount(int(n)))))
}

// run is Run with counts of one type.
func run[T count](s *search) (r Result) {
	columns, names := byGain(s.p)
	c := newTable[T](s, columns, names, s.p.All, s.p.Table)
	c.ones()
	for r.Rules = 1; r.Rules != s.o.Most && s.o.Running() && c.lists(r.Rules+1); {
		if r.Rules++; r.Rules >= c.n || c.need(r.Rules+1) == problem.Unknown { // there are no longer ones, or they cost more
			if r.Rules = max(4, c.n); s.o.Most > 0 {
				r.Rules = s.o.Most
			}
			break
		}
	}
	r.Prefixes = c.prefixes.Load() + 1
	return r
}

// byGain returns the columns and antecedents of p in an order in which neighbours gain alike: by label, by what that gains in
// quarters of an octave, and by how much more it gains than any other label. So few blocks of conditions have one that may follow.
// Lists found do not depend on the order. (Without the quarters lists of three rules take 5 to 17% more on heloc, adult, beps and pbc.)
func byGain(p *problem.Problem) (columns [][]uint64, names []problem.Antecedent) {
	type condition struct {
		label int
		gain  int // in quarters of an octave
		more  int64
		at    int
	}
	all, gains := make([]condition, len(p.Columns)), make([]int64, p.Labels)
	for i, column := range p.Columns {
		p.Gain(gains, p.All, column)
		x := condition{at: i}
		for q, g := range gains {
			if g > gains[x.label] {
				x.label = q
			}
		}
		most := gains[x.label]
		gains[x.label] = 0
		x.gain = int(4 * math.Log2(float64(max(most, 1))))
		x.more = most - slices.Max(gains)
		all[i] = x
	}
	slices.SortStableFunc(all, func(a, b condition) int {
		return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(b.gain, a.gain), cmp.Compare(b.more, a.more))
	})
	for _, x := range all {
		columns, names = append(columns, p.Columns[x.at]), append(names, p.Antecedents[x.at])
	}
	return columns, names
}
