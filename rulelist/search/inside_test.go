package search

import (
	"math/rand/v2"
	"testing"

	"parcorels/instance"
	"parcorels/internal/testing/testgen"
	"parcorels/rulelist/problem"
)

// What tests within the package share; harness_test.go has the like for those
// outside of it.

// reduced returns an instance as the solver takes it.
func reduced(t *testing.T, in testgen.Instance) *instance.Instance {
	t.Helper()
	r, err := instance.FromSet(setOf(in))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// listOf returns a result's list as the oracle has it.
func listOf(r Result) (list []int) {
	for _, rule := range r.Rules {
		list = append(list, rule.Antecedent)
	}
	return list
}

// laidOutProblem returns the problem with its columns.
func laidOutProblem(in *instance.Instance, o Options) (*problem.Problem, error) {
	p, err := problem.New(in, o.settings())
	if err == nil {
		p.Choose(func() bool { return true })
	}
	return p, err
}

// drawnList draws distinct columns.
func drawnList(p *problem.Problem, rng *rand.Rand, most int) []problem.Column {
	var list []problem.Column
	for _, col := range rng.Perm(len(p.Antecedents))[:rng.IntN(min(most, len(p.Antecedents))+1)] {
		list = append(list, problem.Column(col))
	}
	return list
}
