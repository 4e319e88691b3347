package choice

import (
	"fmt"
	"math/big"
)

// Claim is a model that is proved to be the smallest of the best for one λ.
type Claim struct {
	Lambda *big.Rat
	Size   int   // rules or leaves
	Errors int64 // weight
}

// Certify reports why claims do not prove a path, of a table with this total weight; nil if
// they do. They come by size. Each is proved at the λ down to which it is optimal, so each
// but the first must be as good as the one before at that one's λ, too: then both ends of its
// interval are proved, and by T2 (see Follow) so is all between. The first must be the
// smallest model that there is, of so many rules or leaves: no other is better for a larger λ
// (T1).
func Certify(total int64, smallest int, claims []Claim) error {
	if len(claims) == 0 {
		return fmt.Errorf("it has no model")
	}
	if claims[0].Size != smallest {
		return fmt.Errorf("the first model has size %d, expected %d: a smaller one may be better for larger λ", claims[0].Size, smallest)
	}
	f := follower[struct{}]{total: total}
	for i := 1; i < len(claims); i++ {
		p, q := claims[i-1], claims[i]
		switch {
		case q.Size <= p.Size || q.Lambda.Cmp(p.Lambda) >= 0:
			return fmt.Errorf("model %d does not follow model %d: sizes must rise, and λ fall", i+1, i)
		case f.value(&Solution[struct{}]{Size: q.Size, Errors: q.Errors}, p.Lambda).Cmp(f.value(&Solution[struct{}]{Size: p.Size, Errors: p.Errors}, p.Lambda)) != 0:
			return fmt.Errorf("model %d is not as good as model %d for λ = %s: nothing shows what is best between", i+1, i, p.Lambda.RatString())
		}
	}
	return nil
}
