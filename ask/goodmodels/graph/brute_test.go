package graph

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/cases"
)

// smallTable is a problem of at most 16 rows, of which all models can be tried.
type smallTable struct {
	rows    int
	classes int
	columns []uint32 // by antecedent, the rows
	label   []int
	weight  []int64
	unit    int64 // of an error
	price   int64
	trees   bool  // lists are trees whose first side ends
	depth   int   // most splits on a path
	pointOf []int // of each row, after problem
}

// newSmall makes a problem of two to four classes that has ties, useless and repeated antecedents, weights, and
// rows of several classes that weigh the same.
func newSmall(seed uint64, most int) *smallTable {
	rng := rand.New(rand.NewPCG(seed, 3))
	s := &smallTable{rows: 1 + rng.IntN(9), classes: 2 + max(0, int(seed%4)-1), unit: 1 + rng.Int64N(3)}
	if s.classes > 2 {
		most = min(most, 3+int(seed%3)/2)
	}
	for range s.rows {
		s.label = append(s.label, rng.IntN(s.classes))
		w := int64(1)
		if seed%3 == 0 {
			w = 1 + rng.Int64N(4)
		}
		s.weight = append(s.weight, w)
	}
	if seed%7 == 0 { // classes weigh differently
		for i, l := range s.label {
			s.weight[i] *= int64(1 + 2*l)
		}
	}
	full := uint32(1)<<s.rows - 1
	for range rng.IntN(most + 1) {
		c := rng.Uint32() & full
		if k := len(s.columns); k > 0 {
			switch rng.IntN(8) {
			case 0:
				c = s.columns[rng.IntN(k)]
			case 1:
				c = full &^ s.columns[rng.IntN(k)]
			case 2:
				c &= s.columns[rng.IntN(k)]
			case 3:
				c |= s.columns[rng.IntN(k)]
			}
		}
		s.columns = append(s.columns, c)
	}
	if rng.IntN(2) == 0 { // rows that the antecedents do not tell apart
		i, j := rng.IntN(s.rows), rng.IntN(s.rows)
		for a, c := range s.columns {
			s.columns[a] = c&^(1<<j) | c>>i&1<<j
		}
	}
	total := int64(0)
	for _, w := range s.weight {
		total += w
	}
	s.depth = most
	s.price = 1 + rng.Int64N(max(1, s.unit*total/2))
	if rng.IntN(10) == 0 {
		s.price = s.unit * (total + rng.Int64N(5))
	}
	return s
}

// problem groups the rows by hand.
func (s *smallTable) problem() *Problem {
	p := &Problem{Price: s.price, Loss: make([][]int64, s.classes), Trees: s.trees}
	if s.trees {
		p.Depth = s.depth
	}
	known := map[uint32]int{}
	pattern := func(row int) (key uint32) {
		for a, c := range s.columns {
			key |= c >> row & 1 << a
		}
		return key
	}
	var keys []uint32
	s.pointOf = nil
	for i := range s.rows {
		k, ok := known[pattern(i)]
		if !ok {
			k = len(keys)
			known[pattern(i)] = k
			keys = append(keys, pattern(i))
			for c := range p.Loss {
				p.Loss[c] = append(p.Loss[c], 0)
			}
		}
		s.pointOf = append(s.pointOf, k)
		for c := range p.Loss {
			if c != s.label[i] {
				p.Loss[c][k] += s.unit * s.weight[i]
			}
		}
	}
	p.Points = len(keys)
	for a := range s.columns {
		column := make([]uint64, (p.Points+63)/64)
		for k, key := range keys {
			column[k/64] |= uint64(key>>a&1) << (k % 64)
		}
		p.Columns = append(p.Columns, column)
	}
	return p
}

// predictions has two bits a row: the class that it is predicted.
type predictions uint32

func (p predictions) of(row int) int { return int(p >> (2 * row) & 3) }

// with predicts a label for rows.
func (p predictions) with(rows uint32, label int) predictions {
	for ; rows != 0; rows &= rows - 1 {
		p |= predictions(label) << (2 * bits.TrailingZeros32(rows))
	}
	return p
}

// bruteModel is a model that was found by trying all.
type bruteModel struct {
	Model
	size      int
	end       int // the class of one that is an end; −1 of others
	predicted predictions
}

// text names a model.
func text(m Model) string { return fmt.Sprint(m.Preorder) }

// smaller reports whether a comes before b.
func smaller(a, b bruteModel) bool {
	if d := cmp.Or(cmp.Compare(a.Objective, b.Objective), a.size-b.size); d != 0 {
		return d < 0
	}
	return slices.CompareFunc(a.Preorder, b.Preorder, func(x, y int) int { return max(x, -1) - max(y, -1) }) < 0
}

// ends returns the models that predict one class for some rows, of this price and size.
func (s *smallTable) ends(rows uint32, price int64, size int) (all []bruteModel) {
	for class := range s.classes {
		m := bruteModel{Model{[]int{-1 - class}, price}, size, class, predictions(0).with(rows, class)}
		for i, label := range s.label {
			if rows>>i&1 == 1 && label != class {
				m.Objective += s.unit * s.weight[i]
			}
		}
		all = append(all, m)
	}
	return all
}

// below returns the models of some rows of which none costs more than most.
func (s *smallTable) below(rows uint32, depth int, most int64) (all []bruteModel) {
	all = s.ends(rows, 0, 0)
	if s.trees {
		all = s.ends(rows, s.price, 1)
	}
	all = slices.DeleteFunc(all, func(m bruteModel) bool { return m.Objective > most })
	for k, c := range s.columns {
		if depth == 0 || rows&c == 0 || rows&^c == 0 || s.price > most {
			continue
		}
		with, without := s.ends(rows&c, s.price, 1), s.below(rows&^c, depth-1, most-s.price)
		if s.trees {
			with = s.below(rows&c, depth-1, most-s.price)
		}
		for _, a := range with {
			for _, b := range without {
				if cost := a.Objective + b.Objective; cost <= most && (a.end < 0 || a.end != b.end) {
					all = append(all, bruteModel{Model{slices.Concat([]int{k}, a.Preorder, b.Preorder), cost}, a.size + b.size, -1,
						a.predicted | b.predicted})
				}
			}
		}
	}
	return all
}

func (s *smallTable) models(most int64) []bruteModel { return s.below(1<<s.rows-1, s.depth, most) }

func (s *smallTable) optimum() int64 {
	best := int64(none)
	for _, m := range s.below(1<<s.rows-1, 0, none) { // those without rules
		best = min(best, m.Objective)
	}
	for _, m := range s.models(best) {
		best = min(best, m.Objective)
	}
	return best
}

// threshold is the optimum, or a little more.
func (s *smallTable) threshold(rng *rand.Rand) int64 {
	optimum := s.optimum()
	switch rng.IntN(4) {
	case 0:
		return optimum
	case 1:
		return optimum + s.price - 1
	case 2:
		return optimum + rng.Int64N(3*s.price+2)
	}
	return optimum + rng.Int64N(s.price+s.unit)
}

// eachSmall calls f with problems of lists and of trees.
func eachSmall(n int, f func(seed uint64, s *smallTable, rng *rand.Rand)) {
	for seed := range uint64(cases.Short(n)) {
		s, rng := newSmall(seed/2, 4+int(seed%100/98)), rand.New(rand.NewPCG(seed, 4))
		if s.trees = seed%2 == 1; s.trees {
			s.depth = 1 + rng.IntN(3)
		}
		f(seed, s, rng)
	}
}

// TestEveryModel compares counts, models by their places, and the smallest model of each classifier with all that there are.
func TestEveryModel(t *testing.T) {
	type key struct {
		objective int64
		size      int
	}
	eachSmall(60_000, func(seed uint64, s *smallTable, rng *rand.Rand) {
		threshold := s.threshold(rng)
		numbers, want, smallest := map[key]int64{}, map[string]bruteModel{}, map[predictions]bruteModel{}
		for _, m := range s.models(threshold) {
			numbers[key{m.Objective, m.size}]++
			want[text(m.Model)] = m
			if old, ok := smallest[m.predicted]; !ok || smaller(m, old) {
				smallest[m.predicted] = m
			}
		}
		set, err := Build(t.Context(), s.problem(), threshold, Options{Workers: 1})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		c, ok := set.Classifiers(1 << 20)
		if !ok || c.Len() != len(smallest) {
			t.Fatalf("seed %d: %d classifiers, want %d", seed, c.Len(), len(smallest))
		}
		for i := range c.Len() {
			m := want[text(c.At(i))]
			if least := smallest[m.predicted]; m.Preorder == nil || smaller(least, m) || c.At(i).Objective != m.Objective {
				t.Fatalf("seed %d: model %v, want %v", seed, c.At(i), least)
			}
		}
		counts := set.Count()
		got := counts.Entries()
		if len(got) != len(numbers) {
			t.Fatalf("seed %d: %d kinds of models, want %d", seed, len(got), len(numbers))
		}
		for _, e := range got {
			if n := numbers[key{e.Objective, e.Size}]; e.Models.Int64() != n {
				t.Fatalf("seed %d: %v models of size %d and objective %d, want %d", seed, e.Models, e.Size, e.Objective, n)
			}
		}
		for i := range min(len(want), 1000) {
			m := counts.At(big.NewInt(int64(i)))
			if w, ok := want[text(m)]; !ok || w.Objective != m.Objective {
				t.Fatalf("seed %d: model %d is %v, of objective %d, want %d", seed, i, m.Preorder, m.Objective, w.Objective)
			}
			delete(want, text(m))
		}
	})
}

// TestLimits asks that a limit leaves the counts of a smaller threshold, and that these are right.
func TestLimits(t *testing.T) {
	smaller := map[string]int{}
	eachSmall(6_000, func(seed uint64, s *smallTable, _ *rand.Rand) {
		asked := s.optimum() + 3*s.price
		for name, o := range map[string]Options{"states": {States: 1 + int(seed%9)}, "memory": {Memory: 1 << (9 + seed%4)}} {
			o.Workers = 1 + int(seed%2)
			set, err := Build(t.Context(), s.problem(), asked, o)
			if errors.Is(err, ErrLimit) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !set.Complete {
				smaller[fmt.Sprint(name, " of trees ", s.trees)]++
			} else if set.Threshold() != asked {
				t.Fatalf("seed %d: complete within %d, asked for %d", seed, set.Threshold(), asked)
			}
			if got, want := set.Count().Models(), len(s.models(set.Threshold())); got.Int64() != int64(want) {
				t.Fatalf("seed %d: %v models within %d, want %d", seed, got, set.Threshold(), want)
			}
		}
	})
	if len(smaller) < 4 {
		t.Errorf("a limit had no effect: %v", smaller)
	}
}
