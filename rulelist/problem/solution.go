package problem

import (
	"cmp"
	"slices"
	"time"

	"parcorels/bitvec"
	"parcorels/rulelist"
)

// The order: complete lists are compared by objective,
// then length, then antecedent indices lexicographically. It is a strict total
// order, so exactly one list is smallest, and a prefix may be dropped only if
// every completion of it is beaten by a strictly smaller list. Then no prefix
// of the smallest list is ever dropped, whatever the interleaving of the
// workers, and the same list comes back every time.

// Solution is a complete list. It is immutable once published.
type Solution struct {
	Objective int64
	List      []Antecedent // antecedent indices of the instance
	Step      int64        // no other list is as good but those that are better by so much; 0: not known (search/near.go)
	Source    byte         // 'F' first incumbent, 'S' search, 'R' checkpoint resumed
	Found     time.Time
}

// Better reports whether s comes before t in the order.
func (s Solution) Better(t *Solution) bool {
	order := cmp.Or(cmp.Compare(s.Objective, t.Objective), cmp.Compare(len(s.List), len(t.List)), slices.Compare(s.List, t.List))
	return order < 0
}

// LexLess compares the antecedent indices of two prefixes given as columns.
func (p *Problem) LexLess(a, b []Column) bool {
	return slices.CompareFunc(a, b, func(x, y Column) int { return cmp.Compare(p.Antecedents[x], p.Antecedents[y]) }) < 0
}

// Evaluate makes a solution of a list of antecedents.
func (p *Problem) Evaluate(list []Antecedent) *Solution {
	u := append([]uint64(nil), p.All...)
	var errors int64
	for _, a := range list {
		_, e, _ := p.Rule(u, a)
		errors += e
		bitvec.AndNot(u, u, p.In.Columns[a])
	}
	_, e, _ := p.Best(u, u)
	errors += e
	return &Solution{Objective: p.RootCost() + p.Price*int64(len(list)) + p.Unit*errors, List: list, Source: 'R'}
}

// Rules returns the rules of a list with the label that each predicts: the
// heaviest class of what it captures, the smallest one on a tie, or the only one that it may predict.
func (p *Problem) Rules(list []Antecedent) (rules []rulelist.Rule, def int) {
	u := append([]uint64(nil), p.All...)
	for _, a := range list {
		label, _, _ := p.Rule(u, a)
		rules = append(rules, rulelist.Rule{Antecedent: int(a), Class: label})
		bitvec.AndNot(u, u, p.In.Columns[a])
	}
	def, _, _ = p.Best(u, u)
	return rules, def
}
