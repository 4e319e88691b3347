package graph

import (
	"math/rand/v2"
	"testing"
)

// TestQuestions compares the answers to questions with those of all lists.
func TestQuestions(t *testing.T) {
	for seed := range uint64(some(20_000)) {
		s := newSmall(seed, 4)
		rng := rand.New(rand.NewPCG(seed, 7))
		s.haunt(rng, rng.IntN(3))
		p := s.problem()
		threshold := s.threshold(rng, s.optimum())
		rows := s.rows + s.ghosts
		columnOf := func(a int) uint64 { return 1 << (a % 3) }
		group := rng.Uint32()
		value := func(i, class int) int64 { // of a row that is predicted a class
			if group>>i&1 == 1 {
				return int64(-3*class + class/2)
			}
			return int64(2 * class * class)
		}
		by, weight := func(a int) bool { return a%2 == 0 }, make([]int64, p.Points)
		predicts := make([][]int64, s.classes)
		for c := 1; c < s.classes; c++ {
			predicts[c] = make([]int64, p.Points)
			for i, k := range s.pointOf {
				predicts[c][k] += value(i, c)
			}
		}
		for i, k := range s.pointOf {
			weight[k] += int64(10 + i)
		}

		sums, decided, columns := map[int64]int64{}, map[int64]int64{}, map[uint64]int64{}
		flips := make([][]int64, s.classes)
		for q := range flips {
			flips[q] = make([]int64, rows)
			for i := range flips[q] {
				flips[q][i] = -1
			}
		}
		without := map[int64]int64{} // lists without antecedents 1 and 3, by objective
		lower := func(m map[int64]int64, k, v int64) {
			if old, ok := m[k]; !ok || v < old {
				m[k] = v
			}
		}
		s.each(func(rules []Rule, _ int, objective int64, predicted predictions) {
			if objective > threshold {
				return
			}
			x, d, used, banned := int64(0), int64(0), uint64(0), false
			left := uint32(1)<<rows - 1
			for _, r := range rules {
				used |= columnOf(r.Antecedent)
				banned = banned || r.Antecedent%2 == 1
				for i := range rows {
					if captured := left & s.columns[r.Antecedent]; captured>>i&1 == 1 && r.Antecedent%2 == 0 {
						d += int64(10 + i)
					}
				}
				left &^= s.columns[r.Antecedent]
			}
			for i := range rows {
				q := predicted.of(i)
				x += value(i, q)
				if old := flips[q][i]; old < 0 || objective < old {
					flips[q][i] = objective
				}
			}
			lower(sums, x, objective)
			lower(decided, d, objective)
			if old, ok := columns[used]; !ok || objective < old {
				columns[used] = objective
			}
			if !banned {
				without[objective]++
			}
		})
		set, err := Build(t.Context(), p, threshold, Options{Workers: 1})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, _ := set.Sums(predicts, 1<<30)
		same := func(want map[int64]int64) {
			if got.Len() != len(want) {
				t.Fatalf("seed %d: %d sums, want %d", seed, got.Len(), len(want))
			}
			for i := range got.Len() {
				if got.Objective(i) != want[got.Key(i)[0]] || got.At(i).Objective != got.Objective(i) {
					t.Fatalf("seed %d: sum %d at %d, want %d", seed, got.Key(i), got.Objective(i), want[got.Key(i)[0]])
				}
			}
		}
		same(sums)
		got, _ = set.Decided(by, weight, 1<<30)
		same(decided)
		sets, _ := set.ColumnSets(columnOf, 1<<30)
		if sets.Len() != len(columns) {
			t.Fatalf("seed %d: %d sets of columns, want %d", seed, sets.Len(), len(columns))
		}
		for i := range sets.Len() {
			if sets.Objective(i) != columns[uint64(sets.Key(i)[0])] {
				t.Fatalf("seed %d: columns %b at %d, want %d", seed, sets.Key(i), sets.Objective(i), columns[uint64(sets.Key(i)[0])])
			}
		}
		least := set.Flips()
		for q := range flips {
			for i, k := range s.pointOf {
				if least[q][k] != flips[q][i] {
					t.Fatalf("seed %d: row %d is predicted %d within %d, want %d", seed, i, q, least[q][k], flips[q][i])
				}
			}
		}
		only := set.Only(func(a int) bool { return a%2 == 0 })
		found := map[int64]int64{}
		for _, e := range only.Count().Entries() {
			found[e.Objective] += e.Models.Int64()
		}
		for objective, n := range without {
			if found[objective] != n {
				t.Fatalf("seed %d: %d lists of objective %d without two antecedents, want %d", seed, found[objective], objective, n)
			}
		}
		if len(found) != len(without) {
			t.Fatalf("seed %d: objectives without two antecedents %v, want %v", seed, found, without)
		}
	}
}
