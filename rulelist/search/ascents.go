package search

// What ascents may cost (pruning 11, separation.go).
//
// An ascent takes as long as some expansions, and nobody knows before whether it closes its
// prefix. So each worker keeps accounts, by the length of prefixes. What an ascent closes
// earns what the search would have done with it, which trials tell (trial.go): they look at
// some of what was closed as if it had not been. A prefix earns its expansion, and as many
// prefixes a rule longer as trials find open below such a prefix, and so on. A child that
// its parent's bound closes earns what it takes to look at it, and what such a prefix earns
// if nothing else drops the child. An ascent may be made if all of them at prefixes of this
// length and longer ones have cost no more than what these have earned, and a small share of
// the search's own work. With each trial all that was earned is estimated anew.
//
// So ascents that close nothing cost a small share of the search, however many prefixes
// there are. What is earned below pays for prefixes above: their ascents close few, but
// order all that follows. What shorter prefixes earn is no reason for ascents at longer
// ones, which are more and have less below them.
//
// Bounds also order the queue, and so raise the bound on all lists. That is no use to
// who waits for the end, but all that is left to who does not. So where the estimate of
// the search is beyond some ten seconds, ascents may take as much as the search itself.

const (
	firstAscents = 1 << 19 // work of ascents that is free: about a millisecond
	ascentShare  = 32      // of the search's work, the part that ascents may take unearned
	nearShare    = 8       // the same where the root's bound is near the incumbent
	longShare    = 1       // and where the search may be too long for anybody to see its end
	tryEvery     = 64      // of what is closed, one is tried in the long run
	ascentLevels = 16      // lengths told apart; the last one has all longer ones
)

// ascents are a worker's accounts. All is in the unit of an ascent's work.
type ascents struct {
	levels    [ascentLevels]account
	evaluate  int64 // what counting a column takes, in parts of a unit
	expansion int64 // what an expansion takes
	ahead     int64 // the estimated work of the search
	share     int64 // of the search's work, the part that is for ascents
	made      int64 // work of all
	earned    int64 // by all
}

// account is that of prefixes of one length.
type account struct {
	spent, earned int64
	worth         float64 // of a prefix that was closed
	childWorth    float64 // of a closed child of such a prefix

	prefixes sampled // that were closed
	children sampled // that were closed by their parent's bound, by the parent's length
	survived float64 // of the children tried, those that nothing else would have dropped
	counted  int64   // columns to find that out
	dives    int64   // trials that came to a prefix of this length
	below    float64 // and the children that nothing would have dropped, estimated
}

// sampled counts what is closed, and says which is tried: the first ones, then fewer
// and fewer, up to one in a number.
type sampled struct{ closed, tried, next int64 }

// tries reports whether to try what comes behind so many further.
func (s *sampled) tries(more int64) bool {
	if s.closed+more < s.next {
		return false
	}
	s.tried++
	s.next = s.closed + more + min(tryEvery, s.tried)
	return true
}

// at returns the account of prefixes of a length.
func (a *ascents) at(depth int) *account { return &a.levels[min(depth, ascentLevels-1)] }

// start opens the accounts of one of so many workers, where planes have so many words and
// there are so many columns.
func (a *ascents) start(x *separated, words, columns, workers int64) {
	if a.evaluate == 0 {
		a.evaluate, a.ahead, a.share = evaluateLeast+words, x.first/workers, ascentShare
		a.expansion = a.counting(columns)
		switch {
		case x.first == mostNodes:
			a.share = longShare
		case x.near:
			a.share = nearShare
		}
	}
}

// What is done with a column takes some 7 ns, and counting it .2 ns for each word of a plane; an
// ascent's unit of work 3 ns.
const (
	evaluateParts = 16
	evaluateLeast = 37
)

// counting is what it takes to count so many columns.
func (a *ascents) counting(columns int64) int64 { return columns * a.evaluate / evaluateParts }

// may reports whether an ascent may be made at a prefix, if the worker has counted so many
// columns.
func (a *ascents) may(depth int, counted int64) bool {
	room := firstAscents + max(a.ahead, a.counting(counted))/a.share
	if a.made-a.earned > room {
		return false
	}
	for i := min(depth, ascentLevels-1); i < ascentLevels; i++ {
		room += a.levels[i].earned - a.levels[i].spent
	}
	return room > 0
}

// spend notes an ascent.
func (a *ascents) spend(depth int, work int64) {
	a.at(depth).spent += work
	a.made += work
}

// earn notes that a prefix was closed.
func (a *ascents) earn(depth int) {
	l := a.at(depth)
	l.prefixes.closed++
	a.add(depth, l.worth)
}

// earnChildren notes that so many children of a prefix were closed.
func (a *ascents) earnChildren(depth int, closed int64) {
	l := a.at(depth)
	l.children.closed += closed
	a.add(depth+1, l.childWorth*float64(closed))
}

func (a *ascents) add(depth int, worth float64) {
	a.at(depth).earned += int64(worth)
	a.earned += int64(worth)
}

// tried notes what became of a child that was tried: how much of it survived.
func (a *ascents) tried(depth int, survived float64, columns int64) {
	l := a.at(depth)
	l.counted += columns
	l.survived += survived
}

// dived notes that a trial estimates so many children below a prefix.
func (a *ascents) dived(depth int, children float64) {
	l := a.at(depth)
	l.dives++
	l.below += children
}

// estimate computes anew what everything is worth, and has earned so far.
func (a *ascents) estimate() {
	const most = 1 << 30
	worth := 0. // of a prefix a rule longer
	a.earned = 0
	for i := ascentLevels - 1; i >= 0; i-- {
		l := &a.levels[i]
		if l.childWorth = 0; l.children.tried > 0 {
			l.childWorth = (worth*l.survived + float64(a.counting(l.counted))) / float64(l.children.tried)
		}
		l.worth = min(most, float64(a.expansion)+worth*l.below/float64(max(1, l.dives)))
		worth = l.worth
	}
	for i := range a.levels {
		l := &a.levels[i]
		l.earned = int64(l.worth * float64(l.prefixes.closed))
		if i > 0 {
			l.earned += a.fromChildren(i - 1)
		}
		if i == ascentLevels-1 {
			l.earned += a.fromChildren(i) // longer ones as well
		}
		a.earned += l.earned
	}
}

// fromChildren is what the closed children of prefixes of a length have earned.
func (a *ascents) fromChildren(i int) int64 {
	l := &a.levels[i]
	return int64(l.childWorth * float64(l.children.closed))
}
