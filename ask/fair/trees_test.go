package fair

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"parcorels/model"
	"parcorels/rules/rates"
)

// TestTrees compares trees of two levels within an operating point with all of them: none is below the bound, and a tree that is
// said to be the best is.
func TestTrees(t *testing.T) {
	t.Parallel()
	proved, cases := 0, 0
	for seed := range testgen.Seeds(1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 71))
		rows := make([][4]int, 6+rng.IntN(30)) // three features and the class
		var b strings.Builder
		b.WriteString("a,b,c,y\n")
		for i := range rows {
			for j := range rows[i] {
				rows[i][j] = rng.IntN(2)
			}
			rows[i][3] &= rng.IntN(2)
			r := rows[i]
			fmt.Fprintf(&b, "%c,%c,%c,%d\n", "pq"[r[0]], "pq"[r[1]], "pq"[r[2]], r[3])
		}
		data := must.Get(family.ReadFrom(strings.NewReader(b.String()), "t.csv", family.Reading{}))(t)
		o := family.Options{Family: model.Tree, Depth: 2, Lambda: fmt.Sprintf("0.0%d", rng.IntN(6)), Workers: 1}
		p, err := family.NewProblem(t.Context(), data, o)
		if err != nil || p.Set.Data.ClassCount() != 2 {
			continue
		}
		limits := someLimits(rng)
		lambda, _ := new(big.Rat).SetString(o.Lambda)
		per := lambda.Mul(lambda, big.NewRat(int64(len(rows)), 1)) // errors that a leaf counts as
		least, any := bestWithin(rows, limits, per)
		f, err := Ask(t.Context(), p, Options{Options: o, Limits: limits})
		if err != nil {
			if any && len(limits) == 1 {
				t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
			}
			continue
		}
		cases++
		got := f.Certificate().Objective.Value * float64(len(rows))
		want, _ := least.Float64()
		if bound := f.Bound * float64(len(rows)); bound > want+1e-9 || got < want-1e-9 || f.Proved && got > want+1e-9 {
			t.Fatalf("seed %d: %v to %v, proved %v, the best within %v has %v\n%s", seed, bound, got, f.Proved, limits, want, b.String())
		}
		if f.Proved {
			proved++
		}
		for k, l := range limits {
			if rate := float64(f.Rates[k]); l.Measure == rates.Selected && rate > l.Most.Float()+1e-9 ||
				l.Measure == rates.Recall && rate < l.Most.Float()-1e-9 {
				t.Fatalf("seed %d: %v is not within %v", seed, rate, l)
			}
		}
	}
	if proved < cases/4 || proved == cases {
		t.Errorf("%d of %d trees were proved", proved, cases)
	}
}

// bestWithin goes through all trees of two levels. A leaf costs so many errors.
func bestWithin(rows [][4]int, limits []Limit, leaf *big.Rat) (least *big.Rat, any bool) {
	type side struct{ split, no, yes int } // split −1: a leaf, of class no
	var sides []side
	for class := range 2 {
		sides = append(sides, side{-1, class, 0})
	}
	for f := range 3 {
		for labels := range 4 {
			sides = append(sides, side{f, labels & 1, labels >> 1})
		}
	}
	try := func(root int, with, without side) {
		var marked, right, errors, positive int64
		for _, r := range rows {
			s := without
			if root >= 0 && r[root] == 1 {
				s = with
			}
			class := s.no
			if s.split >= 0 && r[s.split] == 1 {
				class = s.yes
			}
			marked += int64(class)
			right += int64(class & r[3])
			errors += int64(class ^ r[3])
			positive += int64(r[3])
		}
		if !keep(limits, marked, right, positive, int64(len(rows))) {
			return
		}
		leaves := int64(1)
		if root >= 0 {
			leaves = 2 + int64(min(1, 1+with.split)) + int64(min(1, 1+without.split))
		}
		v := new(big.Rat).Mul(leaf, big.NewRat(leaves, 1))
		if v.Add(v, big.NewRat(errors, 1)); !any || v.Cmp(least) < 0 {
			least, any = v, true
		}
	}
	for _, s := range sides[:2] {
		try(-1, s, s)
	}
	for root := range 3 {
		for _, with := range sides {
			for _, without := range sides {
				try(root, with, without)
			}
		}
	}
	return least, any
}
