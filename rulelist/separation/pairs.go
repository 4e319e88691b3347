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

// addNearest adds, for each point that is left, its n nearest pairs, and returns the
// work. It adds none and returns false if that were more than most. A crew shares the
// work.
func (p *Problem) addNearest(l *Pool, c *Context, n int, most int64, crew *crew) (work int64, ok bool) {
	var of [2][]int32
	for i, w := range c.Left {
		for ; w != 0; w &= w - 1 {
			e := int32(i*64 + bits.TrailingZeros64(w))
			of[p.label(e)] = append(of[p.label(e)], e)
		}
	}
	if work = PairWork(int64(len(of[1])), int64(len(of[0])), len(p.Columns)); work > most {
		return 0, false
	}
	parts := max(1, min(crew.size(), len(of[1])/pairBlock))
	near := make([][2][]neighbours, parts) // by part of the points of label 1
	crew.share(parts, func(k int) {
		from, to := k*len(of[1])/parts, (k+1)*len(of[1])/parts
		near[k] = p.nearest(c, n, of[1][from:to], of[0])
	})
	for k := range near {
		for j, x := range near[k][0] {
			if k > 0 {
				for _, y := range x {
					near[0][0][j].offer(n, y)
				}
			}
		}
	}
	for i, e := range of[0] {
		for _, x := range near[0][0][i] {
			l.Add([]int32{e, x.point})
		}
	}
	i := 0
	for k := range near {
		for _, list := range near[k][1] {
			for _, x := range list {
				l.Add([]int32{of[1][i], x.point})
			}
			i++
		}
	}
	return work, true
}

// PairWork is the work of comparing all pairs of so many points of either label.
func PairWork(ones, zeros int64, columns int) int64 {
	return ones * zeros * int64((columns+63)/64+pairEntries)
}

// pairEntries is how many entries of the LP take as long as what a pair takes beside its
// words: it is offered to the lists of its two points.
const pairEntries = 2

// nearest returns the n nearest of some points of either label among those of the other.
func (p *Problem) nearest(c *Context, n int, ones, zeros []int32) [2][]neighbours {
	near := [2][]neighbours{make([]neighbours, len(zeros)), make([]neighbours, len(ones))}
	for i, e := range ones {
		for j, f := range zeros {
			d := p.apart(c, e, f)
			near[1][i].offer(n, neighbour{d, f})
			near[0][j].offer(n, neighbour{d, e})
		}
	}
	return near
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

// neighbours are the nearest ones, nearest first, and of equal ones the first points.
type neighbours []neighbour

// offer keeps x if it is among the n nearest. Points come by rising index.
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
