// Package search finds the Bayesian rule list of largest posterior (Yang, Rudin and
// Seltzer, Scalable Bayesian Rule Lists, ICML 2017), and proves that it is where it can.
// Begin with [Fit], or with [Solve] for points without a data set; package bayes is the
// model.
//
// Markov chains look for good lists on all cores (chain.go, polish.go), as the paper
// does; then a branch and bound over prefixes (exact.go, worker.go) on the workers of
// package parallel proves that none is better, or ends at a limit with an upper bound on
// the posterior (bound.go, future.go). The posterior is a sum of integers (posterior.go,
// logs.go), so that all comparisons are exact.
//
// The result depends on data, options and seed alone, not on the number of workers,
// unless a limit on time cuts the search short.
package search
