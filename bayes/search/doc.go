// Package search finds the Bayesian rule list of largest posterior (Yang, Rudin and
// Seltzer, Scalable Bayesian Rule Lists, ICML 2017), and proves that where it can. Begin
// with [Fit], or with [Solve] for points without a data set; package bayes is the model.
//
// Markov chains look for good lists on all cores (chain.go, polish.go), as in the paper.
// Then a branch and bound over prefixes proves that none is better (exact.go, worker.go).
// It runs on the workers of package parallel. At a limit it ends with an upper bound on the
// posterior (bound.go, future.go). The posterior is a sum of integers (posterior.go,
// logs.go), so that all comparisons are exact.
//
// The result depends on data, options and seed alone, not on the number of workers, unless
// a time limit ends the search early.
package search
