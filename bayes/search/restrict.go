package search

import (
	"math/big"
	"math/bits"

	"parcorels/bitvec"
	"parcorels/instance"
	"parcorels/optionerr"
)

// Which lists there may be.
//
// Each rule decides so many rows, whatever they weigh; the default may decide fewer. In a falling list neither a rule nor the
// default has a larger probability of class 1 than the rule before it. All bounds are those of more lists, hence true. Removing a
// rule that captures nothing leaves a list that may be. An exchange of two rules (commutes) leaves one only if both have the
// same probability. What may follow a prefix depends on its last rule, too, so state.go compares prefixes whose last ones are alike.

// Restriction says which lists there may be; the zero value: any.
type Restriction struct {
	MinRows int     // least rows that a rule decides; 0: any number
	RowsOf  []int64 // with MinRows, the rows of each point
	Falling bool    // each rule is at most as likely to be of class 1 as the one before it, and so is the default
}

// restriction is a Restriction made ready.
type restriction struct {
	rows                *bitvec.Planes // of places; nil: any number
	least               int64
	falling             bool
	times, pseudo1, all uint64 // of a probability: (n1·times + pseudo1) / (n·times + all)
}

// restrict sets which lists there may be. The errors are *optionerr.Error.
func (p *posterior) restrict(pts *instance.Points, prior Prior, o Restriction) error {
	r := &p.may
	if o.MinRows > 0 {
		rows := make([]int64, 64*p.in.Words)
		for i := range pts.Count {
			rows[max(p.at[1][i], p.at[0][i])] = o.RowsOf[i] // a rule captures both places of a point
		}
		r.rows, r.least = bitvec.NewPlanes(rows, p.in.Words), int64(o.MinRows)
	}
	if r.falling = o.Falling; !o.Falling {
		return nil
	}
	a1, a0 := prior.Alpha1, prior.Alpha0
	times := new(big.Int).Mul(big.NewInt(a1.Den), big.NewInt(a0.Den))
	pseudo1 := new(big.Int).Mul(big.NewInt(a1.Num), big.NewInt(a0.Den))
	all := new(big.Int).Add(pseudo1, new(big.Int).Mul(big.NewInt(a0.Num), big.NewInt(a1.Den)))
	pseudo1.Mul(pseudo1, big.NewInt(p.perSample))
	all.Mul(all, big.NewInt(p.perSample))
	if most := new(big.Int).Mul(times, big.NewInt(pts.Total)); most.Add(most, all).BitLen() > 63 {
		return optionerr.Errorf("Alpha1", "option Alpha1 has too many digits for option Falling")
	}
	r.times, r.pseudo1, r.all = times.Uint64(), pseudo1.Uint64(), all.Uint64()
	return nil
}

// probability is that of class 1 in a rule, a fraction. That of a list that need not fall is 0/0.
type probability struct{ num, den uint64 }

// atMost reports whether one probability is no larger than another.
func (x probability) atMost(y probability) bool {
	h1, l1 := bits.Mul64(x.num, y.den)
	h2, l2 := bits.Mul64(y.num, x.den)
	return h1 < h2 || h1 == h2 && l1 <= l2
}

// of returns the probability in a rule that captures so many samples of the classes.
func (r *restriction) of(n1, n0 int64) probability {
	if !r.falling {
		return probability{}
	}
	return probability{uint64(n1)*r.times + r.pseudo1, uint64(n1+n0)*r.times + r.all}
}

// top is what the first rule falls from.
func (r *restriction) top() probability {
	if !r.falling {
		return probability{}
	}
	return probability{1, 1}
}

// lets reports whether a rule of a probability that captures what is both in a set and in a column may follow one of another.
func (r *restriction) lets(x, last probability, set, column []uint64) bool {
	if !x.atMost(last) {
		return false
	}
	if r.rows == nil {
		return true
	}
	rows, _ := r.rows.CostAnd(set, column)
	return rows >= r.least
}
