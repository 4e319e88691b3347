package search

import (
	"parcorels/instance"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/separation"
)

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
