package parallel

import (
	"context"
	"slices"

	"parcorels/automorphism"
)

// Pruning 10: orbits of the instance's own symmetries.
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
// Every g decides for itself, so it does no harm that some symmetries are not
// known. Only the antecedents that can be of use are permuted; no rule of L* is
// any other.
//
// A proof does not tell symmetries, so a search that writes one goes without.

// orbits are the symmetries that are known, ready for use.
type orbits struct {
	images []automorphism.Permutation
	lowers [][]uint64 // of each, the columns whose image has a smaller index
	fixing [][]uint16 // of each column, the symmetries that leave it alone
}

const (
	mostSymmetries = 1023
	orbitBytes     = 8 << 20 // bounds what they take, which no budget counts
)

// findOrbits finds the symmetries of the problem, unless they are not wanted.
func (s *search) findOrbits(ctx context.Context) {
	p := s.p
	if p.without.has(Orbits) || s.proof != nil || len(p.columns) == 0 || !p.costsTie() {
		return
	}
	limited, cancel := s.within(ctx, s.o.Time)
	defer cancel()
	in := automorphism.Instance{Columns: p.columns, Costs: p.in.Costs, Words1: p.in.Words1}
	most := min(mostSymmetries, orbitBytes/(8*len(p.columns)))
	p.orbits = newOrbits(p, automorphism.Find(&in, most, func() bool { return limited.Err() == nil }))
}

// costsTie reports whether two columns cost as much in both classes, without
// which there are no symmetries.
func (p *problem) costsTie() bool {
	seen := map[[2]int64]bool{}
	for _, c := range p.columns {
		g1, g0 := p.planes.CostAnd(p.all, c)
		cost := [2]int64{g1, g0}
		if seen[cost] {
			return true
		}
		seen[cost] = true
	}
	return false
}

func newOrbits(p *problem, images []automorphism.Permutation) orbits {
	o := orbits{images: images, fixing: make([][]uint16, len(p.columns))}
	for i, g := range images {
		lower := make([]uint64, (p.padded()+63)/64)
		for col, to := range g {
			switch {
			case int(to) == col:
				o.fixing[col] = append(o.fixing[col], uint16(i))
			case p.names[to] < p.names[col]:
				lower[col/64] |= 1 << (col % 64)
			}
		}
		o.lowers = append(o.lowers, lower)
	}
	return o
}

// dropImages clears the bits of open of the columns that a symmetry maps to a
// smaller one behind the prefix.
func (o *orbits) dropImages(open []uint64, prefix []uint16) {
	if len(o.images) == 0 {
		return
	}
	if len(prefix) == 0 {
		for _, lower := range o.lowers {
			without(open, lower)
		}
		return
	}
	for _, i := range o.fixing[prefix[0]] {
		moves := func(col uint16) bool { return o.images[i][col] != col }
		if !slices.ContainsFunc(prefix[1:], moves) {
			without(open, o.lowers[i])
		}
	}
}

func without(set, other []uint64) {
	for w, x := range other {
		set[w] &^= x
	}
}
