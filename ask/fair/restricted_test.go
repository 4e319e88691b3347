package fair

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/family"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rules/rates"
)

// TestRestricted compares lists within an operating point whose rules decide enough rows, in the direction of a column, with all of up
// to three rules that do: none is below the bound, nor below a list that is said to be the best. The list keeps all of that.
func TestRestricted(t *testing.T) {
	t.Parallel()
	proved, cases, two, met := 0, 0, 0, 0
	for seed := range testgen.Seeds(1000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 72))
		var b strings.Builder
		b.WriteString("a,b,c,y\n")
		for range 20 + rng.IntN(30) {
			x := [3]int{rng.IntN(5), rng.IntN(2), rng.IntN(2)}
			fmt.Fprintf(&b, "%d,%c,%c,%d\n", x[0], "pq"[x[1]], "pq"[x[2]], (x[0]+3*x[1]+rng.IntN(5))/7)
		}
		data, err := family.ReadFrom(strings.NewReader(b.String()), "t.csv", family.Reading{})
		if err != nil || data.ClassCount() != 2 {
			continue
		}
		o := family.Options{MaxCard: 1, MinSupport: "0", Lambda: fmt.Sprintf("0.0%d", 2+rng.IntN(7)), Workers: 1, MinRows: 1 + rng.IntN(9)}
		if o.MinRows == 1 || rng.IntN(2) == 0 {
			o.Increasing = []string{"a"}
		}
		p, err := family.NewProblem(t.Context(), data, o)
		if err != nil {
			continue
		}
		limits := someLimits(rng)
		lambda, _ := ratio.Parse(o.Lambda)
		s := &restricted{p: p, o: o, limits: limits, lambda: lambda.Float()}
		s.extend(nil, slices.Repeat([]bool{true}, data.N), make([]int, data.N))
		f, err := Ask(t.Context(), p, Options{Options: o, Limits: limits})
		if s.any && len(limits) == 2 {
			if two++; err == nil {
				met++
			}
		}
		if err != nil {
			if s.any && len(o.Increasing) == 0 && len(limits) == 1 {
				t.Fatalf("seed %d: %v\n%s", seed, err, b.String())
			}
			continue
		}
		cases++
		var rules []int
		var labels []int
		list := f.Cases()
		for i, when := range f.Antecedents()[:len(list)-1] {
			rules, labels = append(rules, when[0]), append(labels, list[i].Class)
		}
		got, ok := s.objective(rules, labels, list[len(list)-1].Class)
		if c := f.Certificate().Objective.Value; !ok || got < c-1e-9 || got > c+1e-9 {
			t.Fatalf("seed %d: objective %v, or %v, within %v and all else: %v\n%s\n%s", seed, c, got, limits, ok, f.Text(80), b.String())
		}
		if s.any && (f.Bound > s.least+1e-9 || f.Proved && got > s.least+1e-9) {
			t.Fatalf("seed %d: %v to %v, proved %v, a list within %v has %v\n%s", seed, f.Bound, got, f.Proved, limits, s.least, b.String())
		}
		if f.Proved {
			proved++
		}
	}
	if proved < cases/10 || proved == cases {
		t.Errorf("%d of %d lists were proved", proved, cases)
	}
	if 4*met < 3*two {
		t.Errorf("%d of %d pairs of limits that can be kept are kept", met, two)
	}
}

// restricted goes through lists by definition.
type restricted struct {
	p      *family.Problem
	o      family.Options
	limits []Limit
	lambda float64
	least  float64
	any    bool
}

// extend tries all lists that begin with some rules. Left are the rows that these leave, of the others predicts has the class.
func (s *restricted) extend(rules []int, left []bool, predicts []int) {
	for class := range 2 {
		for i, l := range left {
			if l {
				predicts[i] = class
			}
		}
		if v, ok := s.value(len(rules), predicts); ok && (!s.any || v < s.least) {
			s.least, s.any = v, true
		}
	}
	if len(rules) == 3 {
		return
	}
	for a := range s.p.Set.Antecedents {
		captured, behind, decides := s.p.Set.Antecedents[a].Captured(), slices.Clone(left), slices.Clone(predicts)
		for class := range 2 {
			if !s.may(a, class, left) {
				continue
			}
			for i := range behind {
				if left[i] && captured.Test(uint(i)) {
					behind[i], decides[i] = false, class
				}
			}
			s.extend(append(slices.Clip(rules), a), behind, decides)
		}
	}
}

// may reports whether a rule decides enough of the rows that are left, in the direction of the column.
func (s *restricted) may(a, class int, left []bool) bool {
	name, n := s.p.Set.Antecedents[a].Name, 0
	for i, l := range left {
		if l && s.p.Set.Antecedents[a].Captured().Test(uint(i)) {
			n++
		}
	}
	if n < s.o.MinRows || len(s.o.Increasing) == 0 || !strings.HasPrefix(name, "a ") {
		return n >= s.o.MinRows
	}
	return class == 1 && strings.HasPrefix(name, "a >") || class == 0 && strings.HasPrefix(name, "a ≤")
}

// objective is that of a list, and whether the list keeps the limit and all its rules may be.
func (s *restricted) objective(rules, labels []int, end int) (float64, bool) {
	d := s.p.Set.Data
	left, predicts, may := slices.Repeat([]bool{true}, d.N), slices.Repeat([]int{end}, d.N), true
	for k, a := range rules {
		may = may && s.may(a, labels[k], left)
		for i := range left {
			if left[i] && s.p.Set.Antecedents[a].Captured().Test(uint(i)) {
				left[i], predicts[i] = false, labels[k]
			}
		}
	}
	v, ok := s.value(len(rules), predicts)
	return v, ok && may
}

// value is the objective of so many rules, and whether what they predict keeps the limits.
func (s *restricted) value(rules int, predicts []int) (float64, bool) {
	d := s.p.Set.Data
	var marked, right, wrong, positive int64
	for i, class := range predicts {
		marked += int64(class)
		right += int64(class & d.Class(i))
		wrong += int64(class ^ d.Class(i))
		positive += int64(d.Class(i))
	}
	return float64(wrong)/float64(d.N) + s.lambda*float64(rules), keep(s.limits, marked, right, positive, int64(d.N))
}

// someLimits are one or two on an operating point.
func someLimits(rng *rand.Rand) (limits []Limit) {
	for _, m := range rng.Perm(3)[:1+rng.IntN(2)] {
		limits = append(limits, Limit{[]rates.Measure{rates.Recall, rates.Precision, rates.Selected}[m], ratio.New(1+rng.Int64N(10), 10)})
	}
	return limits
}

// keep reports whether numbers of rows keep limits: those predicted 1, of these those of class 1, all of class 1, and all.
func keep(limits []Limit, marked, right, positive, all int64) bool {
	for _, l := range limits {
		part, whole := right, positive
		switch l.Measure {
		case rates.Precision:
			whole = marked
		case rates.Selected:
			part, whole = marked, all
		}
		over := part*l.Most.Den - l.Most.Num*whole
		if l.Measure == rates.Selected && over > 0 || l.Measure != rates.Selected && over < 0 {
			return false
		}
	}
	return true
}
