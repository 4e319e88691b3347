package dataset

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readPair reads an .out file with its labels from a folder of their own.
func readPair(t *testing.T, out, labels string, o Options) (*Dataset, error) {
	t.Helper()
	dir := t.TempDir()
	if labels != "" {
		write(t, filepath.Join(dir, "x.label"), labels)
	}
	write(t, filepath.Join(dir, "x.out"), out)
	return Read(filepath.Join(dir, "x.out"), o)
}

func TestOutLabelFiles(t *testing.T) {
	dir := t.TempDir()
	const out, labels = "{f} 1 0\n", "{l:0} 1 0\n{l:1} 0 1\n"
	path := filepath.Join(dir, "x.OUT.gz")
	write(t, path, compressed(t, out))
	_, err := Read(path, Options{})
	checkError(t, "no labels", err, "x.label.gz is there; name the file with option Labels")
	rows, err := OpenRows(path, Options{})
	if err != nil || !slices.Equal(rows.Header(), []string{"{f}"}) {
		t.Errorf("rows without labels: %v", err)
	}
	write(t, filepath.Join(dir, "x.label.gz"), compressed(t, labels))
	for _, o := range []Options{{}, {Labels: filepath.Join(dir, "x.label.gz")}} {
		if d, err := Read(path, o); err != nil || d.Classes[1] != "1" {
			t.Errorf("%+v: %v", o, err)
		}
	}
	_, err = Read(path, Options{Labels: filepath.Join(dir, "y.label")})
	checkError(t, "labels that are not there", err, "y.label: no such file")
}

func TestOutRows(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.out"), "{f} 1 0\n{g} 1 1\n")
	write(t, filepath.Join(dir, "x.label"), "{l:no} 1 0\n{l:yes} 0 1\n")
	rows, err := OpenRows(filepath.Join(dir, "x.out"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := []string{strings.Join(rows.Header(), " ")}
	for {
		cells, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Join(cells, " "))
	}
	if want := []string{"{f} {g} l", "1 1 no", "0 1 yes"}; !slices.Equal(all, want) || rows.Line() != 2 {
		t.Errorf("rows %q, want %q; the last is %d", all, want, rows.Line())
	}
}
