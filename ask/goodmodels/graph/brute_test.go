package graph

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// smallTable is a problem of at most 16 rows, of which all lists can be tried.
type smallTable struct {
	rows    int
	classes int
	columns []uint32 // by antecedent, the rows
	label   []int
	weight  []int64
	unit    int64 // of an error
	price   int64
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
	s.price = 1 + rng.Int64N(max(1, s.unit*total/2))
	if rng.IntN(10) == 0 {
		s.price = s.unit * (total + rng.Int64N(5))
	}
	return s
}

// problem groups the rows by hand.
func (s *smallTable) problem() *Problem {
	p := &Problem{Price: s.price, Loss: make([][]int64, s.classes)}
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

// each calls f with every plain list and its objective, by going through all of them.
func (s *smallTable) each(f func(rules []Rule, label int, objective int64, predicted predictions)) {
	var rules []Rule
	wrong := func(rows uint32, label int) (sum int64) {
		for i := range s.rows {
			if rows>>i&1 == 1 && s.label[i] != label {
				sum += s.unit * s.weight[i]
			}
		}
		return sum
	}
	var visit func(left uint32, cost int64, predicted predictions)
	visit = func(left uint32, cost int64, predicted predictions) {
		for label := range s.classes {
			if k := len(rules); k > 0 && rules[k-1].Label == label {
				continue
			}
			f(rules, label, cost+wrong(left, label), predicted.with(left, label))
		}
		for a, c := range s.columns {
			if left&c == 0 || left&^c == 0 {
				continue
			}
			for label := range s.classes {
				rules = append(rules, Rule{a, label})
				visit(left&^c, cost+s.price+wrong(left&c, label), predicted.with(left&c, label))
				rules = rules[:len(rules)-1]
			}
		}
	}
	visit(1<<s.rows-1, 0, 0)
}

func (s *smallTable) optimum() int64 {
	best := int64(none)
	s.each(func(_ []Rule, _ int, objective int64, _ predictions) { best = min(best, objective) })
	return best
}

// threshold is one with few or many lists.
func (s *smallTable) threshold(rng *rand.Rand, optimum int64) int64 {
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

// TestClassifiers compares classifiers, with the smallest list of each, with those of all lists.
func TestClassifiers(t *testing.T) {
	for seed := range uint64(some(20_000)) {
		s := newSmall(seed, 4)
		rng := rand.New(rand.NewPCG(seed, 5))
		threshold := s.threshold(rng, s.optimum())
		type class struct {
			objective int64
			rules     []Rule
		}
		smallest := map[predictions]class{}
		predict := func(rules []Rule, label int) (predicted predictions, objective int64) {
			left := uint32(1)<<s.rows - 1
			for _, r := range rules {
				predicted = predicted.with(left&s.columns[r.Antecedent], r.Label)
				left &^= s.columns[r.Antecedent]
				objective += s.price
			}
			predicted = predicted.with(left, label)
			for i, l := range s.label {
				if predicted.of(i) != l {
					objective += s.unit * s.weight[i]
				}
			}
			return predicted, objective
		}
		s.each(func(rules []Rule, label int, objective int64, predicted predictions) {
			if objective > threshold {
				return
			}
			old, ok := smallest[predicted]
			if !ok || objective < old.objective || objective == old.objective && (len(rules) < len(old.rules) ||
				len(rules) == len(old.rules) && slices.CompareFunc(rules, old.rules, func(a,
					b Rule) int {
					return a.Antecedent - b.Antecedent
				}) < 0) {
				smallest[predicted] = class{objective, slices.Clone(rules)}
			}
		})
		set, err := Build(t.Context(), s.problem(), threshold, Options{Workers: 1})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		c, ok := set.Classifiers(1 << 20)
		if !ok || c.Len() != len(smallest) {
			t.Fatalf("seed %d: %d classifiers, want %d", seed, c.Len(), len(smallest))
		}
		for i := range c.Len() {
			l := c.At(i).List()
			p, o := predict(l.Rules, l.Default)
			if want := smallest[p]; o != l.Objective || o != want.objective ||
				!slices.EqualFunc(l.Rules, want.rules, func(a, b Rule) bool { return a.Antecedent == b.Antecedent }) {
				t.Fatalf("seed %d: list %v of objective %d (%d), want %v, %d", seed, l, l.Objective, o, want.rules, want.objective)
			}
		}
	}
}

// TestEveryList asks for all lists by their places: they are different, and those that going through all finds. Their
// numbers by objective and rules are those that are counted.
func TestEveryList(t *testing.T) {
	for seed := range uint64(some(100_000)) {
		most := 4
		if seed%50 == 0 {
			most = 5
		}
		s := newSmall(seed, most)
		rng := rand.New(rand.NewPCG(seed, 4))
		threshold := s.threshold(rng, s.optimum())
		type key struct {
			objective int64
			rules     int
		}
		numbers, want := map[key]int64{}, map[string]int64{}
		s.each(func(rules []Rule, label int, objective int64, _ predictions) {
			if objective <= threshold {
				numbers[key{objective, len(rules)}]++
				want[fmt.Sprint(rules, label)] = objective
			}
		})
		set, err := Build(t.Context(), s.problem(), threshold, Options{Workers: 1})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		counts := set.Count()
		got := counts.Entries()
		if len(got) != len(numbers) {
			t.Fatalf("seed %d: %d kinds of lists, want %d", seed, len(got), len(numbers))
		}
		for _, e := range got {
			if n := numbers[key{e.Objective, e.Size}]; e.Models.Int64() != n {
				t.Fatalf("seed %d: %v lists of %d rules and objective %d, want %d", seed, e.Models, e.Size, e.Objective, n)
			}
		}
		for i := range min(len(want), 1000) {
			l := counts.At(big.NewInt(int64(i))).List()
			name := fmt.Sprint(l.Rules, l.Default)
			if objective, ok := want[name]; !ok || objective != l.Objective {
				t.Fatalf("seed %d: list %d is %v, of objective %d, want %d", seed, i, name, l.Objective, objective)
			}
			delete(want, name)
		}
	}
}

// TestLimits asks that a limit leaves the counts of a smaller threshold, and that these are right.
func TestLimits(t *testing.T) {
	smaller := 0
	for seed := range uint64(some(3_000)) {
		s := newSmall(seed, 4)
		optimum := s.optimum()
		set, err := Build(t.Context(), s.problem(), optimum+3*s.price, Options{Workers: 2, States: 1 + int(seed%5)})
		if errors.Is(err, ErrLimit) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !set.Complete {
			smaller++
		} else if set.Threshold() != optimum+3*s.price {
			t.Fatalf("seed %d: complete within %d, asked for %d", seed, set.Threshold(), optimum+3*s.price)
		}
		want := int64(0)
		s.each(func(_ []Rule, _ int, objective int64, _ predictions) {
			if objective <= set.Threshold() {
				want++
			}
		})
		if got := set.Count().Models(); got.Int64() != want {
			t.Fatalf("seed %d: %v lists within %d, want %d", seed, got, set.Threshold(), want)
		}
	}
	if smaller == 0 {
		t.Error("no limit had any effect")
	}
}
