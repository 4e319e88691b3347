package search

import (
	"math/rand/v2"
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/ratio"
)

// TestAgreesWithRuleLists: a rule list of n rules on single features and their
// negations is a tree of n+1 leaves, each of whose splits has a leaf beside it. So
// the best tree is no worse than the best list and one leaf more; and where it
// has that shape itself, both are equal.
func TestAgreesWithRuleLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	lists := 0
	for range 600 {
		q := random(rng)
		if q.K != 2 || q.Num == 0 || q.Num >= q.Den || len(q.Columns) > 3 {
			continue
		}
		q.Depth = -1
		p := oracle.Problem{Weights: q.Weights, Lambda: ratio.New(q.Num, q.Den)}
		for _, c := range q.Columns {
			negated := make([]bool, len(c))
			for i, x := range c {
				negated[i] = !x
			}
			p.Columns = append(p.Columns, c, negated)
		}
		for _, c := range q.Classes {
			p.Labels = append(p.Labels, c == 1)
		}
		list, err := p.Best()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Solve(t.Context(), pointsOf(t, &q), Options{Lambda: p.Lambda, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		atMost := list.Objective + p.Lambda.Num*p.Total()
		shaped := listShaped(r.Tree)
		if r.Objective > atMost || shaped && r.Objective != atMost {
			t.Fatalf("%+v: tree %v has %d, the best list %d with a leaf more", q, r.Tree, r.Objective, atMost)
		}
		if shaped && len(r.Tree) > 1 {
			lists++
		}
	}
	if lists < 20 {
		t.Errorf("%d optimal trees are lists, want some", lists)
	}
}

// listShaped reports whether every split of a tree has a leaf on one side.
func listShaped(tree Tree) bool {
	for at, x := range tree {
		if x >= 0 && tree[at+1] >= 0 && tree[end(tree, at+1)] >= 0 {
			return false
		}
	}
	return true
}
