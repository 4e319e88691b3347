package bench

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestDocument: the tables of BENCHMARKS.md are those of the records that are
// committed beside it. "parcorels-bench report --write BENCHMARKS.md" renews
// them.
func TestDocument(t *testing.T) {
	const document = "../BENCHMARKS.md"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Renew(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Errorf("%s is not what its records say", document)
	}
	for _, m := range regexp.MustCompile(`\]\((docs/plots/[^)]*)\)`).FindAllSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("..", string(m[1]))); err != nil {
			t.Errorf("%s shows a plot that is not there: %v", document, err)
		}
	}
}

// TestRecordsAgree: no two committed runs certified different optima.
func TestRecordsAgree(t *testing.T) {
	records, err := ReadFiles(committed(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(records); err != nil {
		t.Error(err)
	}
}

// committed returns the committed files of records.
func committed(t *testing.T) []string {
	files, err := filepath.Glob("results/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records: %v", err)
	}
	return files
}
