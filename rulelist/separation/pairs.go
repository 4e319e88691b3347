package separation

import (
	"cmp"
	"math/bits"
	"slices"
)

// Nearest pairs. The inequality of a pair, one point of either label, is the
// stronger the fewer rules hold one point and not the other. So the pool starts
// with the pairs of each point and the points of the other label that the
// fewest live rules tell from it.

// addNearest adds, for each point that is left, its n nearest pairs. It returns
// false if that would take more than most comparisons of words.
func (p *Problem) addNearest(l *Pool, c *Context, n int, most int64) bool {
	var of [2][]int32
	for i, w := range c.Left {
		for ; w != 0; w &= w - 1 {
			e := int32(i*64 + bits.TrailingZeros64(w))
			of[p.label(e)] = append(of[p.label(e)], e)
		}
	}
	if int64(len(of[0]))*int64(len(of[1]))*int64(p.width) > most {
		return false
	}
	near := [2][]neighbours{make([]neighbours, len(of[0])), make([]neighbours, len(of[1]))}
	for i, e := range of[1] {
		for j, f := range of[0] {
			d := p.apart(c, e, f)
			near[1][i].offer(n, neighbour{d, f})
			near[0][j].offer(n, neighbour{d, e})
		}
	}
	for q := range of {
		for i, e := range of[q] {
			for _, x := range near[q][i] {
				l.Add([]int32{e, x.point})
			}
		}
	}
	return true
}

// apart returns how many live rules are pure on the pair of e, of label 1, and f.
func (p *Problem) apart(c *Context, e, f int32) (n int) {
	one, zero := p.row(e), p.row(f)
	for i, a := range one {
		n += bits.OnesCount64(a&^zero[i]&c.Live[1][i]) + bits.OnesCount64(zero[i]&^a&c.Live[0][i])
	}
	return n
}

type neighbour struct {
	distance int
	point    int32
}

// neighbours are the nearest ones, nearest first.
type neighbours []neighbour

// offer keeps x if it is among the n nearest.
func (l *neighbours) offer(n int, x neighbour) {
	if len(*l) == n && x.distance >= (*l)[n-1].distance {
		return
	}
	at, _ := slices.BinarySearchFunc(*l, x, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.point, b.point))
	})
	if len(*l) < n {
		*l = append(*l, neighbour{})
	}
	copy((*l)[at+1:], (*l)[at:])
	(*l)[at] = x
}
