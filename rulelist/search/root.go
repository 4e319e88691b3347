package search

import (
	"context"
	"runtime"
	"sync/atomic"

	"parcorels/rulelist/first"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/prune"
	"parcorels/rulelist/save"
	"parcorels/rulelist/separation"
)

// The root's part of pruning 10 (prune/separation.go): all workers share its LP, before the
// search begins. With several workers the others look for its first sets while one looks
// for the first incumbent, which may not need them (beginPairs).
//
// The bound is told while the LP runs. Its memory counts against the budget, and where that is
// spent the LP ends.

// When it pays. The search without it is estimated (package first), first from a few dives,
// then from more where it may be long. Its work is counted in entries, the numbers of an LP's
// matrix and vectors that a step touches, by what either takes (workAhead). Looking for the
// first sets grows with the square of the points, and may cost an eighth of the search. The
// root's LP may cost a fifth of it, where its bound is at most four rules below the incumbent.
// It may cost less where the bound is farther, down to a twentieth. The LP ends earlier if its gap
// hardly falls: while its work doubles, or within two rules while it grows by a quarter. Cars with
// λ = .01 and tables with much noise stay some rules away, and it is ascents that prove them. With a third of the
// search cars take .34 s, not .28, and tic-tac-toe's pairs .017 s, not .011; HELOC's 118 conditions, λ = .01, .7 s, not 1.25.
//
// Behind the root ascents pay for themselves (prune/accounts.go). An LP there, with an ascent's
// weights to begin with, closes more prefixes and pays nowhere (docs/tried.md).
//
// In a proof one bound takes the place of many prefixes. So there the root's LP may cost more
// within a rule, where fixing begins, by the square of the gap: four times as much within half
// a rule, and as long as the search within a fifth. The first estimate stays, up to some seconds.
const (
	leastAhead = 1 << 21 // entries; less takes some milliseconds
	mostWrong  = 4       // how many times more than the first estimate says a search may take
	rootShare  = 5       // of the search's work, the part that the root's LP may take
	pairShare  = 8       // and the part of looking for its first sets
	mostRoot   = 1 << 30 // entries of the root's LP
	rootNearer = 64      // times that, where its bound is close, for a proof
	nearRules  = 2       // of the gap at the root
)

// maySeparate reports whether the root is to be bounded if that seems worth its while.
func (s *search) maySeparate() bool {
	if s.proof != nil && s.p.In.Separate {
		return false // a checker's groups are the points of a reduced instance
	}
	return s.p.Uses(problem.Separation) && len(s.p.Antecedents) > 0 && s.p.Price+s.surcharge() > 0
}

// beginPairs lets other goroutines look for the LP's first sets while this one looks for a
// first incumbent, if by the first estimate the LP seems worth its while. Where that proves
// wrong they stop, and have worked for no longer than some hundredths of the search.
func (s *search) beginPairs() {
	// the surcharge needs all beams
	if min(s.o.Workers, runtime.GOMAXPROCS(0)) < 2 || s.p.Limited || s.o.Weights.fit(s.p) || !s.maySeparate() {
		return
	}
	if s.worthPairs(s.workAhead()) {
		s.pairs = s.newPairs()
	}
}

// worthPairs reports whether the first sets are worth their while with so much work ahead.
func (s *search) worthPairs(ahead int64) bool {
	return ahead >= leastAhead && s.pairWork() <= min(ahead/pairShare, mostRoot)
}

// newPairs begins the search for the first sets, or returns nil where memory does not allow it.
func (s *search) newPairs() *separation.Pairs {
	if p := s.layOut(s.surcharge()); p != nil {
		return p.BeginPairs(s.o.Workers, s.o.KeepWeights)
	}
	return nil
}

// layOut lays out the problem for the LP, or returns nil where memory does not allow it.
func (s *search) layOut(surcharge int64) *separation.Problem {
	p := s.p
	if !s.budget.Reserve(s.problemBytes()) {
		return nil
	}
	prices := separation.Prices{Error: p.Unit, Rule: p.Price, Surcharge: surcharge, Most: s.o.MaxRules}
	return separation.New(p.Columns, p.Table, prices, p.In.Total)
}

func (s *search) problemBytes() int64 { return separation.Bytes(s.p.Words*64, len(s.p.Columns)) }

// leavePairs ends the search for the first sets where the LP is not worth its while.
func (s *search) leavePairs() {
	if s.pairs != nil {
		s.pairs.Leave()
		s.pairs = nil
		s.budget.Release(s.problemBytes())
	}
}

// separate bounds the root, if that seems worth its while, and fixes rules. A search that is
// resumed does what it did before, if before says so. Without the root's bound it spends the rest of the first effort.
func (s *search) separate(ctx context.Context, before save.Mark) {
	defer func() {
		s.leavePairs()
		if s.separated == nil {
			s.moreRounds(ctx)
		}
	}()
	if !s.maySeparate() {
		return
	}
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	defer s.cutShort(limited, before)
	if before.Ahead > 0 || before.Trial > 0 {
		s.goOnFrom(limited, &before)
		return
	}
	if s.cut { // the share of the time for a first incumbent ended before the estimate
		s.finder.Again(limited)
	}
	if ahead := s.workAhead(); ahead < leastAhead || s.pairWork() > ahead/pairShare*mostWrong {
		s.beginTrial(limited)
		return
	}
	if s.finder != nil {
		s.finder.Closer(limited)
	}
	ahead := s.workAhead()
	if !s.worthPairs(ahead) && !s.worthSplit(ahead) {
		s.beginTrial(limited)
		return
	}
	s.boundRoot(limited, ahead)
}

// separateAfterTrial bounds the root of a search that proved longer than its estimate.
func (s *search) separateAfterTrial(ctx context.Context, before save.Mark) bool {
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	defer s.cutShort(limited, before)
	work := s.trialWork
	if s.gateEnded {
		work = s.tried.Load()
	}
	if s.o.KeepWeights { // whose trial was short
		work = max(work, trialLeast)
	}
	s.boundRoot(limited, trialAhead*work)
	return true
}

// cutShort notes, where a limit has ended the root's part, that a search that resumes decides
// anew. By an LP that hardly began, ascents would get a small share of the work for good.
func (s *search) cutShort(limited context.Context, before save.Mark) {
	if limited.Err() != nil {
		s.undecided = &before
	}
}

// boundRoot runs the root's LP, with so much work ahead.
func (s *search) boundRoot(limited context.Context, ahead int64) {
	effort := min(ahead/rootShare, mostRoot)
	x := &prune.Separated{Ahead: min(ahead, prune.MostNodes)}
	if x.Root = s.newRoot(max(effort, s.pairWork())); x.Root == nil {
		return
	}
	x.P = x.Root.P
	s.beginSplit(x.Root)
	if s.goesWithSplit(x.Root, effort) || s.gateEnded && s.shares == nil {
		work := max(ahead, s.trialLength())
		s.tryFor(work, work)
		s.gateEnded = false
		return
	}
	if s.proof != nil {
		x.Root.Chain()
	}
	if s.reports.due() {
		s.reports.look(false)
	}
	r := rootRun{s: s, x: x, most: effort, probe: effort / probeShare, live: x.Root.Live()}
	if r.solve(limited, effort); r.x.Root.Value < r.room() {
		before := r.room()
		s.moreRounds(limited)
		if x.Root.Work() >= r.probe || r.room() < before { // else the LP has ended by itself
			r.probe = effort
			r.solve(limited, effort)
		}
	}
	r.use()
}

// newRoot returns a root with its first sets, or nil where memory or the work does not allow it.
func (s *search) newRoot(effort int64) *separation.Root {
	if start := s.o.Weights.startOf(s.p); start != nil {
		p := s.layOut(0)
		if p == nil {
			return nil
		}
		return p.RootFrom(start, s.o.Workers)
	}
	pairs := s.pairs
	if s.pairs = nil; pairs == nil {
		if pairs = s.newPairs(); pairs == nil {
			return nil
		}
	}
	return pairs.Root(effort, s.o.Workers)
}

// use lets the search make use of the root's bound.
func (r *rootRun) use() {
	s, x := r.s, r.x
	if s.proof != nil && !s.proof.Bounds(x.P, x.Root.Links()) {
		s.bound = 0
		s.budget.Release(r.bytes)
		return
	}
	x.Live = x.Root.Context.Live
	x.Near = r.near() || s.o.hooks.always
	x.Ascents.Start(x, int64(s.p.Planes.PlaneWords()))
	if s.separated = x; !s.budget.Reserve(x.Root.PlanBytes() + x.Root.NodeBytes()*int64(s.o.Workers)) {
		x.Root = nil
		s.budget.Release(r.bytes)
	}
}

// pairWork is what looking for the first sets takes. In a path it counts as if all pairs were compared: so the LP, which
// ends by how its work grows, goes on for longer and serves more searches. Adult's lists from 1/200 take 1 s, not 6.
func (s *search) pairWork() int64 {
	if s.o.Weights.fit(s.p) {
		return 0 // they are there
	}
	return separation.PairWork(s.p.Table, len(s.p.Columns), s.o.KeepWeights)
}

// rootRun is a run of the root's LP.
type rootRun struct {
	s     *search
	x     *prune.Separated
	bytes int64 // reserved
	most  int64 // entries that the LP may take
	probe int64 // and before all rounds on the first incumbent
	live  int   // rules at the last estimate
}

// solve runs the LP as long as it seems to pay.
func (r *rootRun) solve(ctx context.Context, work int64) {
	nearer := int64(1)
	if r.s.proof != nil {
		nearer = rootNearer
	}
	effort := separation.Effort{Work: work, Nearer: nearer, GoOn: func() bool { return ctx.Err() == nil && r.goesOn() }}
	r.x.Root.Solve(r.room(), effort)
	r.tell()
}

// room is what the incumbent costs beyond the root, on the scale of bounds.
func (r *rootRun) room() int64 {
	return r.x.Room(r.s.incumbent.Load(), r.s.p.RootCost()-r.x.Allowed(r.s.p, 0), 0)
}

// rule is what a rule costs on that scale.
func (r *rootRun) rule() int64 { return r.x.P.Value(r.s.p.Price+r.x.P.Surcharge, 1) }

// near reports whether the bound is so near the incumbent that more may pay.
func (r *rootRun) near() bool { return r.room()-r.x.Root.Value <= nearRules*r.rule() }

// tell makes the bound so far known. A proof tells of the root's bound what it has
// records of, in the end.
func (r *rootRun) tell() {
	r.s.bound = r.s.p.StepUp(r.s.p.RootCost() + r.x.AtLeast(r.x.Root.Value) - r.x.Allowed(r.s.p, 0))
}

// goesOn reports whether memory allows the LP to go on, and tells how far it is.
func (r *rootRun) goesOn() bool {
	if more := r.x.Root.Bytes() - r.bytes; more > 0 {
		if !r.s.budget.Reserve(more) {
			return false
		}
		r.bytes += more
	}
	if r.s.reports.due() {
		r.tell()
		r.s.reports.look(false)
	}
	r.estimate()
	return r.x.Root.Work() < min(r.most, r.probe)
}

// estimate estimates the search anew where the LP has fixed an eighth of the rules. The LP goes on
// for an eighth of that at most: what fixing has left is most often far less than what was ahead, and
// then more of the LP saves less than it takes. The lists of adult with λ = .005 take .65 s instead of 1.
// A proof has a longer LP.
func (r *rootRun) estimate() {
	s, live := r.s, r.x.Root.Live()
	f := s.finder
	if f == nil || s.proof != nil || 8*live > 7*r.live || s.o.hooks.always || !f.GoesOn() {
		return
	}
	r.live = live
	f.Among(r.x.Root.Context.Live)
	ahead := s.workAhead()
	r.most = min(r.most, r.x.Root.Work()+ahead/8)
}

// workAhead returns the estimated work of the search in entries of an LP. A unit of counting takes 1.6 ns and an evaluated
// column 5 more for what is done with it, an entry 2.7.
func (s *search) workAhead() int64 {
	const most = 1 << 50
	switch {
	case s.finder == nil:
		return first.MostWork // nobody has made an estimate
	case s.o.hooks.always:
		return most
	}
	ahead, sets := s.finder.Ahead()
	counted := float64(len(s.p.Columns)) * s.atMost(sets, 1)
	return int64(min(most, unitEntries*ahead+columnEntries*counted))
}

const (
	unitEntries   = 0.6
	columnEntries = 1.8
)

// What checkpoints and blocks say of the separation bound, and what a search does with it.

// marked is how far the search is. Workers stand still or have ended.
func (s *search) marked() (m save.Mark) {
	switch x := s.separated; {
	case s.undecided != nil:
		m = *s.undecided
	case x != nil && x.Root != nil:
		m.Ahead, m.Share = x.Ascents.Ahead, x.Ascents.Share
		x.Ascents.Each(func(i int, n *atomic.Int64) { m.Numbers[i] = n.Load() })
	case x == nil && s.trial > 0:
		m.Trial, m.TrialWork = max(1, s.trial-s.tried.Load()), s.trialWork
	}
	return m
}

// goOnFrom bounds the root as the search did that was resumed, or continues its trial.
func (s *search) goOnFrom(ctx context.Context, m *save.Mark) {
	if m.Trial > 0 {
		s.tryFor(m.Trial, m.TrialWork)
		return
	}
	s.boundRoot(ctx, m.Ahead)
	s.takeAccounts(m)
}

// takeAccounts gives the accounts of a mark to the search.
func (s *search) takeAccounts(m *save.Mark) {
	if x := s.separated; x != nil && m.Ahead > 0 {
		a := &x.Ascents
		a.Ahead, a.Share, a.ForGap = m.Ahead, m.Share, m.Share == prune.LongShare
		a.Each(func(i int, n *atomic.Int64) { n.Store(m.Numbers[i]) })
	}
}

// surcharge returns μ, from the fewest errors that the beams found for lists of each length:
// the multiplier of the limit for which a list of K rules is nearest to the lower convex hull
// of errors by length. Any μ is sound.
func (s *search) surcharge() int64 {
	p := s.p
	switch {
	case !p.Limited:
		return 0
	case s.o.hooks.charged > 0:
		return s.o.hooks.charged
	case s.finder == nil:
		return 0
	}
	if s.slope > 0 {
		return max(0, s.slope-p.Price)
	}
	left, right := s.finder.Slopes()
	return max(0, (left+right)/2-p.Price)
}
