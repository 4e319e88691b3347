package costs

import (
	"cmp"
	"math/bits"

	"parcorels/bitvec"
)

// Table has the costs of the points of a set. It is immutable once made.
type Table struct {
	Labels int // k ≥ 2
	Words  int // of a set of points
	Words1 int // of two labels, how many words, the first ones, have points of label 1; of more all of them

	Costs  []int64        // by bit position (64·Words): the cost of the point there, 0 for padding
	Planes *bitvec.Planes // Costs as bit planes
	Own    []int64        // by bit position: what any other label than the cheapest costs at least; of two labels Costs
	ByWord []uint16       // by word, the cheapest label of its points
	Before []int32        // by word, the points before it
	Gains  [][]int64      // by label and bit position; nil of two labels

	lightest []int64 // by word, what any of its points costs at least

	passes  []*bitvec.Planes // count the gains: of two labels at once, of more of one each, with all words of "class 1"
	surplus *bitvec.Planes   // Σ gains − cost of each point; nil: 0 everywhere
	missing []*bitvec.Planes // by label, what Own has of its points; without a surplus these are the passes
}

// New returns the table of points with these costs by bit position, and these cheapest labels by word. Gains are by label
// and bit position; nil: there are two labels.
func New(costs []int64, byWord []uint16, gains [][]int64) *Table {
	t := &Table{Labels: max(2, len(gains)), Words: len(byWord), Costs: costs, Own: costs, ByWord: byWord, Gains: gains}
	points := 0
	for w, label := range byWord {
		t.Before = append(t.Before, int32(points))
		lightest := int64(0)
		for _, c := range costs[64*w : 64*w+64] {
			if c > 0 {
				points++
				lightest = min(cmp.Or(lightest, c), c)
			}
		}
		t.lightest = append(t.lightest, lightest)
		if gains != nil || label == 1 {
			t.Words1++
		}
	}
	t.Planes = bitvec.NewPlanes(costs, t.Words1)
	if t.passes = []*bitvec.Planes{t.Planes}; gains != nil {
		t.count()
	}
	return t
}

// count makes what counts the gains of more than two labels.
func (t *Table) count() {
	t.passes, t.Own = nil, make([]int64, len(t.Costs))
	surplus, some := make([]int64, len(t.Costs)), false
	for at, cost := range t.Costs {
		own, second := int(t.ByWord[at/64]), int64(0)
		for q, gains := range t.Gains {
			surplus[at] += gains[at]
			if q != own {
				second = max(second, gains[at])
			}
		}
		t.Own[at] = cost - second
		surplus[at] -= cost
		some = some || surplus[at] > 0
	}
	for _, gains := range t.Gains {
		t.passes = append(t.passes, bitvec.NewPlanes(gains, t.Words))
	}
	if t.missing = t.passes; !some {
		return
	}
	t.surplus, t.missing = bitvec.NewPlanes(surplus, t.Words), nil
	for q := range t.Gains {
		own := make([]int64, len(t.Own))
		for at, x := range t.Own {
			if int(t.ByWord[at/64]) == q {
				own[at] = x
			}
		}
		t.missing = append(t.missing, bitvec.NewPlanes(own, t.Words))
	}
}

// All returns the set of all points.
func (t *Table) All() []uint64 {
	all := make([]uint64, t.Words)
	for at, c := range t.Costs {
		if c > 0 {
			all[at/64] |= 1 << (at % 64)
		}
	}
	return all
}

// PassWords is how many words the passes read that count the gains of all labels ([bitvec.Planes.PlaneWords]).
func (t *Table) PassWords() (words int) {
	for _, planes := range t.passes {
		words += planes.PlaneWords()
	}
	return words
}

// Cost returns what a∩b costs at most.
func (t *Table) Cost(a, b []uint64) int64 {
	g1, g0 := t.Planes.CostAnd(a, b)
	return g1 + g0
}

// Exceeds reports whether a∩b∩c is seen to cost more than most by the number of points in each word. It takes a fraction
// of the time of an exact count.
func (t *Table) Exceeds(a, b, c []uint64, most int64) bool {
	b, c = b[:len(a)], c[:len(a)]
	for w, lightest := range t.lightest[:len(a)] {
		if most -= int64(bits.OnesCount64(a[w]&b[w]&c[w])) * lightest; most < 0 {
			return true
		}
	}
	return false
}

// Gain writes what each label gains of a∩b, and returns what that costs at most.
func (t *Table) Gain(to []int64, a, b []uint64) (most int64) {
	if t.Labels == 2 {
		to[1], to[0] = t.Planes.CostAnd(a, b)
		return to[1] + to[0]
	}
	for q, planes := range t.passes {
		to[q], _ = planes.CostAnd(a, b)
	}
	return t.Cost(a, b)
}

// GainOf returns what a label gains of a∩b.
func (t *Table) GainOf(label int, a, b []uint64) int64 {
	g, _ := t.Both(label, label, a, b, a)
	return g
}

// Both returns what two labels gain of a∩b∩c.
func (t *Table) Both(q, r int, a, b, c []uint64) (gq, gr int64) {
	if t.Labels == 2 {
		g1, g0 := t.Planes.CostAnd3(a, b, c)
		g := [2]int64{g0, g1}
		return g[q], g[r]
	}
	gq, _ = t.passes[q].CostAnd3(a, b, c)
	if r == q {
		return gq, gq
	}
	gr, _ = t.passes[r].CostAnd3(a, b, c)
	return gq, gr
}

// Best returns the label of a rule that captures a∩b, what that errs, and what it costs at most.
func (t *Table) Best(a, b []uint64) (label int, errors, cost int64) {
	if t.Labels == 2 {
		g1, g0 := t.Planes.CostAnd(a, b)
		if g1 > g0 {
			label = 1
		}
		return label, min(g1, g0), g1 + g0
	}
	most := int64(-1)
	for q, planes := range t.passes {
		if g, _ := planes.CostAnd(a, b); g > most {
			label, most = q, g
		}
	}
	cost = t.Cost(a, b)
	return label, cost - most, cost
}
