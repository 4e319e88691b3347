// Package cases says how many random cases a test goes through: a tenth by default, all
// where the environment variable PARCORELS_ORACLE is set, to "all" or to a number or a
// range of seeds (testgen.Seeds). Begin with [Some].
package cases

import (
	"os"
	"strconv"
	"testing"
)

// Variable is the environment variable that asks for all random cases.
const Variable = "PARCORELS_ORACLE"

// All reports whether all random cases are asked for.
func All() bool { return os.Getenv(Variable) != "" }

// Some returns how many of n random cases a test goes through, at least one.
func Some(n int) int {
	if All() {
		return n
	}
	return max(1, n/10)
}

// Count is Some, or the number that the variable is set to.
func Count(n int) int {
	if k, err := strconv.Atoi(os.Getenv(Variable)); err == nil {
		return k
	}
	return Some(n)
}

// Short is Count, or a hundredth of n where tests are to be short.
func Short(n int) int {
	if testing.Short() {
		return max(1, n/100)
	}
	return Count(n)
}
