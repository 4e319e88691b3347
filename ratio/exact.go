package ratio

import "math/big"

// Exact arithmetic that leaves its operands as they are.

// Rat is the same rational.
func (r Ratio) Rat() *big.Rat { return big.NewRat(r.Num, r.Den) }

// FromRat returns x, or false where its terms have more than 63 bits.
func FromRat(x *big.Rat) (Ratio, bool) {
	return Ratio{x.Num().Int64(), x.Denom().Int64()}, x.Num().IsInt64() && x.Denom().IsInt64()
}

// Int is an integer.
func Int(n int64) *big.Rat { return big.NewRat(n, 1) }

// Sum is the sum of terms.
func Sum(terms ...*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, x := range terms {
		sum.Add(sum, x)
	}
	return sum
}

// Product is the product of factors.
func Product(factors ...*big.Rat) *big.Rat {
	product := Int(1)
	for _, x := range factors {
		product.Mul(product, x)
	}
	return product
}

// Minus is a − b.
func Minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

// Over is a/b. It panics where b is zero.
func Over(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

// Floor is the largest integer that is at most x.
func Floor(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

// Ceil is the least integer that is at least x.
func Ceil(x *big.Rat) *big.Int {
	n := Floor(new(big.Rat).Neg(x))
	return n.Neg(n)
}
