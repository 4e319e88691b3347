package testgen

import (
	"math/rand/v2"
	"slices"

	"parcorels/internal/testing/given"
	"parcorels/internal/testing/oracle"
	"parcorels/rules"
)

// Classes draws a problem of three to five classes within reach of the oracle: weights that
// are those of samples or of classes, samples and columns that repeat, classes that balance, λ
// from tiny to more than the data, limits of rules.
func Classes(rng *rand.Rand) oracle.TreeProblem {
	n := 1 + rng.IntN(1+rng.IntN(30))
	p := oracle.TreeProblem{K: 3 + rng.IntN(3)*rng.IntN(2), Depth: -1, Num: 1, Den: 2 + rng.Int64N(60)}
	if rng.IntN(4) == 0 {
		p.Depth = 1 + rng.IntN(4)
		if rng.IntN(2) == 0 {
			p.Num, p.Den = 0, 1
		}
	}
	for range 1 + rng.IntN(6) {
		c := Random(rng, n, rng.Float64())
		if from := rng.IntN(len(p.Columns) + 1); from < len(p.Columns) {
			switch rng.IntN(6) {
			case 0:
				c = slices.Clone(p.Columns[from])
			case 1:
				c = not(p.Columns[from])
			case 2:
				c = combine(c, p.Columns[from], and)
			}
		}
		p.Columns = append(p.Columns, c)
	}
	noise, byClass := rng.IntN(4), make([]int64, p.K)
	for c := range byClass {
		byClass[c] = 1 + rng.Int64N(6)
	}
	weighs := rng.IntN(3)
	for i := range n {
		class := rng.IntN(p.K)
		for j, c := range p.Columns[:min(len(p.Columns), p.K)] { // something to learn
			if c[i] && rng.IntN(4) >= noise {
				class = j
				break
			}
		}
		p.Classes = append(p.Classes, class)
		switch weighs {
		case 1:
			p.Weights = append(p.Weights, byClass[class])
		case 2:
			p.Weights = append(p.Weights, 1+rng.Int64N(int64(1)<<rng.IntN(10)))
		}
	}
	return p
}

// AsClasses returns an instance as a problem of classes.
func AsClasses(in Instance) oracle.TreeProblem {
	p := oracle.TreeProblem{Columns: in.Columns, K: 2, Weights: in.Weights, Num: in.Lambda.Num, Den: in.Lambda.Den, Depth: -1}
	if in.MaxRules > 0 {
		p.Depth = in.MaxRules
	}
	for _, one := range in.Labels {
		p.Classes = append(p.Classes, map[bool]int{true: 1}[one])
	}
	return p
}

// ClassSet returns the antecedents of a problem, as searches and checkers take them.
func ClassSet(p *oracle.TreeProblem) *rules.Set {
	var classOf []uint16
	for _, c := range p.Classes {
		classOf = append(classOf, uint16(c))
	}
	return given.ClassSet(bitsets(p.Columns), classOf, p.K, p.Weights, len(classOf))
}
