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
