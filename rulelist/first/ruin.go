package first

import (
	"math/rand/v2"
	"slices"

	"parcorels/rulelist/problem"
)

// Ruin and recreate.
//
// One to three rules are taken out, neighbours one time in three. As many go in again, or
// one or two more, one at a time, each the best insertion. One time in three the list is then improved at a cheap price before the
// true one. The list is accepted if it is no worse, or worse by less than a random part of half a rule. After leastLuck tries without
// a better list it begins from the best one again.
//
// All this is among a random part of the columns, a half to a sixteenth, and the rules of the best list. So nearly the same rules
// do not come back, and a look at all insertions takes as much less. On letter (26 classes, 27 rules) a descent among all
// columns takes a round.

const (
	mostRuined = 3
	leastLuck  = 30
	spaces     = 4 // parts of the columns that a round looks at, if a descent is short enough
	halvings   = 4 // the smallest part is one in 2^halvings
)

// ruin improves the best list for so much work.
func (f *Finder) ruin(random *rand.Rand, most int64) {
	for end := f.work.spent + most; f.work.spent < end && !f.work.over(); {
		f.ruinAmong(f.someColumns(random), random, min(end, f.work.spent+most/spaces))
	}
}

// someColumns draws a part of the columns that lists may have, within its share of a memory limit, and adds those of the best list.
func (f *Finder) someColumns(random *rand.Rand) (columns []problem.Column) {
	share := 1 << (1 + random.IntN(halvings))
	if all := int64(len(f.p.Columns)) * int64(f.p.Words*8); f.o.Memory > 0 {
		share = max(share, int(all/max(1, f.o.Memory/memoryShare)))
	}
	for col := range f.p.Columns {
		col := problem.Column(col)
		if random.IntN(share) == 0 && f.chain.place[col] >= 0 || slices.Contains(f.best, col) {
			columns = append(columns, col)
		}
	}
	return columns
}

// ruinAmong improves the best list by rules of some columns, which include its own, until the work has reached end.
func (f *Finder) ruinAmong(columns []problem.Column, random *rand.Rand, end int64) {
	x := newLocalSearch(f.p.Among(columns), &f.work, random, min(f.longest, grown(len(f.best))))
	best := make([]problem.Column, len(f.best)) // places in columns, like those of x
	for i, col := range f.best {
		at, _ := slices.BinarySearch(columns, col)
		best[i] = problem.Column(at)
	}
	x.start(best)
	kept, at, least, luck := slices.Clone(best), x.objective, x.objective, 0
	for f.work.spent < end && !f.work.over() {
		x.recreate()
		if random.IntN(3) == 0 {
			x.descend(random.Int64N(max(f.p.Price, 1)))
		}
		x.descend(f.p.Price)
		worse := int64(float64(f.p.Price) / 2 * random.Float64() * random.Float64())
		switch luck++; {
		case x.objective < least:
			best, least, luck = slices.Clone(x.list), x.objective, 0
			found := make([]problem.Column, len(best))
			for i, place := range best {
				found[i] = columns[place]
			}
			f.offer(f.p.RootCost()+least, found)
			fallthrough
		case x.objective <= at+worse:
			kept, at = append(kept[:0], x.list...), x.objective
		case luck > leastLuck:
			kept, at, luck = append(kept[:0], best...), least, 0
		}
		x.start(kept)
	}
}

// recreate takes some rules out of the list and puts others in, with the best labels.
func (x *localSearch) recreate() {
	out := min(1+x.random.IntN(mostRuined), len(x.list))
	x.trial = append(x.trial[:0], x.list...)
	if at := 0; out > 0 && x.random.IntN(3) == 0 {
		at = x.random.IntN(len(x.trial) - out + 1)
		x.trial = slices.Delete(x.trial, at, at+out)
	} else {
		for range out {
			at = x.random.IntN(len(x.trial))
			x.trial = slices.Delete(x.trial, at, at+1)
		}
	}
	x.move(x.trial, x.evaluate(x.trial))
	for left := out + 1 + x.random.IntN(2); left > 0 && x.add(problem.Unknown); left-- {
	}
}
