package search

import (
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/separation"
)

// What the optimum for a larger λ says (Options.Optimal).
//
// Let L be the smallest of the optimal lists for λ', in the order of problem.go, and M another list
// that is no worse than L for some λ ≤ λ'. Then M is larger than L, or its objective is smaller:
//
//   - If M has no more rules than L, it is no worse for λ' either, as L's rules count more
//     there. So M is optimal for λ'. L is the smallest there, so M has as many rules, the same errors,
//     and is larger in the order. It is so for λ, too.
//   - If M has more rules and L's objective, it is longer, hence larger.
//
// All objectives are multiples of the greatest common divisor of what an error and a rule cost.
// For λ = ΔE/(N·Δk), at which two models of a path tie, that is 1/Δk of an error or more. So a list
// smaller than L is better by that step, and what cannot be so much better is dropped. At
// 1/435 votes expands 3,187 prefixes instead of 65,017.
//
// The checker of a proof does not know this, so a search with a proof makes no use of it.

// offerOptimal makes the optimum for a larger λ the incumbent, where it is given.
func (s *search) offerOptimal() {
	p := s.p
	if s.o.Optimal == nil || s.o.Proof != nil || len(s.o.Optimal) > p.Longest {
		return
	}
	list := make([]problem.Antecedent, len(s.o.Optimal))
	for i, a := range s.o.Optimal {
		if a < 0 || a >= p.In.Antecedents {
			return
		}
		list[i] = problem.Antecedent(a)
	}
	n := p.Evaluate(list)
	n.Source, n.Step = 'F', p.Step
	s.offer(n)
}

// begun reports whether a search for a λ near has left lists and weights to begin with. Then the incumbent
// is good and the root's LP short, so that estimates of the search and local search may cost less:
// the path of mammo from 1/250 takes .06 s instead of .12.
func (s *search) begun() bool { return len(s.o.Known) > 0 && s.o.Weights.fit(s.p) }

// Weights are what the root's LP of a search has found, for searches of the same instance with
// another λ. They need not be believed (separation.Start).
//
// On the scale of errors, weights that are feasible for one λ are feasible for any larger one, and
// the optimum's change slowly with λ.
type Weights struct {
	in          *instance.Instance
	lambda      float64
	antecedents []problem.Antecedent // of the columns
	end         *separation.Start
}

// weights returns those of the search, nil if there are none.
func (s *search) weights() *Weights {
	if !s.o.KeepWeights || s.p.Limited || s.separated == nil || s.separated.Root == nil {
		return nil
	}
	end := s.separated.Root.End()
	if end == nil {
		return nil
	}
	return &Weights{s.p.In, s.o.Lambda.Float(), s.p.Antecedents, end}
}

// fit reports whether they are of this problem with another λ.
func (w *Weights) fit(p *problem.Problem) bool { return w != nil && w.in == p.In && !p.Limited }

// startOf returns where the LP of a problem begins; nil: at nothing.
func (w *Weights) startOf(p *problem.Problem) *separation.Start {
	if !w.fit(p) {
		return nil
	}
	start := *w.end
	labels := len(start.Rules) / len(w.antecedents)
	place := make([]int, p.In.Antecedents) // in the columns of the search before, from 1; 0: none
	for i, a := range w.antecedents {
		place[a] = i + 1
	}
	start.Rules = make([]float64, labels*len(p.Antecedents))
	for i, a := range p.Antecedents {
		if k := place[a]; k > 0 {
			copy(start.Rules[i*labels:], w.end.Rules[(k-1)*labels:k*labels])
		}
	}
	factor := w.lambda * float64(p.Unit) / float64(p.Price) * float64(p.In.Total)
	start.Y = make([]float64, len(w.end.Y))
	for i, y := range w.end.Y {
		start.Y[i] = y * factor
	}
	return &start
}

// Nearest returns the weights of a list whose λ is nearest by its factor, nil of an empty list.
func Nearest(list []*Weights, lambda ratio.Ratio) (best *Weights) {
	least := 0.
	for _, w := range list {
		factor := w.lambda / lambda.Float()
		if factor = max(factor, 1/factor); best == nil || factor < least {
			best, least = w, factor
		}
	}
	return best
}
