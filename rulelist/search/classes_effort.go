package search

import "parcorels/bitvec"

// The estimate of the work ahead (heuristic_effort.go), of more than two classes. In how many
// orders rules can stand is told by those of label 0 and all others.

// diveClasses does what dive does for two classes.
func (e *effort) diveClasses(objective int64) (total, counted float64) {
	p, x := e.p, e.many
	copy(e.u, p.all)
	cost, last := p.rootCost(), -1
	var lastLabel uint16
	var rules [2]int // of label 0 and of others
	for share := 1.0; !e.work.over() && rules[0]+rules[1] < p.longest; share *= float64(len(e.open)) {
		sets := share / e.blocks.orders(rules[0], rules[1])
		before := e.work.spent
		if !x.count(p, e.u, e.work.counter(p)) {
			break
		}
		total += float64(sets * float64(e.work.spent-before))
		counted += sets
		room := objective - cost - 3*p.price
		e.open = e.open[:0]
		for col := range p.antecedents {
			commutes := last >= 0 && x.label[col] == lastLabel && p.antecedents[col] < p.antecedents[last]
			if x.useful(p, col) && p.unit*x.errors[col] <= room && !commutes && !e.dead(col, int(x.label[col])) {
				e.open = append(e.open, column(col))
			}
		}
		if len(e.open) == 0 {
			break
		}
		last = int(e.open[e.random.IntN(len(e.open))])
		if e.betterSibling(last) {
			break
		}
		lastLabel = x.label[last]
		rules[min(lastLabel, 1)]++
		cost += p.price + p.unit*x.errors[last]
		bitvec.AndNot(e.u, e.u, p.columns[last])
	}
	return total, counted
}

// betterSibling does what hasBetterSibling does for two classes.
func (e *effort) betterSibling(col int) bool {
	p, x := e.p, e.many
	for i, w := range p.columns[col] {
		e.taken[i] = e.u[i] & w
	}
	if !e.within.count(p, e.taken, e.work.counter(p)) {
		return true
	}
	for s := range p.antecedents {
		errors := x.errors[s] + x.cost[col] - e.within.cost[s]
		if errors < x.errors[col] || errors == x.errors[col] && p.antecedents[s] < p.antecedents[col] {
			return true
		}
	}
	return false
}
