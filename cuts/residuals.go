package cuts

import (
	"math"
	"math/bits"

	"parcorels/loop"
)

// begin sets the residuals to those of an ensemble without trees, the labels less
// their mean, and says whether both labels occur. For labels that are all but one
// alike, the residuals are small, and so is what noise gains. With 0 and 1 exchanged
// all residuals change their sign and no gain changes.
//
// They are kept in 32 bits: a step is at most 1/rate of the largest, so that
// after all trees none is above one·(1 + 1/rate)^trees, which is less than 2^29.
func (e *ensemble) begin() bool {
	if e.residuals == nil {
		e.residuals = make([]int32, len(e.labels))
		e.order, e.spareRows = make([]int32, len(e.labels)), make([]int32, len(e.labels))
	}
	var weight [2]int64
	var rows [2]int64
	for i, c := range e.labels {
		is := 0
		if c == e.class {
			is = 1
		}
		weight[is] += e.weight(i)
		rows[is] += e.count(i)
	}
	if rows[0] == 0 || rows[1] == 0 {
		return false
	}
	// A side has at least 2/(q(1−q)) = 2n²/(n0·n1) rows of average weight.
	n := float64(e.rows)
	e.least = max((e.total+leafShare-1)/leafShare, int64(math.Ceil(leafRows*float64(e.total)*n/float64(rows[0])/float64(rows[1]))))
	mean := int32(share(weight[1], e.total))
	if weight[1] > weight[0] {
		mean = one - int32(share(weight[0], e.total)) // both are rounded alike
	}
	squares := wide{}
	for i, c := range e.labels {
		r := -mean
		if c == e.class {
			r = one - mean
		}
		squares.add(int64(r)*e.weight(i), int64(r)*(e.weight(i)/e.count(i)))
		e.residuals[i] = r
	}
	e.setLoss(squares)
	return true
}

// share is part/whole in units of 1/one, rounded.
func share(part, whole int64) int64 { return (2*part*one + whole) / (2 * whole) }

// setLoss sets what noise gains from the sum of squares of weighted residuals.
func (e *ensemble) setLoss(squares wide) { e.loss = squares.float() / float64(e.total) }

// wide is a sum of squares in 128 bits, so that it depends on no order.
type wide struct{ high, low uint64 }

// add adds w·r·u·r, the squares of as many rows of weight u each as weigh w. As Σ w·r² never grows beyond 2^41·2^32 and
// w is less than 2^41, w·r is below 2^57.
func (s *wide) add(wr, ur int64) {
	high, low := bits.Mul64(uint64(max(wr, -wr)), uint64(max(ur, -ur)))
	var carry uint64
	s.low, carry = bits.Add64(s.low, low, 0)
	s.high += high + carry
}

func (s *wide) plus(t wide) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, t.low, 0)
	s.high += t.high + carry
}

func (s *wide) float() float64 { return float64(float64(s.high)*(1<<64)) + float64(s.low) }

// take takes the steps of leaves from the residuals of their samples.
func (e *ensemble) take(leaves []*node) {
	squares := make([]wide, len(leaves))
	loop.Parallel(len(leaves), func(k int) {
		step, plain := int32(leaves[k].step), uint64(0)
		for _, i := range leaves[k].rows {
			r := e.residuals[i] - step
			e.residuals[i] = r
			if e.weights == nil {
				plain += uint64(int64(r) * int64(r))
				continue
			}
			w := e.weight(int(i))
			squares[k].add(int64(r)*w, int64(r)*(w/e.count(int(i))))
		}
		squares[k].plus(wide{low: plain})
	})
	var all wide
	for _, s := range squares {
		all.plus(s)
	}
	e.setLoss(all)
}
