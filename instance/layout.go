package instance

import (
	"cmp"
	"math"
	"slices"

	"parcorels/bitvec"
	"parcorels/internal/loop"
)

// lay puts the points that cost anything in their places, packs columns, costs
// and planes, and sums up the base of all points.
func (in *Instance) lay(k *keyed) {
	base, oneCost := k.survey()
	in.Base = base
	k.order = slices.Grow(k.order[:0], k.n+1)
	class1 := k.heaviestFirst(1, oneCost[1], k.order)
	class0 := k.heaviestFirst(0, oneCost[0], k.order[len(class1):len(class1)])
	in.Points = len(class1) + len(class0)
	in.Words1 = (len(class1) + 63) / 64
	in.Words = in.Words1 + (len(class0)+63)/64

	in.Costs = make([]int64, 64*in.Words)
	in.Columns = newColumns(in.Antecedents, in.Words)
	in.place(k, class1, 1, 0)
	in.place(k, class0, 0, in.Words1)
	in.Planes = bitvec.NewPlanes(in.Costs, in.Words1)
}

// survey returns the errors that no model avoids, and of each class whether all points
// that cost anything for it cost the same. It has no branch, as nothing foretells the class
// of a point.
func (k *keyed) survey() (base int64, oneCost [2]bool) {
	var most [2]int64
	least := [2]uint64{math.MaxUint64, math.MaxUint64} // less one, so that 0 and below wrap around
	for w := k.weights; len(w) >= 2; w = w[2:] {
		base += min(w[0], w[1])
		c := w[1] - w[0]
		most[1], least[1] = max(most[1], c), min(least[1], uint64(c-1))
		most[0], least[0] = max(most[0], -c), min(least[0], uint64(-c-1))
	}
	for class := range 2 {
		oneCost[class] = most[class] == 0 || uint64(most[class]-1) == least[class]
	}
	return base, oneCost
}

// cost is the weight of point p of a class beyond that of the other.
func (k *keyed) cost(p, class int) int64 {
	return k.weights[2*p+class] - k.weights[2*p+1-class]
}

// fewCosts is up to how many different costs points are sorted by counting. Costs are told
// apart by a table of open addressing that is never more than a quarter full. A byte names
// one of its 256 slots, and wraps around at the last.
const fewCosts = 64

// heaviestFirst lists the points whose cost for a class is positive. Points are
// numbered by first sample, which decides ties. The list is put into room, which has a
// place for all of them and one more.
func (k *keyed) heaviestFirst(class int, oneCost bool, room []int32) []int32 {
	if oneCost {
		return k.positive(class, room[:cap(room)])
	}
	var costs, next [4 * fewCosts]int64 // by slot: a cost, 0 for none; its points, then where the next one goes
	var taken []uint8
	k.slots = slices.Grow(k.slots[:0], k.n)[:k.n]
	n, last, slot := 0, int64(0), uint8(0)
	for p := range k.slots {
		c := k.cost(p, class)
		if c <= 0 {
			continue
		}
		if c != last {
			last, slot = c, uint8(uint64(c)*0x9e3779b97f4a7c15>>56)
			for costs[slot] != c && costs[slot] != 0 {
				slot++
			}
			if costs[slot] == 0 {
				if costs[slot] = c; len(taken) == fewCosts {
					return k.sorted(class, room)
				}
				taken = append(taken, slot)
			}
		}
		k.slots[p] = slot
		next[slot]++
		n++
	}
	slices.SortFunc(taken, func(a, b uint8) int { return cmp.Compare(costs[b], costs[a]) })
	at := int64(0)
	for _, slot := range taken {
		at, next[slot] = at+next[slot], at
	}
	list := room[:n]
	for p, slot := range k.slots {
		if k.cost(p, class) > 0 {
			list[next[slot]] = int32(p)
			next[slot]++
		}
	}
	return list
}

// positive is heaviestFirst for a single cost. A point is written down before it is looked
// at, instead of a branch.
func (k *keyed) positive(class int, list []int32) []int32 {
	n := 0
	for p := range k.n {
		list[n] = int32(p)
		n += int(uint64(-k.cost(p, class)) >> 63)
	}
	return list[:n]
}

// sorted is heaviestFirst for any costs.
func (k *keyed) sorted(class int, list []int32) []int32 {
	for p := range k.n {
		if k.cost(p, class) > 0 {
			list = append(list, int32(p))
		}
	}
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(k.cost(int(b), class), k.cost(int(a), class)), int(a-b))
	})
	return list
}

// placedWords is how many words of a set a worker places at a time: whole lines of a
// cache, so that no two workers write to the same one but at the ends of columns.
const placedWords = 64

// place writes costs and column bits of the points of one class, which begins
// at word. The keys are turned back into columns 64 points at a time.
func (in *Instance) place(k *keyed, list []int32, class, word int) {
	steps := (len(list) + 64*placedWords - 1) / (64 * placedWords)
	loop.ParallelWith(workersFor(len(list)), steps, func() func(int) {
		return func(step int) {
			first := step * placedWords
			for w := first; w < first+placedWords && 64*w < len(list); w++ {
				block := list[64*w : min(64*w+64, len(list))]
				for i, p := range block {
					in.Costs[(word+w)*64+i] = k.cost(int(p), class)
				}
				k.writeColumns(in.Columns, block, word+w)
			}
		}
	})
}
