package testgen

import (
	"os"
	"path/filepath"
	"testing"
)

// Data returns the path of a file of the papers' data, in the folder that
// PARCORELS_DATA names. Without that it skips the test.
func Data(t testing.TB, file ...string) string {
	t.Helper()
	folder := os.Getenv("PARCORELS_DATA")
	if folder == "" {
		t.Skip("PARCORELS_DATA is not set: it names the folder with the data of the papers")
	}
	return filepath.Join(append([]string{folder}, file...)...)
}
