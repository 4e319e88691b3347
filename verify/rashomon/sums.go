package rashomon

import (
	"math"
	"math/rand/v2"
	"slices"

	"parcorels/rules"
	"parcorels/verify/framing"
)

// Sum is a number that each model has, added up over samples and further rows.
type Sum struct {
	Predicted [][]int64                 // by class and sample: what predicting the class adds; nil: nothing
	Further   [][]int64                 // likewise by further row
	Decided   []int64                   // by sample: what it adds if a marked antecedent decides it; nil: nothing
	Marked    func(antecedent int) bool // nil: none is
}

// grouped adds values up over the samples of each group.
func grouped(values []int64, of []int32, groups int) []int64 {
	if values == nil {
		return nil
	}
	sums := make([]int64, groups)
	for i, g := range of {
		sums[g] += values[i]
	}
	return sums
}

// addUp returns the sum of values over a set; nil values are 0.
func addUp(values []int64, set []uint64) (sum int64) {
	if values != nil {
		for i := range framing.Members(set) {
			sum += values[i]
		}
	}
	return sum
}

// groupedSum is a Sum by groups.
type groupedSum struct {
	classes, further [][]int64
	decided          []int64
	marked           func(antecedent int) bool
}

func (s *Sum) grouped(of []int32, groups, classes int) *groupedSum {
	g := &groupedSum{further: s.Further, decided: grouped(s.Decided, of, groups), marked: s.Marked}
	if g.marked == nil {
		g.marked = func(int) bool { return false }
	}
	if g.further == nil {
		g.further = make([][]int64, classes)
	}
	for c := range classes {
		var values []int64
		if s.Predicted != nil {
			values = s.Predicted[c]
		}
		g.classes = append(g.classes, grouped(values, of, groups))
	}
	return g
}

// predicted returns what predicting a class for groups and further rows adds.
func (g *groupedSum) predicted(class int, groups, further []uint64) int64 {
	return addUp(g.classes[class], groups) + addUp(g.further[class], further)
}

// Sums is one of Answers.
func (c *checker) Sums(rows Rows, s Sum) (map[int64]int64, bool) {
	g := s.grouped(c.of, len(c.weight), len(c.digits))
	r, ok := c.refine(rows, g.marked)
	if !ok {
		return nil, false
	}
	least, ok := c.leastBySum(r, summed{
		predicted: func(label int, groups, further []uint64) sums { return sums{g.predicted(label, groups, further)} },
		decided:   func(groups []uint64) sums { return sums{addUp(g.decided, groups)} },
		marked:    g.marked,
	})
	if !ok {
		return nil, false
	}
	values := make(map[int64]int64, len(least))
	for d, cost := range least {
		values[d[0]] = cost + c.base
	}
	return values, true
}

// summed are sums that rules add to.
type summed struct {
	predicted func(label int, groups, further []uint64) sums
	decided   func(groups []uint64) sums // of a marked rule; nil: nothing
	marked    func(antecedent int) bool
}

// leastBySum returns the least cost, beyond base, of the good lists with each value of sums: the table of each
// node has its completions with a rule at least. It returns false if the tables have too many entries.
func (c *checker) leastBySum(r *refined, s summed) (map[sums]int64, bool) {
	tables := make([]map[sums]int64, len(r.nodes))
	at := make([][]sums, len(r.nodes)) // by label, of all that a node has
	decided := make([]sums, len(r.nodes))
	for i, n := range r.nodes {
		for q := range c.digits {
			at[i] = append(at[i], s.predicted(q, c.sets[n.state], n.further))
		}
		if s.decided != nil {
			decided[i] = s.decided(c.sets[n.state])
		}
	}
	entries := 0
	for _, i := range slices.Backward(r.order) {
		n := &r.nodes[i]
		t := map[sums]int64{}
		add := func(d sums, cost int64) {
			if n.d+cost > c.most {
				return
			}
			if known, ok := t[d]; !ok || cost < known {
				t[d] = cost
			}
		}
		for _, w := range n.ways {
			captured := at[i][w.label].less(at[w.child][w.label])
			if s.decided != nil && s.marked(w.antecedent) {
				captured = captured.plus(decided[i].less(decided[w.child]))
			}
			for q, stop := range w.stops {
				add(captured.plus(at[w.child][q]), w.cost+stop)
			}
			for d, more := range tables[w.child] {
				add(captured.plus(d), w.cost+more)
			}
		}
		if entries += len(t); entries > mostEntries {
			return nil, false
		}
		tables[i] = t
	}
	empty, _ := c.losses(c.all, c.all)
	for q, cost := range empty {
		if known, ok := tables[0][at[0][q]]; cost <= c.most && (!ok || cost < known) {
			tables[0][at[0][q]] = cost
		}
	}
	return tables[0], true
}

// Optimum is one of Answers.
func (c *checker) Optimum(holds func(antecedent int) bool) int {
	for _, r := range c.best.Rules {
		if holds(r.Antecedent) {
			return r.Label
		}
	}
	return c.best.Default
}

func labelOf(one bool) int {
	if one {
		return 1
	}
	return 0
}

// Discrepancy returns the largest weight of samples that a good model decides otherwise than the optimum. It
// returns false if the tables have too many entries.
func Discrepancy(a Answers, set *rules.Set) (most int64, ok bool) {
	d := set.Data
	s := Sum{Predicted: make([][]int64, d.ClassCount())}
	for class := range s.Predicted {
		s.Predicted[class] = make([]int64, d.N)
	}
	for i := range d.N {
		own := a.Optimum(func(k int) bool { return set.Antecedents[k].Captured().Test(uint(i)) })
		for class := range s.Predicted {
			if class != own {
				s.Predicted[class][i] = d.Weight(i)
			}
		}
	}
	values, ok := a.Sums(Rows{}, s)
	for x := range values {
		most = max(most, x)
	}
	return most, ok
}

// Classifiers returns in how many ways good models predict the samples. Each has a sum of random words, drawn anew
// in each call: two of n ways have the same one with a probability of at most n²/2^65. It returns false if the tables
// have too many entries.
func Classifiers(a Answers, set *rules.Set) (n int, ok bool) {
	s := Sum{Predicted: make([][]int64, set.Data.ClassCount())}
	for class := range s.Predicted {
		for range set.Data.N {
			s.Predicted[class] = append(s.Predicted[class], int64(rand.Uint64()))
		}
	}
	values, ok := a.Sums(Rows{}, s)
	return len(values), ok
}

// Trade is the least objective of good models with a difference between two groups. No good model has both a
// smaller objective and a smaller difference.
type Trade struct {
	Objective  int64
	Difference float64 // absolute
	Below      bool    // there is such a model with a difference of at most 0
	Above      bool    // and one of at least 0
}

// Front returns the good models with ever smaller differences of a rate between some samples and the others. It
// returns false if the tables have too many entries.
func Front(a Answers, set *rules.Set, inside []bool, m Measure) (front []Trade, ok bool, err error) {
	value, scale, err := differences(set, inside, m)
	if err != nil {
		return nil, false, err
	}
	values, ok := a.Sums(Rows{}, Sum{Predicted: [][]int64{nil, value}})
	if !ok {
		return nil, false, nil
	}
	smallest := map[int64]int64{} // by objective
	for d, objective := range values {
		if known, some := smallest[objective]; !some || max(d, -d) < known {
			smallest[objective] = max(d, -d)
		}
	}
	last := int64(math.MaxInt64)
	objectives := make([]int64, 0, len(smallest))
	for objective := range smallest {
		objectives = append(objectives, objective)
	}
	slices.Sort(objectives)
	for _, objective := range objectives {
		d := smallest[objective]
		if d >= last {
			continue
		}
		last = d
		above, one := values[d]
		below, other := values[-d]
		front = append(front, Trade{objective, float64(d) / float64(scale), other && below == objective, one && above == objective})
	}
	return front, true, nil
}
