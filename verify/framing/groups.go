package framing

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"parcorels/rules"
)

// Groups are the samples put together that satisfy the same antecedents: no model tells
// those of a group apart. They come in the order of their first samples.
type Groups struct {
	Of      []int32   // the group of each sample, −1 if it was left out
	Weights [][]int64 // by class and group

	rows        []string // of each group, a bit for each antecedent
	antecedents int
}

// NewGroups puts samples together.
func NewGroups(s *Samples) *Groups {
	size := (len(s.Captured) + 7) / 8
	bytes := make([]byte, s.N*size)
	for a, set := range s.Captured {
		for i := range Members(set) {
			bytes[i*size+a/8] |= 1 << (a % 8)
		}
	}
	g := &Groups{Of: make([]int32, s.N), Weights: make([][]int64, s.Classes), antecedents: len(s.Captured)}
	known := map[string]int32{}
	for i := range s.N {
		row := bytes[i*size : (i+1)*size]
		at, ok := known[string(row)]
		if !ok {
			at = int32(len(g.rows))
			g.rows = append(g.rows, string(row))
			known[g.rows[at]] = at
			for c := range g.Weights {
				g.Weights[c] = append(g.Weights[c], 0)
			}
		}
		g.Of[i] = at
		for c, w := range s.WeightsAt(i) {
			g.Weights[c][at] += w
		}
	}
	return g
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.rows) }

// Pick leaves some groups, in the order of the list.
func (g *Groups) Pick(list []int) {
	place := make([]int32, len(g.rows))
	for at := range place {
		place[at] = -1
	}
	rows, weights := make([]string, len(list)), make([][]int64, len(g.Weights))
	for at, from := range list {
		rows[at], place[from] = g.rows[from], int32(at)
		for c := range weights {
			weights[c] = append(weights[c], g.Weights[c][from])
		}
	}
	for i, at := range g.Of {
		g.Of[i] = place[at]
	}
	g.rows, g.Weights = rows, weights
}

// PickLossy leaves the groups that lose something by some class, or all, in the order in which proofs about rule lists number them:
// by falling heaviest class, the first of several; of one class by falling largest loss, then by first samples. So words of sets have
// groups that are alike. It returns what each loses by each class, which is the weight of its heaviest class less that one's; what
// groups lose at least beside that, by whatever class: all together, and those left out.
func (g *Groups) PickLossy(all bool) (losses [][]int64, base, out int64) {
	var left []int
	each := make([][]int64, g.Len())
	for at := range each {
		var most int64
		for _, weights := range g.Weights {
			most = max(most, weights[at])
		}
		for _, weights := range g.Weights {
			each[at] = append(each[at], most-weights[at])
			base += weights[at]
		}
		base -= most
		if all || slices.Max(each[at]) > 0 {
			left = append(left, at)
		} else {
			out += int64(len(g.Weights)-1) * most // all of its classes weigh the same
		}
	}
	slices.SortStableFunc(left, func(i, j int) int {
		return cmp.Or(slices.Index(each[j], 0)-slices.Index(each[i], 0), cmp.Compare(slices.Max(each[j]), slices.Max(each[i])))
	})
	for _, at := range left {
		losses = append(losses, each[at])
	}
	g.Pick(left)
	return losses, base, out
}

// Columns returns the groups that satisfy each antecedent.
func (g *Groups) Columns() [][]uint64 {
	columns := make([][]uint64, g.antecedents)
	for a := range columns {
		columns[a] = make([]uint64, (len(g.rows)+63)/64)
		for at, row := range g.rows {
			columns[a][at/64] |= uint64(row[a/8]>>(a%8)&1) << (at % 64)
		}
	}
	return columns
}

// All returns the set of all groups.
func (g *Groups) All() []uint64 { return First(g.Len()) }

// First returns the set of the first n.
func First(n int) []uint64 {
	set := make([]uint64, (n+63)/64)
	for i := range n {
		set[i/64] |= 1 << (i % 64)
	}
	return set
}

// Samples returns how many samples each group has, whatever they weigh.
func (g *Groups) Samples() []int64 {
	samples := make([]int64, g.Len())
	for _, at := range g.Of {
		if at >= 0 {
			samples[at]++
		}
	}
	return samples
}

// Digits returns the binary digits of a number for each group: digit b is the set of groups
// that have it. There are none behind the last that any group has.
func Digits(numbers []int64) (digits [][]uint64) {
	var any int64
	for _, x := range numbers {
		any |= x
	}
	for b := range bits.Len64(uint64(any)) {
		set := make([]uint64, (len(numbers)+63)/64)
		for at, x := range numbers {
			set[at/64] |= uint64(x>>b&1) << (at % 64)
		}
		digits = append(digits, set)
	}
	return digits
}

// Plane is one binary digit of numbers by class: the groups that have it.
type Plane struct {
	Class  int
	Weight int64
	Groups []uint64
}

// Planes returns the digits of numbers by class and group.
func Planes(numbers [][]int64) (planes []Plane) {
	for class, of := range numbers {
		for b, groups := range Digits(of) {
			planes = append(planes, Plane{class, 1 << b, groups})
		}
	}
	return planes
}

// Sum adds up numbers, given by their digits, of the groups of a in b.
func Sum(digits [][]uint64, a, b []uint64) (sum int64) {
	for k, digit := range digits {
		n := 0
		for w, x := range digit {
			n += bits.OnesCount64(x & a[w] & b[w])
		}
		sum += int64(n) << k
	}
	return sum
}

// Side appends the groups of a set that are in a column, or those that are not.
func Side(to, set, column []uint64, with bool) []uint64 {
	to = slices.Grow(to, len(set))
	turned := ^uint64(0)
	if with {
		turned = 0
	}
	for w, x := range set {
		to = append(to, x&(column[w]^turned))
	}
	return to
}

// Members yields the members of a set in ascending order.
func Members(set []uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k, w := range set {
			for ; w != 0; w &= w - 1 {
				if !yield(k<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Samples are the samples that a proof is about, as checkers count them.
type Samples struct {
	N, Classes int
	Class      func(i int) int
	Weight     func(i int) int64
	WeightsAt  func(i int) iter.Seq2[int, int64] // by class
	Captured   [][]uint64                        // by antecedent
	Total      int64                             // weight of all
}

// NewSamples takes the samples from a set. Each must have a positive weight, and all of them less than most.
func NewSamples(set *rules.Set, most int64) (*Samples, error) {
	d := set.Data
	s := &Samples{N: d.N, Classes: d.ClassCount(), Class: d.Class, Weight: d.Weight, WeightsAt: d.WeightsAt}
	for i := range s.N {
		w := s.Weight(i)
		if w <= 0 || w >= most-s.Total {
			return nil, fmt.Errorf("the weights of the samples are not positive, or reach %d in all", most)
		}
		s.Total += w
	}
	for _, a := range set.Antecedents {
		s.Captured = append(s.Captured, a.Captured().Words())
	}
	return s, nil
}
