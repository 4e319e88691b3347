package oracle

import "slices"

// Best returns the smallest of all rule lists of p.
//
// It visits every sequence of distinct antecedents, and leaves out only lists
// whose length and the errors of whose rules but the last alone cost more than
// the best list so far: misclassification is never negative, so by the
// definition they and all longer lists lose to it.
func (p *Problem) Best() (List, error) {
	if err := p.Check(); err != nil {
		return List{}, err
	}
	best, err := p.Evaluate(nil)
	if err != nil {
		return List{}, err
	}
	e := enumeration{p: p, step: p.Lambda.Num * p.Total(), best: best}
	e.visit(nil, p.samples(), 0)
	return p.Evaluate(e.best.Antecedents)
}

// enumeration walks over the rule lists in lexicographic order.
type enumeration struct {
	p    *Problem
	step int64 // Num·Total, the cost of one rule
	best List  // its predictions are not filled in
}

// visit compares the given list, which leaves the samples left and errs by
// wrong on those it captures, and all its extensions.
func (e *enumeration) visit(list, left []int, wrong int64) {
	_, more := e.p.majority(left)
	length := int64(len(list))
	here := List{
		Antecedents: list,
		Errors:      wrong + more,
		Objective:   e.p.Lambda.Den*(wrong+more) + e.step*length,
	}
	if here.Less(e.best) {
		here.Antecedents = slices.Clone(list)
		e.best = here
	}
	// One more rule costs a step, and the errors of those before it stay.
	if e.step*(length+1)+e.p.Lambda.Den*wrong > e.best.Objective || e.p.MaxRules > 0 && len(list) == e.p.MaxRules {
		return
	}
	for j := range e.p.Columns {
		if slices.Contains(list, j) {
			continue
		}
		captured, rest := e.p.split(left, j)
		if len(captured) < e.p.MinRows || e.p.May != nil && e.p.May[j] == 0 {
			continue
		}
		_, less := e.p.predict(j, captured)
		e.visit(append(slices.Clip(list), j), rest, wrong+less)
	}
}
