package oracle

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/ratio"
)

// column turns "0110" into a column of four samples.
func column(s string) []bool {
	c := make([]bool, len(s))
	for i := range s {
		c[i] = s[i] == '1'
	}
	return c
}

func problem(labels string, lambda ratio.Ratio, columns ...string) Problem {
	p := Problem{Labels: column(labels), Lambda: lambda}
	for _, c := range columns {
		p.Columns = append(p.Columns, column(c))
	}
	return p
}

func TestBestByHand(t *testing.T) {
	third := ratio.New(1, 3)
	tests := []struct {
		name      string
		problem   Problem
		list      []int
		predict   []bool
		otherwise bool
		errors    int64
		objective int64 // times Den·Total
	}{
		{"no sample", problem("", ratio.New(1, 10), ""), nil, nil, false, 0, 0},
		{"no antecedent", problem("110", ratio.New(1, 10)), nil, nil, true, 1, 10},
		// One rule costs λ·Total = 1 sample and the empty list errs on one:
		// equal objectives, the shorter list wins.
		{"tie goes to the shorter", problem("100", third, "100"), nil, nil, false, 1, 3},
		{"one rule pays", problem("1100", ratio.New(1, 5), "1100"), []int{0}, []bool{true}, false, 0, 4},
		// The antecedent and its complement give the same objective: the
		// smaller index wins, and its rule predicts class 0.
		{"tie goes to the smaller index", problem("1100", ratio.New(1, 5), "0011", "1100"), []int{0}, []bool{false}, true, 0, 4},
		// Samples 0 and 1 are of class 1 by the first rule; of the rest, 2 is
		// class 0 by the second and 3 and 4 class 1 by default: the second
		// antecedent holds for sample 0 too, which the first has captured.
		{"order matters", problem("11011", ratio.New(1, 100), "11000", "10100"), []int{0, 1}, []bool{true, false}, true, 0, 2 * 5},
		// Equal weights on both classes: class 0 everywhere.
		{"tie predicts class 0", problem("1010", ratio.New(1, 2), "1100"), nil, nil, false, 2, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.problem.Best()
			if err != nil {
				t.Fatal(err)
			}
			want := List{test.list, test.predict, test.otherwise, test.errors, test.objective}
			if !equal(got, want) {
				t.Errorf("Best() = %+v, want %+v", got, want)
			}
		})
	}
}

func TestBestWeighs(t *testing.T) {
	p := problem("110", ratio.New(1, 10), "110")
	p.Weights = []int64{1, 1, 3}
	// Total 5: the empty list errs by 2 (20 of 50); the rule errs nowhere and
	// costs 1/10 of 50.
	got, err := p.Best()
	if want := (List{[]int{0}, []bool{true}, false, 0, 5}); err != nil || !equal(got, want) {
		t.Errorf("Best() = %+v, %v; want %+v", got, err, want)
	}
	p.Weights = []int64{1, 1, 40}
	// Total 42: the empty list errs by 2 of 42 < 1/10, what a rule costs.
	got, err = p.Best()
	if want := (List{nil, nil, false, 2, 20}); err != nil || !equal(got, want) {
		t.Errorf("Best() = %+v, %v; want %+v", got, err, want)
	}
}

func equal(a, b List) bool {
	return slices.Equal(a.Antecedents, b.Antecedents) && slices.Equal(a.Predict, b.Predict) &&
		a.Default == b.Default && a.Errors == b.Errors && a.Objective == b.Objective
}

func TestCheckRefuses(t *testing.T) {
	good := problem("10", ratio.New(1, 10), "10")
	for name, spoil := range map[string]func(*Problem){
		"short column":    func(p *Problem) { p.Columns[0] = p.Columns[0][:1] },
		"too few weights": func(p *Problem) { p.Weights = []int64{1} },
		"zero weight":     func(p *Problem) { p.Weights = []int64{1, 0} },
		"zero lambda":     func(p *Problem) { p.Lambda = ratio.New(0, 1) },
		"no lambda":       func(p *Problem) { p.Lambda = ratio.Ratio{} },
	} {
		p := Problem{Columns: slices.Clone(good.Columns), Labels: good.Labels, Lambda: good.Lambda}
		spoil(&p)
		if _, err := p.Best(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	good.Weights = []int64{1 << 60, 1 << 60}
	if _, err := good.Best(); !errors.Is(err, ErrScale) {
		t.Errorf("huge weights: error = %v, want ErrScale", err)
	}
}

func TestEvaluateRefuses(t *testing.T) {
	p := problem("10", ratio.New(1, 10), "10", "01")
	for _, list := range [][]int{{2}, {-1}, {0, 0}, {0, 1, 0}} {
		if _, err := p.Evaluate(list); err == nil {
			t.Errorf("Evaluate(%v): no error", list)
		}
	}
}

// TestBestAgainstSecondWriting compares Best with another brute force, which
// counts to Mᴷ in base M for every length, looks for the first rule sample by
// sample, and adds rationals.
func TestBestAgainstSecondWriting(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	lengths := map[int]int{}
	for range 3000 {
		p := tiny(rng)
		got, err := p.Best()
		if err != nil {
			t.Fatal(err)
		}
		list, value := second(&p)
		scaled := new(big.Rat).SetFrac64(got.Objective, max(1, p.Scale()))
		if !slices.Equal(got.Antecedents, list) || scaled.Cmp(value) != 0 {
			t.Fatalf("%+v:\nBest() = %+v\nsecond = %v with objective %v", p, got, list, value)
		}
		lengths[len(list)]++
	}
	if len(lengths) < 4 {
		t.Errorf("lengths of the optimal lists: %v; want 0 to 3 at least", lengths)
	}
}

// tiny returns a problem of up to 4 antecedents and 7 samples.
func tiny(rng *rand.Rand) Problem {
	n := 1 + rng.IntN(7)
	p := Problem{Lambda: ratio.New(1+rng.Int64N(9), 1+rng.Int64N(60))}
	for range rng.IntN(5) {
		c := make([]bool, n)
		for i := range c {
			c[i] = rng.IntN(2) == 1
		}
		p.Columns = append(p.Columns, c)
	}
	for range n {
		p.Labels = append(p.Labels, rng.IntN(2) == 1)
	}
	if rng.IntN(2) == 1 {
		for range n {
			p.Weights = append(p.Weights, 1+rng.Int64N(4))
		}
	}
	return p
}

// second is the other brute force.
func second(p *Problem) (list []int, value *big.Rat) {
	m := len(p.Columns)
	for length, count := 0, 1; length <= m; length, count = length+1, count*m {
		for number := range count {
			digits := make([]int, length)
			for k, rest := length-1, number; k >= 0; k-- {
				digits[k], rest = rest%m, rest/m
			}
			if repeats(digits) {
				continue
			}
			if v := valueOf(p, digits); value == nil || v.Cmp(value) < 0 {
				list, value = digits, v
			}
		}
	}
	return list, value
}

func repeats(digits []int) bool {
	seen := map[int]bool{}
	for _, d := range digits {
		if seen[d] {
			return true
		}
		seen[d] = true
	}
	return false
}

// valueOf returns the objective of the list: votes are cast rule by rule, the
// default rule's under the length of the list.
func valueOf(p *Problem, list []int) *big.Rat {
	votes := map[int]*[2]int64{}
	var total int64
	for i, label := range p.Labels {
		rule := slices.IndexFunc(list, func(j int) bool { return p.Columns[j][i] })
		if votes[rule] == nil {
			votes[rule] = &[2]int64{}
		}
		w := int64(1)
		if p.Weights != nil {
			w = p.Weights[i]
		}
		class := 0
		if label {
			class = 1
		}
		votes[rule][class] += w
		total += w
	}
	value := new(big.Rat).Mul(big.NewRat(p.Lambda.Num, p.Lambda.Den), big.NewRat(int64(len(list)), 1))
	for _, v := range votes {
		value.Add(value, big.NewRat(min(v[0], v[1]), total))
	}
	return value
}
