package dataset_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
)

// converter puts a program called parcorels-columnar on the PATH, which runs a script of the shell.
func converter(t *testing.T, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("scripts of the shell are no programs here")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "parcorels-columnar"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":/usr/bin:/bin")
}

// parquet writes a file that looks like one of Parquet.
func parquet(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.parquet")
	if err := os.WriteFile(path, []byte("PAR1 and so on"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestConverter reads the columns that a converter writes of a file.
func TestConverter(t *testing.T) {
	converter(t, `test "$1" = -- && printf '{"format":"parcorels columns","version":1,"rows":2,"columns":[{"name":"x","type":"int8"},{"name":"y","type":"bool"}]}\n\003\005\001\000'`)
	path := parquet(t)
	d, err := dataset.Read(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hash, err := dataset.HashOf(path)
	if d.N != 2 || d.Target != "y" || d.Hash != hash || err != nil {
		t.Errorf("%d samples, target %s, hash %s of %s: %v", d.N, d.Target, d.Hash, hash, err)
	}
	rows, err := dataset.OpenRows(path, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3 True", "5 False"} {
		cells, err := rows.Next()
		if got := strings.Join(cells, " "); err != nil || got != want {
			t.Errorf("%s: %v, expected %s", got, err, want)
		}
	}
	if _, err := rows.Next(); err == nil || err.Error() != "EOF" {
		t.Errorf("behind the last row: %v", err)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}

// TestConverterFails: what it says is the error, and no more than a line of it.
func TestConverterFails(t *testing.T) {
	path := parquet(t)
	for script, want := range map[string]string{
		"echo 'parcorels-columnar: column \"a\" holds lists' >&2; exit 2":       path + `: column "a" holds lists`,
		"echo 'fatal error: out of memory' >&2; echo 'goroutine 1' >&2; exit 2": path + ": fatal error: out of memory",
		"exit 3": path + ": exit status 3",
		`printf '{"format":"parcorels columns","version":1,"rows":2,"columns":[{"name":"x","type":"int8"},{"name":"y","type":"bool"}]}\n\003'; echo damaged >&2; exit 2`: path + ": column \"x\": cut short after row 0: " + path + ": damaged",
	} {
		converter(t, script)
		if _, err := dataset.Read(path, dataset.Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", script, err, want)
		}
	}
}

// TestNoConverter says which program is missing.
func TestNoConverter(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	path := parquet(t)
	if _, err := dataset.Read(path, dataset.Options{}); err == nil || !strings.Contains(err.Error(), "t.parquet: this is a file of Parquet, which the program parcorels-columnar reads: it is neither") {
		t.Error(err)
	}
}

// TestConverterIsEnded: who closes early does not wait for it.
func TestConverterIsEnded(t *testing.T) {
	converter(t, `printf x; exec sleep 1000`)
	begun := time.Now()
	f, err := dataset.Open(parquet(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil || time.Since(begun) > 500*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}
