package first

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"parcorels/rulelist/problem"
)

// Rounds of improvement.
//
// Beams and perturbation often end far from the best known list of a
// raw table, and the search itself hardly ever improves it: it looks at prefixes by their lower
// bounds. So heuristics go on where the root's LP has not closed the gap, and while the search runs, by the
// work that the search has done. A round is three things, each from the best list: an annealing chain (chain.go), perturbation
// (local.go), ruin and recreate (ruin.go). Each alone is far behind on some tables. What has found better lists
// gets more of the work than what has not. A round has random numbers of its own and reads no clock.

const (
	firstRound  = 3 << 22 // work of the first round, in the meter's units: some hundredths of a second
	longestStep = 3 << 26 // of the longest round
	mostMerit   = 4       // times the least share of a round's work
)

// shares are how a round's work is shared out while nothing has found better lists: chains are the cheapest by time.
var shares = [3]int64{2, 1, 1}

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

// Round makes one round, as long as running reports true; nil: to its end. It reports whether it
// found a better list.
func (f *Finder) Round(running func() bool) bool {
	work := f.RoundWork()
	f.improved++
	f.work.running = running
	f.follow()
	before := f.o.Best()
	all := int64(0)
	for _, merit := range f.merits {
		all += merit
	}
	for i, does := range []func(*rand.Rand, int64){f.anneal, f.perturb, f.ruin} {
		best, most := f.o.Best(), work*f.merits[i]/all
		f.work.limit = f.work.spent + most + most/8
		does(rand.New(rand.NewPCG(firstSeed, uint64(f.improved)<<2+uint64(i)+1)), most)
		if f.o.Best() != best {
			f.merits[i] = min(f.merits[i]+1, mostMerit)
		} else {
			f.merits[i] = max(f.merits[i]-1, shares[i])
		}
	}
	f.work.running = nil
	return f.o.Best() != before
}

// follow begins from the incumbent, which the search may have found.
func (f *Finder) follow() {
	if best := f.o.Best(); len(best.List) != len(f.best) || best.Objective != f.objective {
		f.best, f.objective = columnsOf(f.places(), f.best[:0], best.List), best.Objective
	}
}

// columnsOf appends the columns of antecedents to others, each once, without those that have none.
func columnsOf[A int | problem.Antecedent](place map[problem.Antecedent]problem.Column, to []problem.Column, list []A) []problem.Column {
	for _, a := range list {
		if col, ok := place[problem.Antecedent(a)]; ok && !slices.Contains(to, col) {
			to = append(to, col)
		}
	}
	return to
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
