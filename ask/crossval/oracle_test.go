package crossval

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/internal/testing/oracle"
	"parcorels/parallel"
	"parcorels/ratio"
)

// TestRunAgainstOracle goes through the folds of small tables by hand: the
// rows outside of the fold, the weight of each, all rule lists on them, and the
// predictions of the best one, sample by sample.
func TestRunAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	lengths := map[int]int{}
	for range 40 {
		tb := random(rng, 20+rng.IntN(20), 4)
		d := tb.data(t)
		o := options(ratio.New(1, 10), ratio.New(1, 50))
		o.Folds = 3
		r := must.Get(Run(context.Background(), d, o))(t)
		for l, lambda := range o.Lambdas {
			for f, fit := range r.Fits[l] {
				tb.check(t, r, f, lambda, fit)
				lengths[fit.Model.Certificate().Size]++
			}
		}
	}
	if len(lengths) < 3 {
		t.Errorf("lengths of the lists: %v, too few for a test", lengths)
	}
}

// check does a fold again.
func (tb table) check(t *testing.T, r *Report, fold int, lambda ratio.Ratio, got *Fit) {
	t.Helper()
	p, train, test := tb.training(r, fold, lambda)
	best := must.Get(p.Best())(t)
	var antecedents []int
	for _, c := range got.Model.Cases() {
		if len(c.When) > 0 {
			n := must.Get(strconv.Atoi(strings.TrimPrefix(c.When[0].Column, "x")))(t)
			antecedents = append(antecedents, n)
		}
	}
	found := got.Model.Certificate()
	value := new(big.Rat).SetFrac64(best.Objective, p.Scale())
	if new(big.Rat).SetFrac64(found.Objective.Num, found.Objective.Den).Cmp(value) != 0 || !slices.Equal(antecedents, best.Antecedents) {
		t.Fatalf("fold %d, λ = %v: list %v, objective %v; want %v, %v",
			fold, lambda, antecedents, found.Objective.Value, best.Antecedents, value)
	}
	if got.Fold != fold || got.Lambda != lambda || found.Status != parallel.Optimal {
		t.Errorf("fold %d, λ = %v, %v; want fold %d, λ = %v, optimal", got.Fold, got.Lambda, found.Status, fold, lambda)
	}
	if want := tb.count(best, train); !same(got.Train.Confusion, want) {
		t.Errorf("fold %d: train %v, want %v", fold, got.Train, want)
	}
	if want := tb.count(best, test); !same(got.Test.Confusion, want) {
		t.Errorf("fold %d: test %v, want %v", fold, got.Test, want)
	}
}

// training returns the problem of a fold, and the samples inside and outside of its training part.
func (tb table) training(r *Report, fold int, lambda ratio.Ratio) (p oracle.Problem, train, test []int) {
	for i := range tb.labels {
		if r.Folds[fold].Test(uint(i)) {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	p = oracle.Problem{Columns: make([][]bool, len(tb.features[0])), Lambda: lambda}
	for _, i := range train {
		for j, x := range tb.features[i] {
			p.Columns[j] = append(p.Columns[j], x)
		}
		p.Labels = append(p.Labels, tb.labels[i])
		p.Weights = append(p.Weights, 1)
	}
	return p, train, test
}

// count predicts sample by sample.
func (tb table) count(list oracle.List, samples []int) confusion {
	c := newConfusion(2)
	for _, i := range samples {
		predicted := list.Default
		if k := slices.IndexFunc(list.Antecedents, func(a int) bool { return tb.features[i][a] }); k >= 0 {
			predicted = list.Predict[k]
		}
		c[class(tb.labels[i])][class(predicted)]++
	}
	return c
}
