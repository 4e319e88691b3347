package first

import (
	"cmp"
	"math/rand/v2"

	"parcorels/rulelist/problem"
)

// Rounds of improvement.
//
// Beams and perturbation often end far from the best known list of a
// raw table, and the search itself hardly ever improves it: it looks at prefixes by their lower
// bounds. So heuristics go on where the root's LP has not closed the gap, and while the search runs, by the
// work that the search has done. A round is an annealing chain (chain.go) and perturbation (perturb.go) of equal work,
// each from the best list. Either alone is behind on some tables. A round has random numbers of its own and reads no clock.

const (
	firstRound  = 3 << 22 // work of the first round, in the meter's units: some hundredths of a second
	longestStep = 3 << 26 // of the longest round
	behindWork  = 1 << 30 // of all rounds at the beginning of a search
	leastBehind = 1 << 26 // where they may cost no more, the search takes about a second, and none is made
)

// RoundWork returns what the next round is going to cost.
func (f *Finder) RoundWork() int64 {
	work := cmp.Or(f.o.Round, firstRound)
	for range f.improved {
		if work = work * 7 / 5; work >= longestStep {
			return longestStep
		}
	}
	return work
}

// Long reports whether the search is so long, by the estimate, that all rounds before it are made.
func (f *Finder) Long() bool { return f.ahead/budgetShare >= behindWork }

// Improve makes rounds at the beginning of a search, as many as its estimated work allows, until done is closed
// or running, which may be nil, reports false.
func (f *Finder) Improve(done <-chan struct{}, running func() bool) {
	left := int64(min(behindWork, f.ahead/budgetShare))
	if len(f.o.Known) > 0 {
		left /= knownShare
	}
	if left < leastBehind {
		return
	}
	for f.work.done = done; left >= f.RoundWork() && f.work.goesOn() && (running == nil || running()); {
		left -= f.RoundWork()
		f.Round(running)
	}
}

// Round makes one round, as long as running reports true; nil: to its end. It reports whether it
// found a better list.
func (f *Finder) Round(running func() bool) bool {
	work := f.RoundWork()
	if f.improved++; running != nil {
		f.work.done = nil
	}
	f.work.running = running
	f.work.limit = f.work.spent + work + work/8
	f.follow()
	before := f.o.Best()
	for part, does := range []func(*rand.Rand, int64){f.anneal, f.perturb} {
		does(rand.New(rand.NewPCG(firstSeed, uint64(f.improved)<<2+uint64(part)+1)), work/2)
	}
	f.work.running = nil
	return f.o.Best() != before
}

// follow begins from the incumbent, which the search may have found.
func (f *Finder) follow() {
	if best := f.o.Best(); len(best.List) != len(f.best) || best.Objective != f.objective {
		f.best = f.best[:0]
		f.objective = best.Objective
		place := f.places()
		for _, a := range best.List {
			if col, ok := place[a]; ok {
				f.best = append(f.best, col)
			}
		}
	}
}

// places returns the column of each antecedent.
func (f *Finder) places() map[problem.Antecedent]problem.Column {
	place := map[problem.Antecedent]problem.Column{}
	for col, a := range f.p.Antecedents {
		place[a] = problem.Column(col)
	}
	return place
}

// anneal runs a chain, and local search from where it ends.
func (f *Finder) anneal(random *rand.Rand, most int64) {
	if f.chain == nil {
		f.chain = newChain(f.p, &f.work, f.longest)
	}
	c, n := f.chain, f.improved
	c.among(f.effort.live)
	hot := hottest * []float64{.5, 1, .25}[n%3]
	cheap := f.p.Price / []int64{1, 2, 1, 4}[n/2%4]
	start := f.best
	if n%2 == 0 {
		start = nil
	}
	best := f.o.Best().Objective - f.p.RootCost()
	c.run(start, random, most, hot, cheap, best, func(value int64, list []problem.Column) { f.offer(f.p.RootCost()+value, list) })
	f.local.random = random
	f.local.start(c.list)
	f.local.descend(f.p.Price)
	f.offerLocal()
}

// perturb repeats perturbation.
func (f *Finder) perturb(random *rand.Rand, most int64) {
	f.local.random = random
	for end := f.work.spent + most; f.work.spent < end && !f.work.over(); {
		f.repeat()
	}
}
