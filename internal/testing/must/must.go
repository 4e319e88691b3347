// Package must has what a test cannot do without: an error ends the test. Begin with [Get].
package must

import "testing"

// Get returns a value, or ends the test with the error that is there instead: must.Get(f())(t).
func Get[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Do ends the test with an error, if there is one.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
