package oracle

// ClassList is a rule list over K classes with its value on a TreeProblem.
type ClassList struct {
	Antecedents []int
	Labels      []int // of the rules, and of the default
	Objective   int64 // Den·errors + Num·Total·length
}

// BestList returns the optimal rule list on the samples of the problem, in the order of the
// package, where Depth is the most rules of a list. Rules and default predict the class that
// weighs most, the smallest one of several. It tries every column at every set of samples that
// rules can leave, once for each number of rules left: what is best there does not depend on
// the rules before.
func (p *TreeProblem) BestList() ClassList {
	e := listEnumeration{p: p, known: map[treeSet]ClassList{}}
	for _, c := range p.Columns {
		e.columns = append(e.columns, 0)
		for i, x := range c {
			if x {
				e.columns[len(e.columns)-1] |= 1 << i
			}
		}
	}
	return e.best(treeSet{samples: ^uint64(0) >> (64 - len(p.Classes)), splits: p.Depth})
}

type listEnumeration struct {
	p       *TreeProblem
	columns []uint64
	known   map[treeSet]ClassList
}

func (e *listEnumeration) best(s treeSet) ClassList {
	if l, ok := e.known[s]; ok {
		return l
	}
	best := e.rule(s.samples)
	best.Objective -= e.p.Num * e.p.Total() // a default costs nothing
	for j, c := range e.columns {
		if s.splits == 0 || s.samples&c == 0 {
			continue
		}
		first, rest := e.rule(s.samples&c), e.best(treeSet{samples: s.samples &^ c, splits: s.splits - min(1, s.splits+1)})
		l := ClassList{
			Antecedents: append([]int{j}, rest.Antecedents...), Labels: append(first.Labels, rest.Labels...),
			Objective: first.Objective + rest.Objective,
		}
		if (List{Antecedents: l.Antecedents, Objective: l.Objective}).Less(List{Antecedents: best.Antecedents, Objective: best.Objective}) {
			best = l
		}
	}
	e.known[s] = best
	return best
}

// rule is the rule that captures some samples, without its antecedent.
func (e *listEnumeration) rule(samples uint64) ClassList {
	leaf := (&treeEnumeration{p: e.p}).leaf(samples)
	return ClassList{Labels: []int{-1 - leaf.Preorder[0]}, Objective: leaf.Objective}
}
