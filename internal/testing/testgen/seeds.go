package testgen

import (
	"iter"
	"os"
	"strconv"
	"strings"

	"parcorels/internal/testing/cases"
)

// Seeds yields the seeds of the random instances that a test compares with exhaustive
// search: the first tenth of 0 to plain − 1, or those that PARCORELS_ORACLE names: all, a
// number of them or a range such as 20000-40000.
func Seeds(plain int) iter.Seq[int] {
	from, to := 0, cases.Some(plain)
	if text := os.Getenv(cases.Variable); text != "" {
		first, last, ranged := strings.Cut(text, "-")
		a, err := strconv.Atoi(first)
		b, err2 := a, error(nil)
		if ranged {
			b, err2 = strconv.Atoi(last)
		} else {
			a = 0
		}
		if err == nil && err2 == nil {
			from, to = a, b
		}
	}
	return func(yield func(int) bool) {
		for seed := from; seed < to && yield(seed); seed++ {
		}
	}
}
