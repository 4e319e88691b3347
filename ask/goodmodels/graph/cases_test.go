package graph

import (
	"testing"

	"parcorels/internal/testing/cases"
)

// some is cases.Count, or a hundredth of the cases where tests are to be short.
func some(n int) int {
	if testing.Short() {
		return max(1, n/100)
	}
	return cases.Count(n)
}
