package dataset

import (
	"os"
	"path/filepath"
	"testing"

	"parcorels/internal/testing/must"
)

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	damaged := filepath.Join(dir, "t.parquet")
	write(t, damaged, "PAR1\x00")
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.csv"), "none.csv: no such file or directory"},
		{dir, "is a directory"},
		{damaged, "t.parquet: this file of Parquet is damaged: it ends too early"},
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
