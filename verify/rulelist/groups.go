package rulelist

import (
	"math"
	"slices"

	"parcorels/verify/framing"
)

// groups are the samples put together, as all counts but those of the claimed
// list need them.
//
// Samples that satisfy the same antecedents get the same prediction from every
// list. So a group with weights w_c errs by Σ w_c − max w_c whatever a list predicts, and by
// loss_q = max w_c − w_q more if it predicts q. A group that loses nothing is left out.
//
// The others stand in the order in which the format numbers them, so that a word of a set has few runs of groups with the
// same losses. A run is counted at once.
type groups struct {
	classes  int
	numbers  int        // of a sum
	of       []int32    // the group of each sample, −1 of one whose group is left out
	labels   []int      // of each group, its heaviest class, the smallest one of several
	own      []int64    // of each group, its second smallest loss: what any other label costs at least
	losses   [][]amount // of each group, what it adds to a sum
	lists               // of the antecedents that its samples satisfy
	captured [][]uint64 // by antecedent
	runs     []run

	base  int64    // Σ w_c − max w_c over all groups
	sum   []int64  // of the groups together
	all   []uint64 // these groups
	every []int    // antecedent
}

// amount is one number that a group adds to a sum. The others are 0.
type amount struct {
	at int // place in the sum
	is int64
}

// run is neighbouring groups that have the same losses: of one word, or all of some words.
type run struct {
	from, to int    // words
	mask     uint64 // in each of them
	losses   []amount
}

// A sum of groups is a number for each class q: what they lose if q is predicted for them. With more
// than two classes W follows, the sum of the largest loss of each group, and then O_c for each class
// c: what the groups whose heaviest class is c lose at least if they get another label. With two
// classes both follow from the losses.

// at returns the sum of an antecedent.
func (g *groups) at(sums []int64, a int) []int64 {
	sums = sums[a*g.numbers:]
	return sums[:g.numbers]
}

// worst returns W.
func (g *groups) worst(sum []int64) int64 {
	if g.classes == 2 {
		return sum[0] + sum[1]
	}
	return sum[g.classes]
}

// best returns the label that loses least, the smallest one of several, and what it loses.
func (g *groups) best(sum []int64) (label int, loses int64) {
	for q, x := range sum[:g.classes] {
		if q == 0 || x < loses {
			label, loses = q, x
		}
	}
	return label, loses
}

// less makes to the sum a without b.
func less(to, a, b []int64) []int64 {
	for i, x := range b {
		to[i] = a[i] - x
	}
	return to
}

// lists are lists of antecedents, one after the other.
type lists struct {
	first     []int // list i is satisfied[first[i]:first[i+1]], ascending
	satisfied []uint16
}

// list returns a list.
func (l *lists) list(i int) []uint16 { return l.satisfied[l.first[i]:l.first[i+1]] }

func newGroups(s *framing.Samples) *groups {
	found := framing.NewGroups(s)
	g := &groups{classes: s.Classes, numbers: 2}
	if s.Classes > 2 {
		g.numbers = 2*s.Classes + 1
	}
	losses, base, _ := found.PickLossy(false)
	g.base = base
	g.sum = make([]int64, g.numbers)
	for i := range losses {
		if i > 0 && slices.Equal(losses[i], losses[i-1]) {
			g.labels, g.own, g.losses = append(g.labels, g.labels[i-1]), append(g.own, g.own[i-1]), append(g.losses, g.losses[i-1])
		} else {
			g.add(losses[i])
		}
		for _, x := range g.losses[i] {
			g.sum[x.at] += x.is
		}
	}
	g.of, g.all, g.captured = found.Of, found.All(), found.Columns()
	g.fill()
	g.cut()
	return g
}

// add adds a group of its losses by class.
func (g *groups) add(losses []int64) {
	label := slices.Index(losses, 0)
	own := slices.Min(slices.Delete(slices.Clone(losses), label, label+1))
	numbers := losses
	if g.classes > 2 {
		numbers = slices.Grow(append(slices.Clone(losses), slices.Max(losses)), g.classes)[:g.numbers]
		numbers[g.classes+1+label] = own
	}
	var all []amount
	for at, x := range numbers {
		if x > 0 {
			all = append(all, amount{at, x})
		}
	}
	g.labels, g.own, g.losses = append(g.labels, label), append(g.own, own), append(g.losses, all)
}

// fill fills in the lists of antecedents.
func (g *groups) fill() {
	g.first = make([]int, len(g.losses)+1)
	for a, c := range g.captured {
		g.every = append(g.every, a)
		for i := range framing.Members(c) {
			g.first[i+1]++
		}
	}
	for i := range g.losses {
		g.first[i+1] += g.first[i]
	}
	g.satisfied = make([]uint16, g.first[len(g.losses)])
	next := slices.Clone(g.first)
	for a, c := range g.captured {
		for i := range framing.Members(c) {
			g.satisfied[next[i]] = uint16(a)
			next[i]++
		}
	}
}

// cut finds the runs.
func (g *groups) cut() {
	all := len(g.losses)
	for i := 0; i < all; {
		r := run{from: i >> 6, losses: g.losses[i]}
		for ; i < all && i>>6 == r.from && slices.Equal(g.losses[i], r.losses); i++ {
			r.mask |= 1 << (i & 63)
		}
		for r.to = r.from + 1; r.mask == math.MaxUint64 && i+63 < all && slices.Equal(g.losses[i+63], r.losses); r.to++ {
			i += 64
		}
		g.runs = append(g.runs, r)
	}
}
