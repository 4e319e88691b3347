package dataset

import (
	"path/filepath"
	"slices"
	"testing"
)

// writePair writes an .out file with its labels into a folder of their own.
func writePair(t *testing.T, out, labels string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.out")
	if labels != "" {
		write(t, labelsBeside(path), labels)
	}
	write(t, path, out)
	return path
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
