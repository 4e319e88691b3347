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

// Mask is a set of points of one word, each of which costs so much.
type Mask struct {
	Bits   uint64
	Weight int64
}

// Masks returns few masks that add up to the costs of a word (64 of them, ≥ 0).
func Masks(costs []int64) (masks []Mask) {
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
		masks = append(masks, peel(rest))
	}
	return append(masks, digits(rest)...)
}

// divisor returns the greatest common divisor g of the costs, 0 if all are 0,
// and the digits that occur in any cost/g.
func divisor(costs []int64) (g int64, digits uint64) {
	for i := 0; i < len(costs) && g != 1; i++ {
		for c := costs[i]; c != 0; {
			g, c = c, g%c
		}
	}
	for _, c := range costs {
		if g > 1 { // a division takes longer than all else
			c /= g
		}
		digits |= uint64(c)
	}
	return g, digits
}

// peel takes the smallest positive cost off every positive one.
func peel(costs []int64) (m Mask) {
	for _, c := range costs {
		if c > 0 && (m.Weight == 0 || c < m.Weight) {
			m.Weight = c
		}
	}
	for i, c := range costs {
		if c > 0 {
			costs[i] -= m.Weight
			m.Bits |= 1 << i
		}
	}
	return m
}

// digits returns one mask for every binary digit of costs over their divisor.
func digits(costs []int64) (masks []Mask) {
	g, all := divisor(costs)
	for ; all != 0; all &= all - 1 {
		b := bits.TrailingZeros64(all)
		m := Mask{Weight: g << b}
		for i, c := range (*[64]int64)(costs) {
			if g > 1 {
				c /= g
			}
			m.Bits |= uint64(c) >> b & 1 << i
		}
		masks = append(masks, m)
	}
	return masks
}
