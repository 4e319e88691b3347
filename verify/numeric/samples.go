package numeric

import (
	"cmp"
	"fmt"
	"parcorels/rules"
	"parcorels/verify/framing"
	"slices"
)

// samples are the samples as trees can tell them apart: groups of equal ranks in all columns, in
// parts of one class each. The least weight that a class has in a group is wrong of all classes but one in every tree,
// and tells nothing: it is left out of each, and so are groups without a rest.
type samples struct {
	classes int
	ranks   [][]int32 // by column and part: its place in the order of the column
	class   []int
	weight  []int64
	groups  int
	balance int64 // that every tree gets wrong
	total   int64
	most    int64 // errors of one leaf, beside those
}

const maxTotal = 1 << 60

// Column is a column of the trees: the numbers of a table in ascending order, or in descending
// order if some are missing as well, which come last in both; or an antecedent, whose samples come
// first.
type Column struct {
	Antecedent int
	Numbers    int // −1: an antecedent
	Down       bool
}

// Columns returns the columns in the order of the table, numbers before antecedents.
func Columns(set *rules.Set) (list []Column) {
	d := set.Data
	at := func(c Column) int {
		if c.Numbers >= 0 {
			return slices.Index(d.Columns, d.Numbers[c.Numbers].Column)
		}
		return slices.Index(d.Columns, d.Features[set.Antecedents[c.Antecedent].Literals[0].Feature].Column)
	}
	for i := range d.Numbers {
		list = append(list, Column{Numbers: i})
		if d.Numbers[i].Missing {
			list = append(list, Column{Numbers: i, Down: true})
		}
	}
	for a := range set.Antecedents {
		list = append(list, Column{Antecedent: a, Numbers: -1})
	}
	slices.SortStableFunc(list, func(a, b Column) int { return cmp.Compare(at(a), at(b)) })
	return list
}

// Ranks returns the place of each sample in the order of a column.
func (c Column) Ranks(set *rules.Set) []int32 {
	if c.Numbers < 0 {
		ranks, captured := make([]int32, set.Data.N), set.Antecedents[c.Antecedent].Captured()
		for i := range ranks {
			if !captured.Test(uint(i)) {
				ranks[i] = 1
			}
		}
		return ranks
	}
	n := &set.Data.Numbers[c.Numbers]
	if !c.Down {
		return n.Ranks
	}
	ranks, last := slices.Clone(n.Ranks), int32(len(n.Levels)-1)
	for i, r := range ranks {
		if r <= last {
			ranks[i] = last - r
		}
	}
	return ranks
}

func newSamples(set *rules.Set) (*samples, error) {
	d := set.Data
	of, err := framing.NewSamples(set, maxTotal)
	if err != nil {
		return nil, err
	}
	s := &samples{classes: of.Classes, total: of.Total}
	var all [][]int32
	for _, c := range Columns(set) {
		all = append(all, c.Ranks(set))
	}
	groups := map[string]int{}
	var first []int // sample of each group
	var sums [][]int64
	var key []byte
	for i := range d.N {
		key = key[:0]
		for _, c := range all {
			key = fmt.Appendf(key, "%d ", c[i])
		}
		g, ok := groups[string(key)]
		if !ok {
			g = len(first)
			groups[string(key)] = g
			first, sums = append(first, i), append(sums, make([]int64, s.classes))
		}
		for c, w := range d.WeightsAt(i) {
			sums[g][c] += w
		}
	}
	s.ranks = make([][]int32, len(all))
	weights := make([]int64, s.classes)
	for g, sum := range sums {
		least, parts := slices.Min(sum), len(s.class)
		s.balance += least * int64(s.classes-1)
		for c, w := range sum {
			if w == least {
				continue
			}
			s.class, s.weight = append(s.class, c), append(s.weight, w-least)
			weights[c] += w - least
			for h := range all {
				s.ranks[h] = append(s.ranks[h], all[h][first[g]])
			}
		}
		if len(s.class) > parts {
			s.groups++
		}
	}
	for _, w := range weights {
		s.most += w
	}
	s.most -= slices.Max(weights)
	return s, nil
}

// part is a set of parts of samples, in the order of each column.
type part struct {
	lists  [][]int32
	counts []int64 // weight by class
	weight int64
}

// whole returns all.
func (s *samples) whole() *part {
	p := &part{counts: make([]int64, s.classes)}
	for i, c := range s.class {
		p.counts[c] += s.weight[i]
		p.weight += s.weight[i]
	}
	for _, ranks := range s.ranks {
		list := make([]int32, len(ranks))
		for i := range list {
			list[i] = int32(i)
		}
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(ranks[a], ranks[b]) })
		p.lists = append(p.lists, list)
	}
	return p
}

// ends returns where the places of a column are: how many of the list are in front of each, from 0
// to all.
func (s *samples) ends(p *part, column int) []int {
	ends := []int{0}
	for i := 1; i < len(p.lists[column]); i++ {
		if s.ranks[column][p.lists[column][i]] != s.ranks[column][p.lists[column][i-1]] {
			ends = append(ends, i)
		}
	}
	return append(ends, len(p.lists[column]))
}

// inFront returns what weighs in front of each place of a column.
func (s *samples) inFront(p *part, column int, ends []int) []int64 {
	weights, sum := []int64{0}, int64(0)
	for i, x := range p.lists[column] {
		if i == ends[len(weights)] {
			weights = append(weights, sum)
		}
		sum += s.weight[x]
	}
	return append(weights, sum)
}

// split returns both sides of a place.
func (s *samples) split(p *part, column, end int) (left, right *part) {
	inFront := make([]bool, len(s.class))
	for _, i := range p.lists[column][:end] {
		inFront[i] = true
	}
	left, right = &part{counts: make([]int64, s.classes)}, &part{counts: make([]int64, s.classes)}
	for h, list := range p.lists {
		var l, r []int32
		for _, i := range list {
			if inFront[i] {
				l = append(l, i)
			} else {
				r = append(r, i)
			}
		}
		left.lists, right.lists = append(left.lists, l), append(right.lists, r)
		if h > 0 {
			continue
		}
		for _, i := range l {
			left.counts[s.class[i]] += s.weight[i]
			left.weight += s.weight[i]
		}
	}
	for c, w := range p.counts {
		right.counts[c] = w - left.counts[c]
	}
	right.weight = p.weight - left.weight
	return left, right
}
