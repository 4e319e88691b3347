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

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"runtime"
	"slices"
	"time"

	"parcorels/instance"
	"parcorels/optionerr"
	"parcorels/parallel"
	"parcorels/ratio"
	"parcorels/ruleset"
)

// Options say how to search. The zero value of each field but Literal means its
// default. Under a time limit each subproblem has a share of the time.
type Options struct {
	Literal  ratio.Ratio   // λ, the price of a literal of a rule
	Rules    int           // K, the largest number of rules; 0: 16, as in the paper
	Literals int           // the most of a rule; 0: no limit, as in the paper
	MinRows  int           // least rows that a rule covers; 0: any number
	RowsOf   []int64       // with MinRows, the rows of each point
	Workers  int           // goroutines; 0: all that GOMAXPROCS allows
	Time     time.Duration // stop so long after Solve was called; 0: no limit

	Progress func(Progress) // called after each subproblem and at the end, from one goroutine; nil: never
}

// Progress is a look at a running search.
type Progress struct {
	parallel.Progress        // of the set that is being made; Value is in units of the weights of the points, Bound is not known
	Phase             string // "local", "greedy", "refine", "bound" or "end"
	Set               []Rule // that set, which nobody may change
	Solved            int    // subproblems so far that were to be solved exactly
	Proved            int    // of which so many were
}

// DefaultRules is the paper's K.
const DefaultRules = 16

// maxRules bounds K, so that K times the value of a rule set does not overflow.
const maxRules = 1 << 10

// Result is a rule set and what is proved of it. All values are exact multiples
// of 1/Unit.
type Result struct {
	Rules      []Rule // in the order in which they were found
	Value      int64  // V(S)
	UpperBound int64  // no set of at most K rules of at most Literals literals has a larger value
	Unit       int64
	MaxRules   int // K
	Literals   int // the most of a rule; 0: no limit

	// Steps are the subproblems of the greedy algorithm that the guarantee is
	// about: V(S) ≥ Rho·g(OPT) − c(OPT) − Slack, all in units of the weights of
	// the points.
	Steps []ruleset.Subproblem
	Rho   float64
	Slack float64

	Stopped bool  // by the context or the time limit
	Nodes   int64 // rules looked at by exact searches

	Points  int // distinct points
	Workers int
}

// search is the state of one call of Solve.
type search struct {
	ctx    context.Context
	start  time.Time
	o      Options
	pts    *instance.Points
	prices scaled
	facts  []fact
}

// learner makes one rule set.
type learner struct {
	*search
	phase          string
	nodes          int64
	solved, proved int
	last           struct { // subproblem
		covered []uint64
		fine    int64
		p       *problem
	}
}

// method says how a subproblem is solved.
type method int

const (
	locally method = iota
	exactly
)

// Solve learns a rule set from points of two classes, whose columns are the
// literals. When ctx ends, or the time limit is reached, the best set found so
// far comes back with sound bounds. The errors are *optionerr.Error.
func Solve(ctx context.Context, pts *instance.Points, o Options) (*Result, error) {
	start := time.Now()
	o.Rules, o.Literals = cmp.Or(o.Rules, DefaultRules), cmp.Or(o.Literals, math.MaxInt32)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	switch {
	case o.Rules < 1 || o.Rules > maxRules:
		return nil, optionerr.Bad("Rules", o.Rules, "a number from 1 to %d", maxRules)
	case o.Literals < 1:
		return nil, optionerr.Bad("Literals", o.Literals, "a number from 1, or 0 for no limit")
	}
	if err := (optionerr.Limits{Workers: o.Workers, Time: o.Time}).Check(parallel.MaxWorkers); err != nil {
		return nil, err
	}
	if pts.Classes != 2 {
		return nil, optionerr.Errorf("Data", "a rule set tells 2 classes apart, not %d", pts.Classes)
	}
	prices, err := scale(o.Literal, pts.Total, pts.Antecedents)
	if err != nil {
		return nil, err
	}
	if o.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Time)
		defer cancel()
	}
	s := &search{ctx: ctx, start: start, o: o, pts: pts, prices: prices}
	return s.run(), nil
}

// run learns a set by local search and another one by exact subproblems, and returns the
// better. Neither is better on all data.
func (s *search) run() *Result {
	r := &Result{Unit: s.prices.unit, MaxRules: s.o.Rules, Literals: s.o.Literals % math.MaxInt32, Points: s.pts.Count,
		Workers: s.o.Workers}
	local, _ := (&learner{search: s}).learn(locally)
	l := &learner{search: s}
	exact, steps := l.learn(exactly)
	r.Rules, r.Value = local, s.value(local)
	if v := s.value(exact); v > r.Value {
		r.Rules, r.Value = exact, v
	}
	if r.Value < 0 { // a limit came before any rule was worth its cost
		r.Rules, r.Value = nil, 0
	}
	l.phase = "bound"
	r.UpperBound = l.upper(exact)
	for _, t := range steps {
		r.Steps = append(r.Steps, ruleset.Subproblem{Value: s.float(t.rule.value), Bound: s.float(t.bound)})
	}
	rho, slack := bounds(steps)
	r.Rho = float64(rho) / float64(one) / float64(s.o.Rules)
	r.Slack, _ = new(big.Rat).SetFrac(slack, new(big.Int).Mul(big.NewInt(one), big.NewInt(s.prices.unit))).Float64()
	r.Stopped, r.Nodes = s.ctx.Err() != nil, l.nodes
	l.phase = "end"
	l.tell(r.Rules)
	return r
}

// learn makes a rule set, and returns the steps of the greedy algorithm that began it.
func (l *learner) learn(m method) (rules []Rule, steps []step) {
	if l.phase = "local"; m == exactly {
		l.phase = "greedy"
	}
	rules, steps = l.greedy(m)
	if m == exactly {
		l.phase = "refine"
	}
	return l.refine(rules, m), steps
}

// float turns a value of a subproblem into units of one sample's weight.
func (s *search) float(v int64) float64 {
	return float64(v) / float64(one) / float64(s.prices.unit)
}

// best solves a subproblem: the rule with the largest marginal value behind some
// rules, the revenue multiplied by a/2^20, if one is worth more than atLeast; else a
// rule without literals of that value stands for none. The bound is at least as
// large. It takes the share of one of several of the time that is left.
func (l *learner) best(rules []Rule, a int64, m method, several int, atLeast int64) solution {
	covered := l.union(rules)
	known := l.known(covered, a)
	if known <= atLeast {
		return solution{rule: rule{value: atLeast}, bound: atLeast}
	}
	found := l.problem(covered, a).local(l.ctx, l.o.Workers)
	if none := (rule{value: atLeast}); !found.Better(&none) {
		found = none
	}
	var solved solution
	p := l.problem(covered, a)
	if m == locally {
		solved = solution{rule: found, bound: known}
	} else {
		ctx, cancel := l.share(several)
		defer cancel()
		solved = p.solve(ctx, found, l.o.Workers)
		l.nodes += solved.nodes
	}
	solved.bound = min(solved.bound, known)
	l.facts = append(l.facts, fact{covered, a, solved.bound})
	if m == exactly {
		if l.solved++; solved.proved() {
			l.proved++
		}
		l.tell(rules)
	}
	return solved
}

// problem returns a subproblem. The last one is kept, as it is solved exactly after
// local search.
func (l *learner) problem(covered []uint64, fine int64) *problem {
	last := &l.last
	if last.p == nil || last.fine != fine || !slices.Equal(last.covered, covered) {
		gain, loss := l.prices.worth(l.pts, covered, fine)
		last.covered, last.fine, last.p = covered, fine, newProblem(l.pts, gain, loss, one*l.prices.λ, l.o.Literals)
		last.p.rows = l.o.rowCount(l.pts)
	}
	return last.p
}

// tell reports progress on a set.
func (l *learner) tell(rules []Rule) {
	if l.o.Progress == nil {
		return
	}
	l.o.Progress(Progress{
		Progress: parallel.Progress{
			Elapsed: time.Since(l.start), Nodes: l.nodes, Length: len(rules), Value: float64(l.value(rules)) / float64(l.prices.unit),
			Final: l.phase == "end",
		},
		Phase: l.phase, Set: slices.Clone(rules), Solved: l.solved, Proved: l.proved,
	})
}

// mostShares is into how many shares the time that is left is divided at most. Few of many
// subproblems take long, as what is proved of one carries over to others.
const mostShares = 4

// share returns a context for one of several subproblems. It ends after a share of what is
// left of the time limit.
func (s *search) share(several int) (context.Context, context.CancelFunc) {
	deadline, limited := s.ctx.Deadline()
	if !limited {
		return context.WithCancel(s.ctx)
	}
	return context.WithTimeout(s.ctx, time.Until(deadline)/time.Duration(min(several+1, mostShares)))
}

func (o *Options) rowCount(points *instance.Points) *rowCount {
	if o.MinRows <= 1 {
		return nil
	}
	return &rowCount{points, o.RowsOf, int64(o.MinRows)}
}

// This file carries bounds from one subproblem to the next.
//
// Let v(R | C, a) = a·g(R | C) − c(R) be what rule R is worth behind rules that
// cover the points C, with multiplier a. g is monotone and submodular: what R gains
// is not negative and only falls when more is covered. So for C ⊆ C' and a' ≤ a
//
//	v(R | C', a') ≤ v(R | C, a),
//
// and a bound for (C, a) holds for (C', a'). The greedy algorithm asks with a rising
// multiplier: where no rule is worth its cost at some step, none was at any step
// before with the same rules. Refinement and the upper bound ask with a = 1.

// fact says that no rule is worth more than bound behind rules that cover set,
// with multiplier fine/2^20 or a smaller one.
type fact struct {
	covered []uint64
	fine    int64
	bound   int64
}

// known returns the smallest bound that follows from what is remembered.
func (s *search) known(covered []uint64, fine int64) int64 {
	least := maxValue
	for _, f := range s.facts {
		if f.bound < least && fine <= f.fine && within(f.covered, f.covered, covered) {
			least = f.bound
		}
	}
	return least
}
