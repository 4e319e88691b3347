package tree

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/verify/framing"
)

// best returns the value of the best tree on a set, by trying all.
func (c *checker) best(set []uint64, splits int) int64 {
	costs := make([]int64, c.classes)
	for g := range framing.Members(set) {
		for k := range costs {
			costs[k] += c.costs[k][g]
		}
	}
	value := far
	for _, cost := range costs {
		value = min(value, c.of(cost, 1))
	}
	for f := range c.columns {
		with, without := framing.Side(nil, set, c.columns[f], true), framing.Side(nil, set, c.columns[f], false)
		least := min(framing.Sum(c.rows, with, with), framing.Sum(c.rows, without, without))
		if splits > 0 && least >= max(1, c.least) {
			value = min(value, c.best(with, splits-1)+c.best(without, splits-1))
		}
	}
	return value
}

// TestHolds compares the checker with all trees: a record that claims one more than the best tree has is refused,
// whatever is known of smaller sets; and one that claims its value holds if all that is true of them is known.
func TestHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 21))
	for i := range 3000 {
		p := testgen.Classes(rng)
		set := testgen.ClassSet(&p)
		least := rng.IntN(2) * rng.IntN(4)
		s, err := newSamples(set, least)
		if err != nil {
			t.Fatal(err)
		}
		lambda := ratio.New(rng.Int64N(3), 10+rng.Int64N(90))
		c := &checker{samples: s, values: values{64 * lambda.Den, 64*lambda.Num*s.total + 1}, known: map[string]int64{}}
		n := newCounter(s)
		r := record{set: s.all, splits: 1 + rng.IntN(4)}
		for g := range s.groups { // some of the samples
			r.set[g/64] &^= uint64(rng.IntN(5)/4) << (g % 64)
		}
		r.bound = c.best(r.set, r.splits) + 1
		if c.holds(n, &r) {
			t.Fatalf("table %d: a record of %d holds, a tree is better", i, r.bound)
		}
		for f := range c.columns {
			for _, with := range []bool{true, false} {
				side := framing.Side(nil, r.set, c.columns[f], with)
				c.known[string(appendKey(nil, side, r.splits-1))] = c.best(side, r.splits-1)
			}
		}
		if c.holds(n, &r) {
			t.Fatalf("table %d: a record of %d holds with what is known, a tree is better", i, r.bound)
		}
		if r.bound--; !c.holds(n, &r) {
			t.Fatalf("table %d: a record of %d is refused, no tree is better", i, r.bound)
		}
	}
}
