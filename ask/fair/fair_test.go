package fair

import (
	"context"
	"strings"
	"testing"

	"parcorels/ask/goodmodels"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules/rates"
)

// fairProblem is a problem of two groups of equal sizes.
func fairProblem(t *testing.T, table string, o family.Options) (*family.Problem, rates.Group) {
	t.Helper()
	d := must.Get(family.Read(table, family.Reading{}))(t)
	p := must.Get(family.NewProblem(t.Context(), d, o))(t)
	g := rates.Group{Name: "odd", Inside: make([]bool, d.N)}
	for i := range g.Inside {
		g.Inside[i] = i%2 == 1
	}
	return p, g
}

// TestFairMemory: no limit of memory keeps a search for a fair list, or for good trees, from ending.
func TestFairMemory(t *testing.T) {
	ctx, open := t.Context(), 0
	for _, memory := range []int64{1, 1 << 12, 1 << 16, 1 << 18} {
		o := family.Options{Lambda: "0.01", Memory: memory, Workers: 1}
		p, group := fairProblem(t, "../../examples/compas-like.csv", o)
		f, err := Ask(ctx, p, Options{Options: o, Group: group, Limits: []Limit{{rates.SelectionRate, ratio.New(1, 1000)}}})
		if err != nil {
			t.Fatalf("%d bytes: %v", memory, err)
		}
		if !f.Proved {
			open++
		}
		if f.Bound > f.Certificate().Objective.Value {
			t.Errorf("%d bytes: bound %v, objective %v", memory, f.Bound, f.Certificate().Objective.Value)
		}
		o.Family, o.Depth = model.Tree, 4
		p, _ = fairProblem(t, "../../examples/compas-like.csv", o)
		_, _ = goodmodels.Ask(ctx, p, goodmodels.Options{Options: o}) // that memory does not suffice is an error
	}
	if open == 0 {
		t.Error("no limit had any effect")
	}
}

// TestFairInterrupted: a search that is stopped gives the best list so far with a bound.
func TestFairInterrupted(t *testing.T) {
	o := family.Options{Lambda: "0.05"}
	p, group := fairProblem(t, "../../examples/monk1.csv", o)
	limit := Limit{rates.SelectionRate, ratio.New(1, 1000)}
	best := must.Get(Ask(t.Context(), p, Options{Options: o, Group: group, Limits: []Limit{limit}}))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := must.Get(Ask(ctx, p, Options{Options: o, Group: group, Limits: []Limit{limit}}))(t)
	want, got := best.Certificate().Objective.Value, f.Certificate().Objective.Value
	if f.Proved || f.Bound > want || got < want {
		t.Errorf("proved %v, from %v to %v; the optimum is %v", f.Proved, f.Bound, got, want)
	}
}

// TestHeavySamples: where weights of classes have too many digits for a search, the answer is that of the graph, or its error:
// none about a λ that nobody gave.
func TestHeavySamples(t *testing.T) {
	o := family.Options{Lambda: "0.02", MaxCard: 1, Workers: 1}
	p, _ := fairProblem(t, "../../examples/monk1.csv", o)
	for _, weight := range []int64{1, 1<<36 + 11, 1 << 40} {
		set := *p.Set
		weights := make([]int64, set.Data.N)
		for i := range weights {
			weights[i] = weight + int64(i%2)*(weight>>20) // without a common divisor
		}
		data := *set.Data
		set.Data, data.Weights, data.WeightUnit = &data, weights, ratio.New(1, 1)
		heavy := must.Get(family.ProblemOf(&set, p.Reading(), o))(t)
		got, err := Ask(t.Context(), heavy, Options{Options: o, Limits: []Limit{{rates.Recall, ratio.New(9, 10)}}})
		if weight == 1 && (err != nil || !got.Proved || got.Bound > got.Certificate().Objective.Value) {
			t.Errorf("%+v, %v", got, err)
		}
		if weight > 1 && (err == nil || !strings.Contains(err.Error(), "too many digits for a limit")) {
			t.Errorf("weight %d: %v", weight, err)
		}
	}
}
