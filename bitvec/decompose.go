package bitvec

import "math/bits"

// How the costs of a word become masks.
//
// The 64 costs of a word are written as Σ weight·mask with as few masks as a
// quick search finds, since every mask is a step of every kernel. The binary
// digits of the costs are one answer. Costs that share a divisor g need only
// the digits of cost/g, with weights g·2^p: a weighted sample of cost
// 1,618 is one step, not the five of its digits. And taking the smallest cost
// off every point first, as a mask of its own, shortens the digits of what is
// left where the costs lie close together. All three are combined: t times the
// smallest cost, then digits of the rest over its divisor, for the best t.

// part is one mask of a word.
type part struct {
	weight int64
	mask   uint64
}

// decompose returns parts that add up to the costs of a word (64 of them, ≥ 0).
func decompose(costs []int64) (parts []part) {
	if p, ok := single(costs); ok {
		return []part{p}
	}
	rest := append([]int64(nil), costs...)
	levels, fewest := 0, 64
	for t := 0; t < fewest; t++ {
		g, digits := divisor(rest)
		if n := t + bits.OnesCount64(digits); n < fewest {
			levels, fewest = t, n
		}
		if g == 0 {
			break
		}
		peel(rest)
	}
	rest = append(rest[:0], costs...)
	for range levels {
		parts = append(parts, peel(rest))
	}
	return append(parts, digits(rest)...)
}

// single returns the one part of costs that are all the same where they are not 0.
func single(costs []int64) (p part, ok bool) {
	for i, c := range costs {
		if c == 0 {
			continue
		}
		if p.weight == 0 {
			p.weight = c
		}
		if c != p.weight {
			return part{}, false
		}
		p.mask |= 1 << i
	}
	return p, p.weight > 0
}

// divisor returns the greatest common divisor g of the costs, 0 if all are 0,
// and the digits that occur in any cost/g.
func divisor(costs []int64) (g int64, digits uint64) {
	for _, c := range costs {
		for c != 0 && g != 1 {
			g, c = c, g%c
		}
	}
	for _, c := range costs {
		if c != 0 {
			digits |= uint64(c / g)
		}
	}
	return g, digits
}

// peel takes the smallest positive cost off every positive one.
func peel(costs []int64) (p part) {
	for _, c := range costs {
		if c > 0 && (p.weight == 0 || c < p.weight) {
			p.weight = c
		}
	}
	for i, c := range costs {
		if c > 0 {
			costs[i] -= p.weight
			p.mask |= 1 << i
		}
	}
	return p
}

// digits returns one part for every binary digit of costs over their divisor.
func digits(costs []int64) (parts []part) {
	g, all := divisor(costs)
	for ; all != 0; all &= all - 1 {
		b := bits.TrailingZeros64(all)
		p := part{weight: g << b}
		for i, c := range costs {
			if c != 0 {
				p.mask |= uint64(c/g) >> b & 1 << i
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// Mask is a set of points of one word, each of which costs so much.
type Mask struct {
	Bits   uint64
	Weight int64
}

// Masks returns few masks that add up to the costs of a word (64 of them, ≥ 0).
func Masks(costs []int64) (masks []Mask) {
	for _, p := range decompose(costs) {
		masks = append(masks, Mask{p.mask, p.weight})
	}
	return masks
}
