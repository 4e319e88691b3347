// Package price turns errors and leaves of trees into one integer. Begin with [New].
package price

import (
	"fmt"
	"math/bits"

	"parcorels/ratio"
)

// Prices turn errors and leaves into one integer.
//
// With λ = num/den and N the weight of all samples, the objective times den·N is
// den·errors + num·N·leaves. A value is K times that, plus the number of leaves:
//
//	value = unit·errors + price·leaves, unit = K·den, price = K·num·N + 1.
//
// K is a power of two above the leaves of every tree that is optimal for some
// set of points. So comparing values compares objectives first and leaves
// second, and two sides' values add up to that of their split.
//
// An optimal tree has at most as many leaves as there are points, and, as one
// leaf alone is a tree too, no more than what that leaf errs pays for:
// (leaves − 1)·num·N ≤ den·errors. The first trees that a count looks at have up
// to four leaves.
type Prices struct {
	Unit, Price int64
	Digits      int64 // K
	Den, Total  int64 // of λ; N
	Base        int64 // errors that no tree avoids, which no value has
}

// Far is larger than any value; two of them add up without overflow.
const Far = int64(1) << 61

// ErrScale reports a problem whose values do not fit 61 bits.
type ErrScale struct{ Total, Num, Den int64 }

func (e *ErrScale) Error() string {
	return fmt.Sprintf("weights that add up to %d and λ = %d/%d take more than 61 bits: scale the weights down or give λ fewer digits",
		e.Total, e.Num, e.Den)
}

// New returns the prices for points that err by worst as one leaf, beside the errors that no tree avoids.
func New(lambda ratio.Ratio, total, base, worst int64, points int) (Prices, error) {
	refused := &ErrScale{total, lambda.Num, lambda.Den}
	step, ok1 := Product(lambda.Num, total)
	most, ok2 := Product(lambda.Den, worst)
	if !ok1 || !ok2 {
		return Prices{}, refused
	}
	leaves := int64(points)
	if step > 0 {
		leaves = min(leaves, most/step+1)
	}
	leaves = max(leaves, 4)
	k := int64(1) << bits.Len64(uint64(leaves))
	price, ok1 := Product(k, step)
	unit, ok2 := Product(k, lambda.Den)
	errors, ok3 := Product(unit, worst)
	inLeaves, ok4 := Product(price+1, leaves)
	all, ok5 := Product(lambda.Den, total)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || errors+inLeaves >= Far || all+step*leaves >= Far {
		return Prices{}, refused
	}
	return Prices{unit, price + 1, k, lambda.Den, total, base}, nil
}

// Product returns a·b, both ≥ 0, and whether it is below 2^61.
func Product(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo < uint64(Far)
}

// Leaves returns the leaves of a tree from its value, and Errors what it gets wrong.
func (p *Prices) Leaves(value int64) int64 { return value % p.Digits }
func (p *Prices) Errors(value int64) int64 {
	return p.Base + (value-p.Leaves(value)*p.Price)/p.Unit
}

// Objective returns the objective of a value, or a bound on it from one on the value, times den·N.
func (p *Prices) Objective(value int64) int64 { return value/p.Digits + p.Den*p.Base }

// Share returns an objective as a float, for print.
func (p *Prices) Share(objective int64) float64 {
	return float64(objective) / (float64(p.Den) * float64(p.Total))
}

// One and Two are the values of trees of one and of two leaves with errors.
func (p *Prices) One(errors int64) int64 { return p.Unit*errors + p.Price }
func (p *Prices) Two(errors int64) int64 { return p.Unit*errors + 2*p.Price }
