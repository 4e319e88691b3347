package path

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// tally is the misses, false alarms and rules of a list.
type tally [3]int64

// tallies returns those of all rule lists on a set, by going through them.
func tallies(set *rules.Set) map[tally]bool {
	all := map[tally]bool{}
	wrong := func(so tally, rows *bitset.BitSet, predicted int) tally {
		for i := range rows.EachSet() {
			if class := set.Data.Class(int(i)); class != predicted {
				so[1-class]++
			}
		}
		return so
	}
	var visit func(left *bitset.BitSet, used int, so tally)
	visit = func(left *bitset.BitSet, used int, so tally) {
		for label := range 2 {
			all[wrong(so, left, label)] = true
		}
		so[2]++
		for a := range set.Antecedents {
			captured := left.Intersection(set.Antecedents[a].Captured())
			if used>>a&1 == 1 || captured.None() {
				continue
			}
			for label := range 2 {
				visit(left.Difference(captured), used|1<<a, wrong(so, captured, label))
			}
		}
	}
	visit(bitset.New(uint(set.Data.N)).Complement(), 0, tally{})
	return all
}

// TestFront holds fronts against all rule lists of random tables: none is better in misses, false alarms or rules and worse in
// none, and the best for each of the weights and some λ is among them.
func TestFront(t *testing.T) {
	weights := []ratio.Ratio{ratio.New(1, 3), ratio.New(1, 1), ratio.New(5, 2), ratio.New(9, 1)}
	rows, tables := 0, 0
	for seed := range testgen.Seeds(150) {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		var cells [][]string
		for range 8 + rng.IntN(30) {
			bit := func(odds float64) string { return fmt.Sprint(map[bool]int{true: 1}[rng.Float64() < odds]) }
			row := []string{bit(.5), bit(.3), bit(.6)}
			odds := .1
			if row[0] == "1" || row[1] == row[2] {
				odds = .6
			}
			cells = append(cells, append(row, bit(odds)))
		}
		data := must.Get(family.Table([]string{"a", "b", "c", "y"}, cells, family.Reading{}))(t)
		o := Options{Options: family.Options{MaxCard: 1, Workers: 1}, Least: ratio.New(1, 40)}
		p := must.Get(family.NewProblem(t.Context(), data, o.Options))(t)
		if len(p.Set.Antecedents) > 6 {
			t.Fatalf("%d antecedents", len(p.Set.Antecedents))
		}
		front := must.Get(AskFront(t.Context(), p, o, weights))(t)
		if len(front.Weights) != len(front.Vertices) || len(front.Open) > 0 {
			t.Fatalf("seed %d: %d weights of %d models, open %v", seed, len(front.Weights), len(front.Vertices), front.Open)
		}
		all := tallies(p.Set)
		var found []tally
		for _, v := range front.Vertices {
			so := tally{2: int64(v.Size)}
			for _, c := range v.Model.Cases() {
				so[c.Class] += c.Samples[1-c.Class]
			}
			found = append(found, so)
		}
		rows, tables = rows+len(found), tables+1
		for _, so := range found {
			if !all[so] {
				t.Fatalf("seed %d: no list has %v", seed, so)
			}
			for other := range all {
				if other != so && other[0] <= so[0] && other[1] <= so[1] && other[2] <= so[2] {
					t.Fatalf("seed %d: %v of the front is beaten by %v", seed, so, other)
				}
			}
		}
		totals := p.Set.Data.ClassTotals()
		for _, w := range weights {
			for _, lambda := range []*big.Rat{big.NewRat(1, 39), big.NewRat(1, 20), big.NewRat(1, 7), big.NewRat(2, 5)} {
				price := new(big.Rat).Mul(lambda, big.NewRat(w.Num*totals[1]+w.Den*totals[0], w.Den))
				value := func(so tally) *big.Rat {
					v := new(big.Rat).Mul(price, big.NewRat(so[2], 1))
					return v.Add(v, big.NewRat(so[0]*w.Num+so[1]*w.Den, w.Den))
				}
				var best, mine *big.Rat
				for so := range all {
					if v := value(so); best == nil || v.Cmp(best) < 0 {
						best = v
					}
				}
				for _, so := range found {
					if v := value(so); mine == nil || v.Cmp(mine) < 0 {
						mine = v
					}
				}
				if mine.Cmp(best) != 0 {
					t.Fatalf("seed %d: a miss weighs %s, λ = %v: the best of the front has %v, of all %v", seed, w, lambda, mine, best)
				}
			}
		}
	}
	if rows < 4*tables {
		t.Errorf("%d models on %d fronts: too few for a test", rows, tables)
	}
}

// TestUsualWeights: they are around equal weights of samples, and of classes.
func TestUsualWeights(t *testing.T) {
	for _, totals := range [][2]int64{{50, 50}, {900, 30}, {30, 900}, {0, 5}} {
		weights := UsualWeights(totals)
		equal := float64(max(totals[0], 1)) / float64(max(totals[1], 1))
		first, last := weights[0].Float(), weights[len(weights)-1].Float()
		if first > min(1, equal)/2 || last < 2*max(1, equal) || len(weights) > 16 {
			t.Errorf("classes of %v: %v", totals, weights)
		}
	}
}
