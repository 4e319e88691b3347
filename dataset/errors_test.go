package dataset

import (
	"os"
	"path/filepath"
	"testing"

	"parcorels/internal/testing/must"
)

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	columns := filepath.Join(dir, "t.parquet")
	write(t, columns, "PAR1\x00")
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.csv"), "none.csv: no such file or directory"},
		{dir, "is a directory"},
		{columns, "t.parquet: this program does not read Parquet: save the table as CSV, or import the package parcorels/table/parquet"},
		{"../serve/testdata/tables/neu.xlsx", "neu.xlsx: this program does not read Excel: save the table as CSV, or import"},
	} {
		_, err := Read(c.path, Options{})
		checkError(t, "Read", err, c.want)
		_, err = OpenRows(c.path, Options{})
		checkError(t, "OpenRows", err, c.want)
	}
	if os.Getuid() == 0 {
		return // who may read everything
	}
	path := filepath.Join(dir, "secret.csv")
	write(t, path, "a,b\n")
	must.Do(t, os.Chmod(path, 0))
	_, err := Read(path, Options{})
	checkError(t, "Read", err, "secret.csv: permission denied")
}
