package problem

import (
	"slices"

	"parcorels/bitvec"
	"parcorels/costs"
)

// Labels and what they gain (package costs). On a set of points a rule that predicts q errs by Σ cost − Σ gain_q beyond the
// base. Its label is the one with the largest gain, the smallest of these on a tie. The prunings hold for any number of
// classes:
//
//   - 1 bound, 3 commuting and 4 equal sets are about lists and labels, whatever these are. When
//     s and t trade places, points of both are predicted q(s) instead of q(t); what they gain of
//     either class decides.
//   - 2 support: without a rule of label q, what it captured errs by Σ gain_q more at most. So
//     a rule is useless if no class gains more than λN, there and everywhere below.
//   - 5 similar support takes each point for what it costs at most, Σ cost.
//   - 7 look-ahead: behind c = P+s, t with label q errs by what it errs behind P less what s errs
//     with label q, at least, because those are the points that t may have lost to s.
//   - 1 bound: let missing_c be what points whose heaviest class is c err at least if nothing
//     predicts c. A list with j rules has j+1 labels at most. Each class is predicted, by a
//     rule or the default, or costs missing_c. So any completion costs at least
//     Σ_c min(λN, missing_c), less the largest of these, for the default. If it has a rule, it
//     costs at least λN, too. (It is the separation bound of one set a class, but takes no LP. With two classes it is λN.)
//   - 10 separation: a rule is pure on points of its heaviest class, and a point costs at least
//     its missing_c.

// Rule returns the label of a rule that captures of u what an antecedent does, what the rule errs, and what that costs at most.
func (p *Problem) Rule(u []uint64, a Antecedent) (label int, errors, cost int64) {
	label, errors, cost = p.Best(u, p.In.Columns[a])
	if p.May.Labels != nil && p.May.Labels[a]>>label&1 == 0 { // of two labels
		return 1 - label, cost - errors, cost
	}
	return label, errors, cost
}

// Column returns what a rule of a column does in the set of counts, with a label that it may predict.
func (p *Problem) Column(x *costs.Counts, col int) costs.Column {
	c := x.Column(col)
	if p.May.Labels != nil && p.May.Labels[p.Antecedents[col]]>>c.Label&1 == 0 {
		c.Label, c.Errors = 1-c.Label, c.Cost-c.Errors
	}
	return c
}

// Behind returns what lists cost at least that have a rule, the price of all rules included, in
// what a column leaves.
func (p *Problem) Behind(x *costs.Counts, col int) int64 {
	var sum, most int64
	for q, missing := range x.Missing {
		m := min(p.Price, p.Unit*(x.Lacking[q]-missing[col]))
		sum += m
		most = max(most, m)
	}
	return max(p.Price, sum-most)
}

// EmptyErrors returns what the empty list errs beyond the base.
func (p *Problem) EmptyErrors() int64 {
	_, errors, _ := p.Best(p.All, p.All)
	return errors
}

// chosenAtOnce is how many antecedents are counted at a time, or as many as have chosenWords
// words: a matrix of all of them would take as much memory as one of those that stay.
const (
	chosenAtOnce = 256
	chosenWords  = 1 << 21
)

// rootGains counts what each antecedent of the instance gains at most.
func (p *Problem) rootGains(goOn func() bool) (gains []int64, ok bool) {
	atOnce := min(chosenAtOnce, max(1, chosenWords/max(1, p.Words)/bitvec.Lanes)*bitvec.Lanes)
	m := bitvec.NewMatrix(min(atOnce, p.In.Antecedents), p.Words)
	x := p.NewCounts(m.Blocks() * bitvec.Lanes)
	count := func(prog *bitvec.Program, g1, g0 []int64) bool { return goOn() && m.CountWhile(prog, g1, g0, goOn) }
	for columns := range slices.Chunk(p.In.Columns, atOnce) {
		for i, c := range columns {
			m.Set(i, c)
		}
		if !x.CountGains(p.All, count) {
			return nil, false
		}
		for i := range columns {
			most := int64(0)
			for _, g := range x.Gains {
				most = max(most, g[i])
			}
			gains = append(gains, most)
		}
	}
	return gains, true
}
