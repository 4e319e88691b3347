package search

import (
	"math"
	"math/big"
	"testing"

	"parcorels/ratio"
)

// TestSlackOfManySteps: the slack of all steps together may need more than a word.
func TestSlackOfManySteps(t *testing.T) {
	steps := make([]step, maxRules)
	for i := range steps {
		steps[i].bound = maxValue / 2
	}
	want := new(big.Int).Mul(big.NewInt(maxRules), big.NewInt(maxValue/2))
	if _, slack := bounds(steps); slack.Cmp(want) != 0 {
		t.Errorf("a slack of %v, want %v", slack, want)
	}
}

// TestUnitOfManyDigits: prices whose common unit needs more than a word are refused.
func TestUnitOfManyDigits(t *testing.T) {
	if s, err := scale(ratio.Ratio{Num: 1, Den: math.MaxInt64}, 4, 9); err == nil {
		t.Errorf("a unit of 1/%d was taken", s.unit)
	}
}
