package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestPlots: the figures that are committed are those of the records.
func TestPlots(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("floating point differs in the last place")
	}
	folder := t.TempDir()
	var names []string
	files, err := filepath.Glob("../results/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records: %v", err)
	}
	for _, file := range files {
		drawn, err := drawAll(folder, []string{file})
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
