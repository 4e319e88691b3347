package testgen

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
	"parcorels/rules"
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

// Published returns the antecedents of a file of the papers' data: those that it gives, or those that mining finds. Without the data
// it skips the test, as Data does.
func Published(t testing.TB, o rules.Options, file ...string) *rules.Set {
	t.Helper()
	d := must.Get(dataset.Read(Data(t, file...), dataset.Options{}))(t)
	mine := rules.Mine
	if d.Format == "out" {
		mine = func(context.Context, *dataset.Dataset, rules.Options) (*rules.Set, error) { return rules.Given(d) }
	}
	set := must.Get(mine(t.Context(), d, o))(t)
	return set
}

// DataText returns the text of a gzip file of the papers' data. Without the data it skips the test, as Data does.
func DataText(t testing.TB, file ...string) string {
	t.Helper()
	f := must.Get(os.Open(Data(t, file...)))(t)
	defer f.Close()
	z := must.Get(gzip.NewReader(f))(t)
	text := must.Get(io.ReadAll(z))(t)
	return string(text)
}
