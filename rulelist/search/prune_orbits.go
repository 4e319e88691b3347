package search

import (
	"context"
	"slices"
	"sync/atomic"

	"parcorels/automorphism"
	"parcorels/bitvec"
)

// Pruning 9: orbits of the instance's own automorphisms.
//
// Let g be a permutation of the antecedents under which the instance stays the
// same (package automorphism). The image of a list, rule by rule, has the same
// length and, with the labels that its rules had, the same errors: it is as good,
// and as long. So L*, the smallest list, is lexicographically no larger than its
// image under any g; and a prefix P+s cannot be one of L* if some g leaves every
// rule of P where it is and maps s to a smaller antecedent index, because then the
// image of every completion, which begins with P and that antecedent, is strictly
// smaller. If g moves a rule of P, the first that it moves decides: to a smaller
// index, and P itself was dropped; to a larger one, and nothing follows.
//
// Every g decides for itself, so it does no harm that some automorphisms are not
// known. Only the antecedents that can be of use are permuted, and of those that
// capture the same points just the one with the smallest index: no rule of L* is
// any other, so nothing below a prefix with another one matters.
//
// A proof says what the automorphisms are (proof_orbits.go).

// orbits are the automorphisms that are known, ready for use.
type orbits struct {
	images []automorphism.Permutation
	lowers [][]uint64    // of each, the columns whose image has a smaller index
	fixing [][]column    // of each column, the automorphisms that leave it alone
	told   []atomic.Bool // which are in the proof; of no use without one
}

const (
	mostAutomorphisms = 1023
	orbitBytes        = 8 << 20 // bounds what they take, which no budget counts

	// Finding them may cost a few tenths of the search's time, of which they most
	// often save three quarters; but no more than half a second.
	orbitsShare    = 4 // of the first incumbent's budget, visits for steps
	mostOrbitsWork = 1 << 26
)

// findOrbits finds the automorphisms of the problem by so much work, unless they are not wanted.
func (s *search) findOrbits(ctx context.Context, work int) {
	p := s.p
	if !p.uses(Orbits) || len(p.columns) == 0 || work < automorphism.Least(len(p.in.Costs)) || !p.costsTie() {
		return
	}
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	distinct := p.distinct()
	in := automorphism.Instance{Costs: p.in.Costs, Words1: p.in.Words1}
	for _, col := range distinct {
		in.Columns = append(in.Columns, p.columns[col])
	}
	most := min(mostAutomorphisms, orbitBytes/(8*len(p.columns)))
	found := automorphism.Find(&in, automorphism.Limits{
		Most: most, Work: work, GoOn: func() bool { return limited.Err() == nil },
	})
	p.orbits = newOrbits(p, among(distinct, len(p.columns), found))
}

// orbitsWork returns what finding automorphisms may cost, by the estimate of the
// search that the first incumbent was found with.
func (s *search) orbitsWork() int {
	if s.finder == nil {
		return mostOrbitsWork
	}
	return int(min(mostOrbitsWork, orbitsShare*s.finder.work.limit))
}

// distinct returns the columns but those that capture what one of a smaller
// antecedent index does. A hash finds the candidates, their words decide.
func (p *problem) distinct() (smallest []column) {
	byHash := map[bitvec.Key][]column{}
	for col, c := range p.columns {
		key := p.hasher.Hash(c)
		different := byHash[key]
		i := slices.IndexFunc(different, func(other column) bool { return slices.Equal(p.columns[other], c) })
		if i < 0 {
			byHash[key] = append(different, column(col))
		} else if p.antecedents[col] < p.antecedents[different[i]] {
			different[i] = column(col)
		}
	}
	for _, different := range byHash {
		smallest = append(smallest, different...)
	}
	slices.Sort(smallest)
	return smallest
}

// among turns permutations of some columns into permutations of all of them,
// which leave the others where they are.
func among(some []column, all int, found []automorphism.Permutation) (images []automorphism.Permutation) {
	for _, m := range found {
		g := make(automorphism.Permutation, all)
		for col := range g {
			g[col] = uint16(col)
		}
		for i, to := range m {
			g[some[i]] = uint16(some[to])
		}
		images = append(images, g)
	}
	return images
}

// costsTie reports whether two columns cost as much in both classes, without
// which there are no automorphisms.
func (p *problem) costsTie() bool {
	seen := map[[2]int64]bool{}
	for _, c := range p.columns {
		g1, g0 := p.planes.Cost(c)
		cost := [2]int64{g1, g0}
		if seen[cost] {
			return true
		}
		seen[cost] = true
	}
	return false
}

func newOrbits(p *problem, images []automorphism.Permutation) orbits {
	o := orbits{images: images, fixing: make([][]column, len(p.columns)), told: make([]atomic.Bool, len(images))}
	for i, g := range images {
		lower := make([]uint64, (p.padded()+63)/64)
		for col, to := range g {
			switch {
			case int(to) == col:
				o.fixing[col] = append(o.fixing[col], column(i))
			case p.antecedents[to] < p.antecedents[col]:
				lower[col/64] |= 1 << (col % 64)
			}
		}
		o.lowers = append(o.lowers, lower)
	}
	return o
}

// dropImages clears the bits of open of the columns that an automorphism maps to a
// smaller one behind the prefix.
func (o *orbits) dropImages(open []uint64, prefix []column, log *proofRecorder) {
	if len(o.images) == 0 {
		return
	}
	if len(prefix) == 0 {
		for i := range o.lowers {
			o.drop(open, i, log)
		}
		return
	}
	for _, i := range o.fixing[prefix[0]] {
		moves := func(col column) bool { return o.images[i][col] != uint16(col) }
		if !slices.ContainsFunc(prefix[1:], moves) {
			o.drop(open, int(i), log)
		}
	}
}

// drop clears the bits of the columns that an automorphism maps to a smaller one.
func (o *orbits) drop(open []uint64, i int, log *proofRecorder) {
	lower := o.lowers[i]
	if log != nil && meet(open, lower) && !o.told[i].Load() && !o.told[i].Swap(true) {
		log.automorphism(o.images[i])
	}
	bitvec.AndNot(open, open, lower)
}

// meet reports whether two sets have a member in common.
func meet(a, b []uint64) bool {
	for i, w := range a {
		if w&b[i] != 0 {
			return true
		}
	}
	return false
}
