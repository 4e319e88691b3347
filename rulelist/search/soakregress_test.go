package search

import (
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// soakRegressions are failures that the soak has found, as it printed them.
var soakRegressions = []struct {
	why string
	run soakRun
	in  testgen.Instance
}{
	{
		why: "with little memory a prefix is displaced from the symmetry map while it waits to be searched below, where another " +
			"dominates it: the proof says so twice",
		run: soakRun{Legs: []soakLeg{{Workers: 1, Without: problem.Incumbent, Memory: 511549, Proof: -1}}},
		in: testgen.Instance{Family: "medium, shrunk", Seed: 1003241, Problem: oracle.Problem{
			Columns: testgen.Columns(
				"000000000000000000010000",
				"000001000000000000000000",
				"000000000000000000000010",
				"000000000000011000000000",
				"000000000000100001010000",
				"000000000000000000000000",
				"000000000000000000000100",
				"000000000010011100101011",
				"010000110011000000101001",
				"010001000001000000100000",
				"000000000001000010000000",
				"000010000000010000001000",
				"000000001000000000000000",
				"010000000000001000110000",
				"101000010001100000001010",
				"001000010001100000001010",
				"011110001011010000100101",
				"000000000000010000001000",
				"000110000000000000000000",
				"000000000100000010001000",
				"000000010000000000000000",
				"001000010000000000000101",
			),
			Labels: testgen.Bits("111111000000010000000010"),
			Lambda: ratio.Ratio{Num: 304, Den: 31501},
		}},
	},
}

func TestSoakRegressions(t *testing.T) {
	for _, c := range soakRegressions {
		w, err := knownBy(t.Context(), c.in, false)
		if err == nil {
			_, err = c.run.attempt(t.Context(), c.in, w)
		}
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}
