package search

import (
	"testing"

	"parcorels/internal/testing/oracle"
	"parcorels/internal/testing/testgen"
	"parcorels/ratio"
	"parcorels/rulelist/problem"
)

// byOne are instances whose optimum is lost by a pruning that is too lax by one
// unit of the objective, the least that two lists can differ by.
var byOne = []struct {
	pruning problem.Prunings
	in      testgen.Instance
}{
	{problem.Redundant, testgen.Instance{Family: "nearly, found by search", Seed: 736, Problem: oracle.Problem{
		Columns: testgen.Columns(
			"010000",
			"011000",
			"010011",
		),
		Labels: testgen.Bits("110100"),
		Lambda: ratio.Ratio{Num: 1, Den: 7},
	}}},
	{problem.Redundant, testgen.Instance{Family: "nearly, found by search", Seed: 713, Problem: oracle.Problem{
		Columns: testgen.Columns(
			"00100001",
			"11001001",
			"00010001",
			"11000000",
		),
		Labels: testgen.Bits("11110001"),
		Lambda: ratio.Ratio{Num: 1, Den: 9},
	}}},
}

func TestByOne(t *testing.T) {
	for _, c := range byOne {
		solves(t, c.in, best(t, c.in), Options{Workers: 1, Without: problem.AllPrunings() &^ c.pruning})
	}
}

// TestNearly holds every pruning by itself, and all but it, against exhaustive
// search where rules are worth their price, or not, by one unit.
func TestNearly(t *testing.T) {
	t.Parallel()
	all := problem.AllPrunings()
	seeds(t, 240, func(seed uint64) {
		in := testgen.Nearly(seed)
		want := best(t, in)
		for p := problem.Prunings(1); p&all != 0; p <<= 1 {
			solves(t, in, want, Options{Workers: 1, Without: all &^ p}, Options{Workers: 1, Without: p | problem.Incumbent})
		}
	})
}
