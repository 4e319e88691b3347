package parallel

import (
	"testing"

	"parcorels/instance"
	"parcorels/internal/testgen"
)

// What tests within the package share; harness_test.go has the like for those
// outside of it.

// reduced returns an instance as the solver takes it.
func reduced(t *testing.T, in testgen.Instance) *instance.Instance {
	t.Helper()
	columns, labels := in.Bitsets()
	r, err := instance.New(columns, labels, in.Weights, len(in.Labels))
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
