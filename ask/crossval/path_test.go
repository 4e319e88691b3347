package crossval

import (
	"math/big"
	"testing"
)

// TestInside: the λ of an interval of a path is in it, also where the interval is narrow.
func TestInside(t *testing.T) {
	low := big.NewRat(1, 3)
	for _, width := range []*big.Rat{big.NewRat(1, 10), big.NewRat(1, 1<<30), big.NewRat(1, 1<<50)} {
		high := new(big.Rat).Add(low, width)
		l := Inside(low, high)
		if x := big.NewRat(l.Num, l.Den); x.Cmp(low) < 0 || x.Cmp(high) > 0 {
			t.Errorf("%v is not between %v and %v", l, low, high)
		}
	}
	if l := Inside(big.NewRat(3, 4), nil); l.Float() < .75 || l.Float() > 1 {
		t.Errorf("%v is not between 3/4 and 1", l)
	}
}
