package rashomon_test

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	goodmodels "parcorels/choice/rashomon"
	"parcorels/instance"
	"parcorels/rules"
	"parcorels/verify/rashomon"
)

// checkAnswers compares answers of the checker with those of the search, which are compared with all models
// one by one.
func checkAnswers(t *testing.T, seed uint64, a rashomon.Answers, all, some []goodmodels.Entry, allowed func(int) bool, flips [][]int64, set *rules.Set) {
	t.Helper()
	sizes := map[int]*big.Int{}
	for _, e := range all {
		if sizes[e.Rules] == nil {
			sizes[e.Rules] = new(big.Int)
		}
		sizes[e.Rules].Add(sizes[e.Rules], e.Lists)
	}
	got := a.Sizes()
	for size, n := range sizes {
		if got[size] == nil || got[size].Cmp(n) != 0 {
			t.Fatalf("seed %d: %v models of size %d, want %v", seed, got[size], size, n)
		}
	}
	if len(got) != len(sizes) {
		t.Fatalf("seed %d: sizes %v, want %v", seed, got, sizes)
	}
	want := new(big.Int)
	for _, e := range some {
		want.Add(want, e.Lists)
	}
	if n, least := a.Only(allowed).Models(); n.Cmp(want) != 0 || len(some) > 0 && least != some[0].Objective {
		t.Fatalf("seed %d: %v models without an antecedent from %d on, want %v, %v", seed, n, least, want, some)
	}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	ambiguous := int64(0)
	for p := range points.Count {
		classes := 0
		for c := range flips {
			if flips[c][p] >= 0 {
				classes++
			}
		}
		if classes > 1 {
			for _, of := range points.Weights {
				ambiguous += of[p]
			}
		}
	}
	if n := a.Ambiguous(); n != ambiguous {
		t.Fatalf("seed %d: a weight of %d is ambiguous, want %d", seed, n, ambiguous)
	}
}

// listSums and treeSums are sums of the search as a map.
func listSums(t *goodmodels.Table, _ bool) map[int64]int64 {
	values := map[int64]int64{}
	for i := range t.Len() {
		values[t.Key(i)[0]] = t.Objective(i)
	}
	return values
}

func treeSums(t *goodmodels.TreeTable, _ bool) map[int64]int64 {
	values := map[int64]int64{}
	for i := range t.Len() {
		values[t.Key(i)] = t.Objective(i)
	}
	return values
}

// question is a sum with further rows, by sample and by point.
type question struct {
	rows      rashomon.Rows
	sum       rashomon.Sum
	columns   [][]uint64 // of points and rows
	points    int
	predicted [][]int64
	decided   []int64
}

// randomQuestion draws further rows, and what samples and rows add to a sum.
func randomQuestion(r *rand.Rand, set *rules.Set, points *instance.Points) *question {
	d := set.Data
	q := &question{points: points.Count}
	q.rows.Count = 1 + r.IntN(3)
	n := points.Count + q.rows.Count
	q.decided = make([]int64, n)
	q.sum.Decided = make([]int64, d.N)
	for k := range points.Columns {
		column := make([]uint64, (n+63)/64)
		copy(column, points.Columns[k])
		holds := r.Uint64N(1 << q.rows.Count)
		for i := range q.rows.Count {
			column[(points.Count+i)/64] |= holds >> i & 1 << ((points.Count + i) % 64)
		}
		q.columns, q.rows.Holds = append(q.columns, column), append(q.rows.Holds, []uint64{holds})
	}
	avoid := r.IntN(3)
	q.sum.Marked = func(antecedent int) bool { return antecedent%3 == avoid }
	for range points.Weights {
		q.sum.Predicted, q.sum.Further = append(q.sum.Predicted, make([]int64, d.N)), append(q.sum.Further, make([]int64, q.rows.Count))
		q.predicted = append(q.predicted, make([]int64, n))
	}
	known := map[string]int{}
	for i := range d.N {
		row := make([]byte, len(set.Antecedents))
		for k, a := range set.Antecedents {
			if a.Captured().Test(uint(i)) {
				row[k] = 1
			}
		}
		if _, ok := known[string(row)]; !ok {
			known[string(row)] = len(known) // points come in the order of their first samples
		}
		p := known[string(row)]
		for c := range q.predicted {
			x := r.Int64N(9) - 4
			q.sum.Predicted[c][i] = x
			q.predicted[c][p] += x
		}
		x := r.Int64N(5)
		q.sum.Decided[i] = x
		q.decided[p] += x
	}
	for c := range q.predicted {
		for i := range q.rows.Count {
			x := r.Int64N(9) - 4
			q.sum.Further[c][i], q.predicted[c][points.Count+i] = x, x
		}
	}
	return q
}

// check compares sums and the least objectives of rows.
func (q *question) check(t *testing.T, seed uint64, a rashomon.Answers, sums, decided map[int64]int64, flips [][]int64) {
	t.Helper()
	predicted := rashomon.Sum{Predicted: q.sum.Predicted, Further: q.sum.Further}
	if got, ok := a.Sums(q.rows, predicted); !ok || !maps.Equal(got, sums) {
		t.Fatalf("seed %d: sums %v, want %v", seed, got, sums)
	}
	if got, ok := a.Sums(rashomon.Rows{}, rashomon.Sum{Decided: q.sum.Decided, Marked: q.sum.Marked}); !ok || !maps.Equal(got, decided) {
		t.Fatalf("seed %d: decided %v, want %v", seed, got, decided)
	}
	least, ok := a.Least(q.rows)
	for c := range flips {
		if !ok || !slices.Equal(least[c], flips[c][q.points:]) {
			t.Fatalf("seed %d: rows are predicted %d within %v, want %v", seed, c, least[c], flips[c][q.points:])
		}
	}
}

// haunt returns a problem's losses with those of further rows, which are 0.
func (q *question) haunt(loss []int64) []int64 {
	return append(slices.Clone(loss), make([]int64, q.rows.Count)...)
}

// TestListQuestions compares answers about lists with those of the search.
func TestListQuestions(t *testing.T) {
	forms := 0
	for seed := range uint64(some(2_000)) {
		r := rand.New(rand.NewPCG(seed, 40))
		x := newRandomLists(t, seed, r)
		set, p, s, got := x.set, x.p, x.lists, x.got
		best, ok := s.Smallest()
		want := []rashomon.Rule{}
		for _, x := range best.Rules {
			want = append(want, rashomon.Rule{Antecedent: x.Antecedent, Label: x.Label})
		}
		if !ok || !slices.Equal(got.Rules, want) || got.Default != best.Default {
			t.Fatalf("seed %d: the optimum is %v, want %v", seed, got.Rules, best)
		}
		points, err := instance.PointsFromSet(set)
		if err != nil {
			t.Fatal(err)
		}
		q := randomQuestion(r, set, points)
		haunted := *p
		haunted.Loss = slices.Clone(p.Loss)
		haunted.Columns, haunted.Ghosts, haunted.Points = q.columns, q.rows.Count, p.Points+q.rows.Count
		for c := range p.Loss {
			haunted.Loss[c] = q.haunt(p.Loss[c])
		}
		h, err := goodmodels.Build(t.Context(), &haunted, x.threshold, goodmodels.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		avoid := r.IntN(max(1, len(set.Antecedents)))
		allowed := func(antecedent int) bool { return antecedent != avoid }
		for _, x := range []struct {
			a    rashomon.Answers
			s, h *goodmodels.Set
		}{{got.Answers, s, h}, {got.Answers.Only(allowed), s.Only(allowed), h.Only(allowed)}} {
			decided := listSums(x.s.Sums(goodmodels.Sum{Decided: q.decided[:points.Count], By: q.sum.Marked}, 1<<20))
			flips := x.h.Flips()
			q.check(t, seed, x.a, listSums(x.h.Sums(goodmodels.Sum{Predicted: q.predicted}, 1<<20)), decided, flips)
			classifiers, _ := x.s.Classifiers(1 << 20)
			if n, ok := rashomon.Classifiers(x.a, set); !ok || n != classifiers.Len() {
				t.Fatalf("seed %d: %d classifiers, want %d", seed, n, classifiers.Len())
			}
			if n := x.s.Count().Lists().Int64(); n > 5_000 {
				continue
			}
			want := x.s.Forms()
			if f, ok := rashomon.CountForms(x.a); !ok || f != (rashomon.Forms{Irreducible: want.Irreducible, Paying: want.Paying, Blocks: want.Blocks}) {
				t.Fatalf("seed %d: forms %v, want %v", seed, f, want)
			}
			forms++
		}
	}
	if forms == 0 {
		t.Error("no forms were compared")
	}
}

// TestTreesQuestions compares answers about trees with those of the search.
func TestTreesQuestions(t *testing.T) {
	for seed := range uint64(some(1_000)) {
		g := randomTrees(t, seed, 4)
		got, proof, err := g.check(t, g.proof)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		best, ok := g.trees.Smallest()
		if !ok || !slices.Equal(got.Tree, best.Preorder) {
			t.Fatalf("seed %d: the optimum is %v, want %v", seed, got.Tree, best.Preorder)
		}
		points, err := instance.PointsFromSet(g.set)
		if err != nil {
			t.Fatal(err)
		}
		q := randomQuestion(rand.New(rand.NewPCG(seed, 41)), g.set, points)
		p := g.problem(t, got.Depth)
		p.Columns, p.Ghosts, p.Points = q.columns, q.rows.Count, p.Points+q.rows.Count
		for c := range p.Loss {
			p.Loss[c] = q.haunt(p.Loss[c])
		}
		h, err := goodmodels.BuildTrees(t.Context(), p, got.Threshold, goodmodels.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v, of %v", seed, err, proof.About())
		}
		avoid := int(seed) % max(1, len(g.set.Antecedents))
		allowed := func(antecedent int) bool { return antecedent != avoid }
		for _, x := range []struct {
			a        rashomon.Answers
			trees, h *goodmodels.Trees
		}{{got.Answers, g.trees, h}, {got.Answers.Only(allowed), g.trees.Only(allowed), h.Only(allowed)}} {
			decided := treeSums(x.trees.Decided(q.sum.Marked, q.decided[:points.Count], 1<<20))
			q.check(t, seed, x.a, treeSums(x.h.Sums(q.predicted, 1<<20)), decided, x.h.Flips())
		}
	}
}
