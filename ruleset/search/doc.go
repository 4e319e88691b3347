// Package search learns rule sets (disjunctions of conjunctions) by submodular
// optimisation, and says what is proved of them (Yang et al., Learning
// Interpretable Decision Rule Sets: A Submodular Optimization Approach, NeurIPS
// 2021). Begin with [Solve]; package ruleset makes a model of its result.
//
// # Objective
//
// A rule is a set of literals; a rule set predicts 1 where at least one rule holds.
// Solve looks for at most K rules S of a large value
//
//	V(S) = g(S) − Σ over R in S of c(R)
//	g(S) = (β1+β2) · weight of the positives that S covers
//	c(R) = β0 · weight of the negatives in R + β2 · weight of the positives in R + λ·|R|.
//
// The greedy algorithm of the paper (greedy.go) and its refinement (refine.go) ask, again
// and again, for the rule of the largest marginal value. The paper answers by local search
// (local.go); here the question is also answered exactly, by branch and bound over rules on
// bit sets (exact.go), on all cores. If all answers are exact, the paper's guarantee holds.
// Otherwise guarantee.go derives what is left of it. It also derives an upper bound on the
// value of every rule set.
//
// # One answer
//
// All values are integers (prices.go), and the best rule of a subproblem is unique
// in the order of rule.better. So any number of workers gives the same rule set,
// unless a time limit cuts a subproblem short.
package search
