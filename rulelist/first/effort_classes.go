package first

import (
	"parcorels/bitvec"
	"parcorels/rulelist/problem"
)

// The estimate of the work ahead (effort.go), of more than two classes. In how many
// orders rules can stand is told by those of label 0 and all others.

// diveClasses does what dive does for two classes.
func (e *effort) diveClasses(objective int64) (total, counted float64) {
	p, x := e.p, e.many
	copy(e.u, p.All)
	cost, last := p.RootCost(), -1
	var lastLabel uint16
	var rules [2]int // of label 0 and of others
	for share := 1.0; !e.work.over() && rules[0]+rules[1] < p.Longest; share *= float64(len(e.open)) {
		sets := share / e.blocks.orders(rules[0], rules[1])
		before := e.work.spent
		if !x.CountErrors(p, e.u, e.work.counter(p)) {
			break
		}
		total += float64(sets * float64(e.work.spent-before))
		counted += sets
		room := objective - cost - 3*p.Price
		e.open = e.open[:0]
		for col := range p.Antecedents {
			commutes := last >= 0 && x.Label[col] == lastLabel && p.Antecedents[col] < p.Antecedents[last]
			if x.Useful(p, col) && p.Unit*x.Errors[col] <= room && !commutes && !e.dead(col, int(x.Label[col])) {
				e.open = append(e.open, problem.Column(col))
			}
		}
		if len(e.open) == 0 {
			break
		}
		last = int(e.open[e.random.IntN(len(e.open))])
		if e.betterSibling(last) {
			break
		}
		lastLabel = x.Label[last]
		rules[min(lastLabel, 1)]++
		cost += p.Price + p.Unit*x.Errors[last]
		bitvec.AndNot(e.u, e.u, p.Columns[last])
	}
	return total, counted
}

// betterSibling does what hasBetterSibling does for two classes.
func (e *effort) betterSibling(col int) bool {
	p, x := e.p, e.many
	for i, w := range p.Columns[col] {
		e.taken[i] = e.u[i] & w
	}
	if !e.within.CountErrors(p, e.taken, e.work.counter(p)) {
		return true
	}
	for s := range p.Antecedents {
		errors := x.Errors[s] + x.Cost[col] - e.within.Cost[s]
		if errors < x.Errors[col] || errors == x.Errors[col] && p.Antecedents[s] < p.Antecedents[col] {
			return true
		}
	}
	return false
}
