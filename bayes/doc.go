// Package bayes is a learned Bayesian rule list: a rule list whose rules and default
// give a probability of class 1, with an interval. Begin with New, which makes a model
// of what package bayes/search returned, or with Decode.
//
//	if   priors > 3    then yes with 65.9%   (63.7% to 68.0%; 1,921 of 6,489 samples)
//	else                    yes with 34.0%   (32.6% to 35.4%; 4,568 of 6,489 samples)
//
// The probability is the mean of the posterior of the rule, (n1 + α1)/(n + α1 + α0) for
// n1 of n samples of class 1, and the interval holds 95% of it: from its 2.5th to its
// 97.5th percentile. A [Model] implements model.Model.
//
// # Invariants
//
//   - Every sample is captured by exactly one line.
//   - Posterior ≤ Bound, both in units of 2^−32 nats; they are equal if the status
//     is "optimal".
package bayes
