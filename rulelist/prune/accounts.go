package prune

import "sync/atomic"

// What ascents may cost (pruning 10, separation.go).
//
// An ascent takes as long as some expansions, and nobody knows before whether it closes its
// prefix. So the workers keep accounts together, by the length of prefixes: with
// accounts of their own many workers learn late what ascents are worth, and make too few. A prefix that is closed
// earns what the search would have done with it: its expansion, the placing of the children
// that a prefix of its length has on average, and a sixteenth of their expansions, and so on
// below. (A sixteenth, as a prefix that can be closed has fewer. Without the placing, HELOC's
// 118 single conditions with λ = .01 took 17 CPU s, not 1.) A child that its parent's bound closes earns as
// much. An ascent may be made if all of them at prefixes of this length and longer ones have
// cost no more than what these have earned, and a small share of the search's own work.
//
// So ascents that close nothing cost a small share of the search, however many prefixes
// there are. Earnings below pay for prefixes above: ascents there close few, but order all that
// follows. Earnings at shorter prefixes do not pay for ascents at longer ones, which are more and
// have less below them.
//
// Bounds also order the queue, and so raise the bound on all lists. That is no use to
// who waits for the end, but all that is left to who does not. So where the estimate of
// the search is beyond some ten seconds, ascents may take as much as the search itself.

const (
	firstAscents = 1 << 19 // work of ascents that is free: about a millisecond
	ascentShare  = 128     // of the search's work, the part that ascents may take unearned
	nearShare    = 8       // the same where the root's bound is near the incumbent
	LongShare    = 1       // and where the search may be too long for anybody to see its end
	ascentLevels = 16      // lengths told apart; the last one has all longer ones
)

// ascents are the accounts, which all workers write once or twice a prefix. All is in the unit
// of an ascent's work. A worker may read numbers of different moments: they decide how much
// is bounded, not what is found. (Beyond some tens of workers on small instances, their writes
// to the same lines of the cache are what would limit them.)
type ascents struct {
	levels [ascentLevels]account
	words  int64 // of a plane
	Ahead  int64 // the estimated work of the search
	Share  int64 // of the search's work, the part that is for ascents
	ForGap bool  // bounds order the queue whatever ascents earn: the gap is what counts

	made    atomic.Int64 // work of all
	earned  atomic.Int64 // by all
	counted atomic.Int64 // columns
}

// account is that of prefixes of one length.
type account struct {
	spent, earned      atomic.Int64
	expanded, children atomic.Int64 // prefixes that were expanded, and their children
}

// at returns the account of prefixes of a length.
func (a *ascents) at(depth int) *account { return &a.levels[min(depth, ascentLevels-1)] }

// Start opens the accounts, where planes have so many words.
func (a *ascents) Start(x *Separated, words int64) {
	a.words, a.Ahead, a.Share = words, x.Ahead, ascentShare
	switch {
	case x.Ahead == MostNodes:
		a.Share, a.ForGap = LongShare, true
	case x.Near:
		a.Share, a.ForGap = nearShare, true
	}
}

// may reports whether an ascent may be made at a prefix.
func (a *ascents) may(depth int) bool {
	room := firstAscents + max(a.Ahead, ExpansionWork(a.counted.Load(), 0, a.words))/a.Share
	if a.made.Load()-a.earned.Load() > room {
		return false
	}
	for i := min(depth, ascentLevels-1); i < ascentLevels; i++ {
		room += a.levels[i].earned.Load() - a.levels[i].spent.Load()
	}
	return room > 0
}

// orders reports whether the bounds of ascents order the queue: where ascents earn half of
// what they cost, or where the root's bound is near or the search long. If only a few prefixes
// are ordered by their bounds, the worse order of some rules often comes before the
// better one, and is expanded in vain.
func (a *ascents) orders() bool { return a.ForGap || a.earned.Load() >= a.made.Load()/2 }

// spend notes an ascent.
func (a *ascents) spend(depth int, work int64) {
	a.at(depth).spent.Add(work)
	a.made.Add(work)
}

// earn notes that so many prefixes were closed, each with so many columns.
func (a *ascents) earn(depth int, prefixes, columns int64) {
	worth := prefixes * a.worth(depth, ExpansionWork(columns, 0, a.words))
	a.at(depth).earned.Add(worth)
	a.earned.Add(worth)
}

// closedShare says how many times fewer children a prefix has that can be closed than one
// has on average. The smaller it is, the more ascents are made: with 4, NYCLU with λ = .0025
// takes a fifth longer than with 16, and noisy/2000x200x20 half as long (docs/tried.md).
const closedShare = 16

// worth is what a prefix takes with all below it, if an expansion takes so much.
func (a *ascents) worth(depth int, expansion int64) int64 {
	const most = 1 << 30
	worth, placing := expansion, float64(ExpansionWork(0, 1, a.words))
	for i := ascentLevels - 1; i >= min(depth, ascentLevels-1); i-- {
		l := &a.levels[i]
		if expanded := l.expanded.Load(); expanded > 0 {
			children := float64(l.children.Load()) / float64(expanded)
			worth = min(most, expansion+int64(children*(placing+float64(worth)/closedShare)))
		}
	}
	return worth
}

// expanded notes an expansion that made so many children, and counted so many columns.
func (a *ascents) expanded(depth int, children, columns int64) {
	l := a.at(depth)
	l.expanded.Add(1)
	l.children.Add(children)
	a.counted.Add(columns)
}

// Each calls f with all numbers of the accounts, in the order of a checkpoint.
func (a *ascents) Each(f func(i int, n *atomic.Int64)) {
	for i, n := range []*atomic.Int64{&a.made, &a.earned, &a.counted} {
		f(i, n)
	}
	for i := range a.levels {
		l := &a.levels[i]
		for j, n := range []*atomic.Int64{&l.spent, &l.earned, &l.expanded, &l.children} {
			f(3+4*i+j, n)
		}
	}
}
