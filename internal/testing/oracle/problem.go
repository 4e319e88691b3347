// Package oracle finds the optimal rule list of a small problem by trying all
// of them, straight from the definition of the objective. Tests compare
// the solver with it. Begin with [Problem.Best], or with [TreeProblem] for trees.
//
// It shares no code with the solver and uses none of its ideas: it works on
// the samples as they were given, counts them one by one, and knows no bound
// but the definition itself.
//
// # Definition
//
// A rule list is a sequence of distinct antecedents. A sample is captured by
// the first antecedent of the list that holds for it, otherwise it is left to
// the default rule. Every rule, and the default, predicts the class that
// weighs more among the samples it captures; on equal weights, class 0. Then
//
//	objective = weight of the misclassified samples / total weight + λ·length
//
// and the optimal list is the smallest one in the order (objective, length,
// antecedent indices lexicographically), which is strict and total.
//
// With λ = Num/Den every objective is kept as the integer
// Den·errors + Num·Total·length, the objective times Den·Total.
package oracle

import (
	"errors"
	"fmt"
	"slices"

	"parcorels/ratio"
)

// Problem is a rule-list problem on raw samples.
type Problem struct {
	Columns [][]bool // Columns[j][i]: antecedent j holds for sample i
	Labels  []bool   // Labels[i]: sample i has class 1
	Weights []int64  // positive weight of each sample; nil: every sample weighs 1
	Lambda  ratio.Ratio

	MaxRules int     // most rules of a list; 0: no limit
	MinRows  int     // samples that each rule captures at least
	May      []uint8 // by antecedent, bit q for each class q that its rules may predict; nil: any
}

// List is a rule list with its value on a Problem.
type List struct {
	Antecedents []int  // indices of the antecedents, in the order of the list
	Predict     []bool // Predict[k]: rule k predicts class 1
	Default     bool   // the default rule predicts class 1
	Errors      int64  // weight of the misclassified samples
	Objective   int64  // Den·Errors + Num·Total·length
}

// Less reports whether a comes before b in the order (objective, length,
// antecedents).
func (a List) Less(b List) bool {
	if a.Objective != b.Objective {
		return a.Objective < b.Objective
	}
	if len(a.Antecedents) != len(b.Antecedents) {
		return len(a.Antecedents) < len(b.Antecedents)
	}
	return slices.Compare(a.Antecedents, b.Antecedents) < 0
}

// maxScale bounds Den·Total, which no errors exceed, and Num·Total·(M+1),
// which no length exceeds: their sum, an objective, fits int64.
const maxScale = 1 << 61

// ErrScale reports a problem whose objectives may not fit int64.
var ErrScale = errors.New("oracle: the total weight times the terms of λ must stay below 2^61")

// Total returns the weight of all samples.
func (p *Problem) Total() int64 {
	var total int64
	for i := range p.Labels {
		total += p.Weight(i)
	}
	return total
}

// Scale returns Den·Total, the integer by which objectives are scaled.
func (p *Problem) Scale() int64 { return p.Lambda.Den * p.Total() }

// Weight returns what a sample weighs.
func (p *Problem) Weight(i int) int64 {
	if p.Weights == nil {
		return 1
	}
	return p.Weights[i]
}

// Check reports the first thing that keeps p from being a problem: lengths
// that differ, a weight or λ that is not positive, or ErrScale.
func (p *Problem) Check() error {
	for j, column := range p.Columns {
		if len(column) != len(p.Labels) {
			return fmt.Errorf("oracle: antecedent %d has %d samples, the labels %d", j, len(column), len(p.Labels))
		}
	}
	if p.Weights != nil && len(p.Weights) != len(p.Labels) {
		return fmt.Errorf("oracle: %d weights for %d labels", len(p.Weights), len(p.Labels))
	}
	if p.Lambda.Num < 0 || p.Lambda.Den <= 0 || p.Lambda.Num == 0 && p.MaxRules == 0 {
		return fmt.Errorf("oracle: λ = %d/%d is not positive", p.Lambda.Num, p.Lambda.Den)
	}
	room := maxScale / max(p.Lambda.Den, p.Lambda.Num*int64(len(p.Columns)+1))
	for i := range p.Labels {
		w := p.Weight(i)
		if w <= 0 {
			return fmt.Errorf("oracle: sample %d has weight %d", i, w)
		}
		if room -= w; room <= 0 {
			return ErrScale
		}
	}
	return nil
}

// Evaluate returns the list of the given antecedents with its predictions and
// its value. It returns an error for an antecedent out of range or repeated.
func (p *Problem) Evaluate(antecedents []int) (List, error) {
	if err := p.Check(); err != nil {
		return List{}, err
	}
	l := List{Antecedents: slices.Clone(antecedents)}
	left := p.samples()
	for k, j := range antecedents {
		if j < 0 || j >= len(p.Columns) {
			return List{}, fmt.Errorf("oracle: antecedent %d of %d", j, len(p.Columns))
		}
		if slices.Contains(antecedents[:k], j) {
			return List{}, fmt.Errorf("oracle: antecedent %d is repeated", j)
		}
		captured, rest := p.split(left, j)
		predict, wrong := p.predict(j, captured)
		l.Predict = append(l.Predict, predict)
		l.Errors += wrong
		left = rest
	}
	predict, wrong := p.majority(left)
	l.Default = predict
	l.Errors += wrong
	l.Objective = p.objective(l.Errors, len(antecedents))
	return l, nil
}

// samples returns the indices of all samples.
func (p *Problem) samples() []int {
	all := make([]int, len(p.Labels))
	for i := range all {
		all[i] = i
	}
	return all
}

// split divides the samples into those for which antecedent j holds and the
// others.
func (p *Problem) split(samples []int, j int) (captured, rest []int) {
	for _, i := range samples {
		if p.Columns[j][i] {
			captured = append(captured, i)
		} else {
			rest = append(rest, i)
		}
	}
	return captured, rest
}

// predict returns what a rule predicts for the samples that it captures, and the weight that it gets wrong.
func (p *Problem) predict(j int, captured []int) (class1 bool, wrong int64) {
	class1, wrong = p.majority(captured)
	if one := p.May != nil && p.May[j] == 2; one && !class1 || p.May != nil && p.May[j] == 1 && class1 {
		all := int64(0)
		for _, i := range captured {
			all += p.Weight(i)
		}
		return one, all - wrong
	}
	return class1, wrong
}

// majority returns the class that weighs more among the samples (class 0 on
// equal weights) and the weight of the samples of the other class.
func (p *Problem) majority(samples []int) (class1 bool, wrong int64) {
	var weight [2]int64
	for _, i := range samples {
		if p.Labels[i] {
			weight[1] += p.Weight(i)
		} else {
			weight[0] += p.Weight(i)
		}
	}
	if weight[1] > weight[0] {
		return true, weight[0]
	}
	return false, weight[1]
}

func (p *Problem) objective(wrong int64, length int) int64 {
	return p.Lambda.Den*wrong + p.Lambda.Num*p.Total()*int64(length)
}
