package search

import (
	"context"
	"time"

	"parcorels/instance"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// At most K rules (Options.MaxRules).
//
// The list sought is the smallest of those with at most K rules, in the same order. Then λ
// may be 0: lists are compared by errors, length, antecedents. What a prefix can be completed
// to depends on its length, too, and each pruning was looked at for that:
//
//   - 1 bound, 2 support, 3 commuting and 8 redundant put a list in the place
//     of another that is no longer. So they hold as they are. λ = 0 does not change their
//     arguments: a rule that gains nothing is useless, because the list without it is shorter.
//   - 4 symmetry and 5 dominance complete prefix A as B is completed. That is a list of at
//     most K rules only if A is no longer than B, which is asked for. The symmetry map keeps
//     the cheapest prefix of each remaining set and length, and a prefix is compared with all
//     shorter ones.
//   - 7 look-ahead: behind a prefix of K−1 rules only the last rule is looked for. So prefixes
//     of K rules never get a node, and those of K−1 only where look-ahead is left out.
//   - 10 separation: for a surcharge μ ≥ 0, let a rule cost price + μ, and take μ·K off what a
//     list costs. A list of at most K rules then costs no more than before, so what bounds
//     these costs from below bounds the former, too. Behind a prefix of k rules μ·(K−k) is
//     taken off. The rules that a completion may have are those for the true price: what
//     gains between price and price + μ may be in the list.
//
// TestLimitNeedsLengths has five points on which the condition on lengths matters.

// A limit of K rules by way of a larger price, without a limit.
//
// Let M be the smallest list of all for a price P' of a rule above the true one, P, and let it
// have K rules. Then M is the smallest list of at most K rules for P. For let L be a list of k ≤ K
// rules with an objective no larger than M's. Its value for P' is that objective and
// (P' − P)·k, hence no larger than M's, with equality only if k = K and the objectives
// are equal. So L is optimal for P', too, and as long; and M is the smaller of both in the order.
//
// There is such a P' where the fewest errors of K rules are a corner of the lower convex hull of
// errors by length. The corners are found as those of a path (package ask/path): where the lines of
// a shorter and a longer corner cross, one search tells whether a corner is between. Searches
// without a limit are most often far shorter: COMPAS with seven rules and λ = 0 takes .8 s, and
// with the limit more than a minute. If K is no corner, the slope of the edge above which it
// lies is the best surcharge for the search with the limit. All of them may expand freeNodes
// prefixes together. Where they end the last one, its list gives the slope: mammo with six to eight rules
// and λ = 0 takes 15 to 60 s then, and was open after 60 before.
//
// A proof is about the lists of at most K rules, so a search that writes one does not take this way.

const (
	freeNodes = 1 << 16
	mostFree  = 16 // searches
)

// corner is a list that is optimal for some price without a limit.
type corner struct {
	rules  int
	errors int64
}

// solveFree reports whether searches without a limit have found the smallest list within it. That
// is the incumbent then.
func (s *search) solveFree(ctx context.Context, in *instance.Instance) bool {
	p := s.p
	if !p.Limited || s.finder == nil || s.o.Proof != nil || s.o.hooks != &noHooks {
		return false
	}
	total, nodes := in.Total, int64(freeNodes)
	if s.o.Nodes > 0 {
		nodes = min(nodes, s.o.Nodes)
	}
	shorter, longer := corner{0, p.In.Base + p.EmptyErrors()}, corner{}
	lambda := ratio.New(max(shorter.errors, 1), 2*total) // downwards, as smaller prices are harder
	for range mostFree {
		if !lambda.Within() || !s.o.Lambda.Less(lambda) || nodes <= 0 {
			return false
		}
		r, ok := s.solveAt(ctx, in, lambda, &nodes)
		at := corner{len(r.Rules), r.Errors}
		if !ok {
			if at.rules > shorter.rules && longer.rules == 0 {
				s.slope = p.Unit * (shorter.errors - at.errors) / int64(at.rules-shorter.rules)
			}
			return false
		}
		switch {
		case at.rules == p.Longest:
			s.take(r)
			return true
		case at == shorter && longer.rules > 0: // nothing is between
			s.slope = p.Unit * (shorter.errors - longer.errors) / int64(longer.rules-shorter.rules)
			return false
		case at.rules < p.Longest:
			shorter = at
		default:
			longer = at
		}
		if longer.rules == 0 {
			lambda = ratio.New(lambda.Num, 2*lambda.Den)
		} else {
			lambda = ratio.New(shorter.errors-longer.errors, int64(longer.rules-shorter.rules)*total)
		}
	}
	return false
}

// solveAt solves without a limit, and counts what it expands.
func (s *search) solveAt(ctx context.Context, in *instance.Instance, lambda ratio.Ratio, nodes *int64) (Result, bool) {
	o := s.o
	o.Lambda, o.MaxRules, o.Checkpoint, o.Progress, o.Nodes, o.Optimal = lambda, 0, nil, nil, *nodes, nil
	if o.Time > 0 {
		const share = 8 // of what is left
		o.Time = max((o.Time-time.Since(s.start))/share, 1)
	}
	r, err := Solve(ctx, in, o)
	if err != nil { // weights that have too many digits with this price
		return r, false
	}
	before := &s.saver.before
	before.Expanded += r.Stats.Expanded
	before.Inserted += r.Stats.Inserted
	before.Evaluations += r.Stats.Evaluations
	s.peak = max(s.peak, r.Stats.PeakBytes)
	*nodes -= r.Stats.Expanded
	if s.o.Nodes > 0 {
		s.o.Nodes = max(1, s.o.Nodes-r.Stats.Expanded)
	}
	return r, r.Status == parallel.Optimal
}

// take makes a result without a limit the incumbent, which nothing beats.
func (s *search) take(r Result) {
	best := &problem.Solution{Objective: s.p.Unit*r.Errors + s.p.Price*int64(len(r.Rules)), Source: 'S'}
	for _, rule := range r.Rules {
		best.List = append(best.List, problem.Antecedent(rule.Antecedent))
	}
	s.offer(best)
	s.bound = best.Objective
	s.reports.last()
}
