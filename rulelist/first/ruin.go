package first

import (
	"math/rand/v2"
	"slices"

	"parcorels/rulelist/problem"
)

// Ruin and recreate.
//
// One to three rules are taken out, neighbours one time in three. As many go in again, or
// one or two more, one at a time, each the best insertion among the columns that are left by a random
// mask. Without the mask nearly the same rules would come back. The list is accepted if it is
// no worse, or worse by less than a random part of half a rule. After leastLuck tries without a better list it
// begins from the best one again. Nursery, whose lists have fifteen rules, needs this: chains and
// perturbation lose dozens of rows there.

const (
	mostRuined = 3
	leastLuck  = 30
)

// ruin improves the best list for so much work.
func (f *Finder) ruin(random *rand.Rand, most int64) {
	x := f.local
	longest := x.longest
	x.longest = min(longest, grown(len(f.best)))
	defer func() { x.longest = longest }()
	x.random = random
	x.price = f.p.Price
	x.start(f.best)
	at, best, luck := x.objective, x.objective, 0
	kept := append(f.kept[:0], x.list...)
	mask := append(f.mask[:0], x.listed...)
	for end := f.work.spent + most; f.work.spent < end && !f.work.over(); {
		x.recreate(random, mask)
		if random.IntN(3) == 0 {
			x.descend(random.Int64N(max(f.p.Price, 1)))
		}
		x.descend(f.p.Price)
		f.offerLocal()
		worse := int64(float64(f.p.Price) / 2 * random.Float64() * random.Float64())
		switch luck++; {
		case x.objective < best:
			best, luck = x.objective, 0
			fallthrough
		case x.objective <= at+worse:
			at, kept = x.objective, append(kept[:0], x.list...)
		case luck > leastLuck:
			luck = 0
			kept = append(kept[:0], f.best...)
			x.start(kept)
			at = x.objective
		}
		x.start(kept)
	}
	f.kept, f.mask = kept, mask
}

// recreate takes some rules out of the list and puts others in, with the best labels.
func (x *localSearch) recreate(random *rand.Rand, mask []bool) {
	out := min(1+random.IntN(mostRuined), len(x.list))
	x.trial = append(x.trial[:0], x.list...)
	if at := 0; out > 0 && random.IntN(3) == 0 {
		at = random.IntN(len(x.trial) - out + 1)
		x.trial = slices.Delete(x.trial, at, at+out)
	} else {
		for range out {
			at = random.IntN(len(x.trial))
			x.trial = slices.Delete(x.trial, at, at+1)
		}
	}
	x.move(x.trial, x.evaluate(x.trial))
	for range out + 1 + random.IntN(2) {
		if x.work.over() || len(x.list) >= x.longest {
			return
		}
		x.points.split(x.list)
		masked := random.IntN(4) // quarters
		for col := range mask {
			mask[col] = x.listed[col] || random.IntN(4) < masked
		}
		errors, col, at := x.points.bestInsertion(mask)
		if errors == problem.Unknown {
			return
		}
		x.trial = slices.Insert(append(x.trial[:0], x.list...), at, col)
		x.move(x.trial, x.value(errors, len(x.trial)))
	}
}
