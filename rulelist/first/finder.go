package first

import (
	"context"
	"math/rand/v2"

	"parcorels/rulelist/problem"
)

// The first incumbent, found before the search.
//
// Whatever compares with the incumbent bites from the first node if the
// incumbent is the optimum from the start, or close to it. Two heuristics look
// for it in turns: a beam (beam.go), each time wider, and local search
// (local.go) from where the beam ended, then perturbed and repeated.
// Each finds quickly what the other finds slowly or not at all: a beam one
// prefix wide meets the best known list of tic-tac-toe (tdata_R, λ=.01) at
// once, and one a hundred wide that of monks2 with λ=.01, where local search
// takes many times as long; local search meets those of cars and of monks2
// with λ=.02, where a beam a hundred wide stays half a λ or a whole one behind.
//
// # How long
//
// No clock is read, so that the same instance and options give the same first
// incumbent on any machine (unless a time limit or the context ends it): work
// is counted in steps of the counting kernel. A first round, the narrowest
// beam and descents from its list and from the empty one, takes as much as
// thirty or forty expansions and is always made. The beam may take half of a
// time limit: with 65,536 conditions, digits had no rule after 3 s, and now has 30.
// Then the work of the search that is to come is estimated (effort.go), and again whenever the
// incumbent has improved. The budget is a sixteenth of that. As an
// expansion takes the search two to six times the kernel steps that the
// estimate has for it, this is one to three per cent of the time.
//
// Where lists are known, as for a λ between two that were solved, the incumbent is good from the
// start, and an eighth of the budget is enough: COMPAS for all λ from 1/1000 takes .33 s
// instead of .62, tdata_R .33 instead of .71, cars from 1/100 1.5 instead of 2.0.

const (
	MostWork    = 1 << 26 // of any search: some tenths of a second
	knownShare  = 8       // of the budget, the part that is spent where lists are known
	begunShare  = 8       // of that and of dives, where weights for the root's LP are known, too
	widening    = 3       // from one beam to the next
	beamShare   = 4       // of the work left, the part that a beam may take
	memoryShare = 16      // of a memory limit
	mostSets    = 1 << 12 // sets of points in buffers
	firstSeed   = 1       // of the random numbers; any will do
)

// Options say what a finder may take and whom it tells.
type Options struct {
	Memory int64                             // bytes of the whole search; 0: no limit
	Known  [][]int                           // lists to begin with, by the antecedents of their rules
	Round  int64                             // work of the first round of improvement; 0: some hundredths of a second
	Begun  bool                              // weights for the root's LP are known, so that less may be spent
	Best   func() *problem.Solution          // returns the incumbent
	Offer  func(*problem.Solution) bool      // makes a list the incumbent if it is smaller, and reports whether it is
	AtMost func(ahead, each float64) float64 // bounds an estimate of the work ahead, which takes each for a set
}

// Finder looks for a first incumbent.
type Finder struct {
	p         *problem.Problem
	o         Options
	work      meter
	beam      *beam
	width     int // of the next beam
	widest    int
	beamWork  int64 // of the last beam
	local     *localSearch
	repeats   int // of local search
	effort    *effort
	estimated int64            // objective that the last estimate was made for
	ahead     float64          // the estimate: work of the search
	most      int64            // what the work may come to now
	allowed   int64            // and at all, by the estimate
	best      []problem.Column // columns of the incumbent
	longest   int              // no longer list beats the empty one, or there is no memory for it
	chain     *chain           // nil before the first round of improvement
	merits    [3]int64         // of the things that a round does: their shares of its work
	improved  int              // rounds of improvement
	objective int64            // of best, where a round has looked
}

// Until has the end of a context end the work early.
func (f *Finder) Until(ctx context.Context) { f.work.running = func() bool { return ctx.Err() == nil } }

// Begin makes the first round: lists that are known, the narrowest beam and descents.
func (f *Finder) Begin() {
	f.take(f.o.Known)
	f.widen()
}

// Estimate ends the first round and estimates the search.
func (f *Finder) Estimate() {
	f.repeat()
	f.budget()
}

// Rounds goes on as long as the budget lasts, and until the finder has spent so much.
func (f *Finder) Rounds(most int64) {
	f.most = most
	for f.budget() {
		f.round()
	}
}

// take begins with lists that are known, as improved for this price. Antecedents that are of no use
// here are left out.
func (f *Finder) take(lists [][]int) {
	incumbent := f.o.Best().List
	if len(incumbent) == 0 && len(lists) == 0 {
		return
	}
	place := f.places()
	f.best = columnsOf(place, f.best, incumbent)
	for _, list := range lists {
		columns := columnsOf(place, nil, list)
		f.local.start(columns[:min(len(columns), f.local.longest)])
		f.local.descend(f.p.Price)
		f.offerLocal()
	}
}

// New returns a finder that has not begun.
func New(p *problem.Problem, o Options) *Finder {
	f := &Finder{p: p, o: o, merits: shares, width: 1, estimated: problem.Unknown, most: MostWork, work: meter{limit: MostWork}}
	sets := int64(mostSets)
	if o.Memory > 0 {
		sets = min(sets, o.Memory/memoryShare/int64(p.Words*8+1))
	}
	longest := min(sets/2, int64(p.Longest), (p.EmptyObjective()-p.RootCost())/max(p.Price, 1)) // no longer list beats the empty one
	f.widest = max(1, int(sets/2/(2*rankings)))                                                 // two levels
	random := rand.New(rand.NewPCG(firstSeed, 0))
	f.longest = int(longest)
	f.beam = newBeam(p, &f.work)
	f.local = newLocalSearch(p, &f.work, random, int(longest))
	f.effort = newEffort(p, &f.work, random)
	if o.Begun {
		f.effort.divesShare *= begunShare
	}
	return f
}

// budget sets the limit of the work by an estimate of the search with the
// present incumbent, and reports whether anything is left of it.
func (f *Finder) budget() bool {
	if objective := f.o.Best().Objective; objective < f.estimated && f.work.spent < MostWork { // dives need work
		f.work.limit = MostWork
		f.ahead = f.o.AtMost(f.effort.ahead(objective), f.effort.sum/f.effort.sets)
		f.estimated = objective
		f.allowed = int64(mayCost(f.ahead))
		if len(f.o.Known) > 0 {
			f.allowed /= knownShare
		}
		if f.o.Begun {
			f.allowed /= begunShare
		}
	}
	f.work.limit = min(f.most, f.allowed)
	return !f.work.over()
}

// round runs a wider beam, if what is left of the budget allows, and local
// search for as long, or else to the end of the budget.
func (f *Finder) round() {
	left := f.work.limit - f.work.spent
	if f.width <= f.widest && f.beamWork*widening <= left/beamShare {
		f.widen()
		left = f.beamWork
	}
	for end := f.work.spent + left; f.work.spent < end && !f.work.over(); {
		f.repeat()
	}
}

// widen runs the next beam, and a descent from the best list.
func (f *Finder) widen() {
	before := f.work.spent
	if f.beam.run(min(f.width, f.widest), f.o.Best().Objective) {
		f.offer(f.beam.objective, f.beam.list)
	}
	f.beamWork = f.work.spent - before
	f.width *= widening
	f.local.start(f.best)
	f.local.descend(f.p.Price)
	f.offerLocal()
}

// repeat runs local search once more: the first time from the empty list as it
// is, then perturbed, one time in four from the best list and otherwise from
// the empty one. Either alone is slow somewhere: the best list on
// car-evaluation, the empty one on tdata_R.
func (f *Finder) repeat() {
	switch {
	case f.repeats == 0:
		f.local.start(nil)
		f.local.descend(f.p.Price)
	case f.repeats%4 == 0:
		f.local.perturb(f.best, grown(len(f.best)))
	default:
		f.local.perturb(nil, grown(len(f.best)))
	}
	f.repeats++
	f.offerLocal()
}

func (f *Finder) offerLocal() {
	f.offer(f.p.RootCost()+f.local.objective, f.local.list)
}

// offer makes a list the incumbent if it is smaller.
func (f *Finder) offer(objective int64, columns []problem.Column) {
	if objective > f.o.Best().Objective || len(columns) > f.p.Longest {
		return
	}
	n := &problem.Solution{Objective: objective, Source: 'F', List: make([]problem.Antecedent, len(columns))}
	for i, col := range columns {
		n.List[i] = f.p.Antecedents[col]
	}
	if f.o.Offer(n) {
		f.best = append(f.best[:0], columns...)
	}
}

// A finder tells the search, after the first incumbent, how much work is ahead.

// Ahead returns the estimated work of the search, in the meter's units, and in how many sets it
// counts every column, as the mean over dives.
func (f *Finder) Ahead() (units, sets float64) { return f.ahead, f.effort.sets / f.effort.dives }

// GoesOn reports whether nothing has ended the work early.
func (f *Finder) GoesOn() bool { return f.work.goesOn() }

// Again estimates the search once more, where a limit ended the work before that was done.
func (f *Finder) Again(ctx context.Context) {
	f.Until(ctx)
	f.estimated = problem.Unknown
	f.budget()
}

// Among estimates the search where only the rules of these columns, by label, may be in a list.
func (f *Finder) Among(live [][]uint64) {
	f.effort.live, f.work.limit = live, f.work.spent+MostWork/refineMost
	f.ahead = f.o.AtMost(f.effort.ahead(f.o.Best().Objective), f.effort.sum/f.effort.sets)
}

// Closer estimates the search from more dives.
func (f *Finder) Closer(ctx context.Context) {
	f.Until(ctx)
	most := int64(MostWork / refineMost)
	if f.o.Begun {
		most /= begunShare
	}
	f.work.limit = f.work.spent + MostWork
	f.ahead = f.o.AtMost(f.effort.refine(f.estimated, most), f.effort.sum/f.effort.sets)
}

// Slopes returns the slopes of the lower convex hull of errors by length, times the unit, on both
// sides of the limit of rules, the steeper one first, as far as the beams tell.
func (f *Finder) Slopes() (left, right int64) { return f.beam.slopes() }
