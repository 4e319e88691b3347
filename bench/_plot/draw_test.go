package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parcorels/bench"
)

// committed returns the committed files of records.
func committed(t *testing.T) []string {
	files, err := filepath.Glob("../results/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records: %v", err)
	}
	return files
}

// TestPlots: the figures that are committed are those of the records.
func TestPlots(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("floating point differs in the last place")
	}
	folder := t.TempDir()
	var names []string
	for _, file := range committed(t) {
		records, err := bench.ReadFiles(file)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := drawAll(records, folder, "svg")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range drawn {
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.Base(path))
			shown := filepath.Join("../../docs/plots", filepath.Base(path))
			if got, err := os.ReadFile(shown); err != nil || string(got) != string(want) {
				t.Errorf("%s is not what %s says: error %v", shown, file, err)
			}
		}
	}
	shown, err := filepath.Glob("../../docs/plots/*.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range shown {
		if !slices.Contains(names, filepath.Base(path)) {
			t.Errorf("no records give %s", path)
		}
	}
}

// TestFormats: all records give figures of each format, and no other.
func TestFormats(t *testing.T) {
	records, err := bench.ReadFiles(committed(t)...)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "new")
	files, err := drawAll(records, folder, "png")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil || !strings.HasPrefix(string(text), "\x89PNG") {
			t.Errorf("%s: error %v, begins %.20q", f, err, text)
		}
	}
	if _, err := drawAll(records, folder, "crayon"); err == nil {
		t.Error("drew in an unknown format")
	}
}
