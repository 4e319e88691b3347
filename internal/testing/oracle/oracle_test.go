package oracle

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/internal/testing/must"
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

// TestTwoWritings compares what tries all lists with what takes the best list of each set of samples.
func TestTwoWritings(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	lengths := map[int]int{}
	for range 3000 {
		p := tiny(rng)
		got := must.Get(p.Best())(t)
		classes := TreeProblem{Columns: p.Columns, K: 2, Weights: p.Weights, Num: p.Lambda.Num, Den: p.Lambda.Den, Depth: -1}
		for _, one := range p.Labels {
			classes.Classes = append(classes.Classes, map[bool]int{true: 1}[one])
		}
		if l := classes.BestList(); !slices.Equal(got.Antecedents, l.Antecedents) || got.Objective != l.Objective {
			t.Fatalf("%+v:\nBest() = %+v\nBestList() = %+v", p, got, l)
		}
		lengths[len(got.Antecedents)]++
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
