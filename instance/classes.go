package instance

import (
	"iter"
	"slices"
	"sync/atomic"

	"parcorels/bitvec"
)

// More than two classes.
//
// Let point e have weight w_c(e) of class c, and least(e) of the class that is lightest there.
// With gain_c(e) = w_c(e) − least(e), predicting class q at e errs by
//
//	base(e) + cost(e) − gain_q(e),  base(e) = Σ w_c(e) − max w_c(e),  cost(e) = max gain_c(e).
//
// So a set of points errs by Σ cost − Σ gain_q beyond the base, and what it gains at most is
// max_q Σ gain_q. With two classes, one gain is 0 and the other is cost(e). With more classes, most
// points lack one, and then gains are weights; of points with one class all gains but one are 0.
//
// The layout is that of two classes: a class begins on a word boundary with the points whose
// heaviest class it is, the smallest of equally heavy ones. Points whose classes weigh the same
// cost nothing and vanish.

// Gains are the gains of the points of an instance of more than two classes.
type Gains struct {
	Of     [][]int64        // Of[c][i] is the gain of class c at bit position i
	Planes []*bitvec.Planes // of each class, all words being those of "class 1"
	// Surplus is Σ_c gain_c − cost at each point, as planes; nil where that is 0 everywhere.
	Surplus *bitvec.Planes
	// Missing[c] has what points whose heaviest class is c err beyond the base at least if
	// nothing predicts c: cost less the second largest gain. Without a surplus that is Planes.
	Missing []*bitvec.Planes
	Own     []int64  // by bit position, what Missing has there
	Labels  []uint16 // by word, the heaviest class of its points
	Before  []int32  // by word, the points before it
}

// layClasses does for more than two classes what lay does for two.
func (in *Instance) layClasses(k *keyed) {
	costs := make([][]int64, k.classes)
	for c := range costs {
		costs[c] = make([]int64, k.n)
	}
	var base atomic.Int64
	k.eachPart(func(points iter.Seq2[int, []int64]) {
		least := int64(0)
		for p, w := range points {
			most := slices.Max(w)
			for _, x := range w {
				least += x
			}
			least -= most
			costs[slices.Index(w, most)][p] = most - slices.Min(w)
		}
		base.Add(least)
	})
	in.Base += base.Load()
	lists := make([][]int32, k.classes)
	for c := range lists {
		lists[c] = heaviestFirst(costs[c], 1)
		in.Points += len(lists[c])
		in.Words += (len(lists[c]) + 63) / 64
	}
	in.Words1 = in.Words
	in.Costs, in.Columns = make([]int64, 64*in.Words), newColumns(in.Antecedents, in.Words)
	g := &Gains{Of: newGains(k.classes, 64*in.Words)}
	begins, before := make([]int, k.classes), 0
	for c, list := range lists {
		word := len(g.Labels)
		begins[c] = word
		in.placeCosts(list, costs[c], 1, word)
		for w := range (len(list) + 63) / 64 {
			g.Labels, g.Before = append(g.Labels, uint16(c)), append(g.Before, int32(before+64*w))
		}
		before += len(list)
	}
	at := placesOf(k.n, lists, begins)
	k.eachPart(func(points iter.Seq2[int, []int64]) {
		for p, w := range points {
			if at[p] < 0 {
				continue
			}
			least := slices.Min(w)
			for d, x := range w {
				g.Of[d][at[p]] = x - least
			}
		}
	})
	k.place(k.derivation.keysOf(in.Columns), lists, begins)
	k.derivation.make(in.Columns)
	in.Planes = bitvec.NewPlanes(in.Costs, in.Words)
	g.Complete(in.Costs)
	in.Gains = g
}

// Complete makes the rest from Of, Labels and Before, and from the costs of the points.
func (g *Gains) Complete(costs []int64) {
	words := len(g.Labels)
	missing, surplus, some := newGains(len(g.Of), len(costs)), make([]int64, len(costs)), false
	for at, cost := range costs {
		own, second := int(g.Labels[at/64]), int64(0)
		for c, gains := range g.Of {
			surplus[at] += gains[at]
			if c != own {
				second = max(second, gains[at])
			}
		}
		missing[own][at] = cost - second
		surplus[at] -= cost
		some = some || surplus[at] > 0
	}
	g.Planes, g.Own = nil, make([]int64, len(costs))
	for _, gains := range g.Of {
		g.Planes = append(g.Planes, bitvec.NewPlanes(gains, words))
	}
	g.Surplus, g.Missing = nil, g.Planes
	if some {
		g.Surplus, g.Missing = bitvec.NewPlanes(surplus, words), nil
		for _, m := range missing {
			g.Missing = append(g.Missing, bitvec.NewPlanes(m, words))
		}
	}
	for _, m := range missing {
		for at, x := range m {
			g.Own[at] += x
		}
	}
}

func newGains(classes, positions int) [][]int64 {
	all := make([][]int64, classes)
	for c := range all {
		all[c] = make([]int64, positions)
	}
	return all
}
