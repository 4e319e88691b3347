package parcorels

import (
	"context"
	"testing"

	"parcorels/model"
	"parcorels/ratio"
)

// fairProblem is a problem of two groups of equal sizes.
func fairProblem(t *testing.T, table string, o Options) (*Problem, Group) {
	t.Helper()
	d, err := Read(table, Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	g := Group{Name: "odd", Inside: make([]bool, d.N)}
	for i := range g.Inside {
		g.Inside[i] = i%2 == 1
	}
	return p, g
}

// TestFairMemory: no limit of memory keeps a search for a fair list, or for good trees, from ending.
func TestFairMemory(t *testing.T) {
	ctx, open := t.Context(), 0
	for _, memory := range []int64{1, 1 << 12, 1 << 16, 1 << 18} {
		o := Options{Lambda: "0.01", Memory: memory, Workers: 1}
		p, group := fairProblem(t, "examples/compas-like.csv", o)
		f, err := p.Fair(ctx, o, group, FairLimit{SelectionRate, ratio.New(1, 1000)})
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
		p, _ = fairProblem(t, "examples/compas-like.csv", o)
		_, _ = p.Alternatives(ctx, AlternativesOptions{Options: o}) // that memory does not suffice is an error
	}
	if open == 0 {
		t.Error("no limit had any effect")
	}
}

// TestFairInterrupted: a search that is stopped gives the best list so far with a bound.
func TestFairInterrupted(t *testing.T) {
	o := Options{Lambda: "0.05"}
	p, group := fairProblem(t, "examples/monk1.csv", o)
	limit := FairLimit{SelectionRate, ratio.New(1, 1000)}
	best, err := p.Fair(t.Context(), o, group, limit)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f, err := p.Fair(ctx, o, group, limit)
	if err != nil {
		t.Fatal(err)
	}
	want, got := best.Certificate().Objective.Value, f.Certificate().Objective.Value
	if f.Proved || f.Bound > want || got < want {
		t.Errorf("proved %v, from %v to %v; the optimum is %v", f.Proved, f.Bound, got, want)
	}
}
