package testgen

import (
	"slices"
	"testing"
)

func TestSeeds(t *testing.T) {
	for text, want := range map[string][]int{"": {0}, "all": {0, 1}, "3": {0, 1, 2}, "7-10": {7, 8, 9}, "x": {0, 1}, "4-4": nil} {
		t.Setenv("PARCORELS_ORACLE", text)
		if got := slices.Collect(Seeds(2)); !slices.Equal(got, want) {
			t.Errorf("%q: seeds %v, want %v", text, got, want)
		}
	}
}
