package bench

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of the documents anew")

// TestDocuments: the tables of the documents are those of the records that are
// committed beside them. "go test ./bench -run Documents -update" renews them.
func TestDocuments(t *testing.T) {
	documents, err := filepath.Glob("../docs/benchmarks/*.md")
	if err != nil || len(documents) < 5 {
		t.Fatalf("%d pages, error %v", len(documents), err)
	}
	for _, document := range append(documents, "../BENCHMARKS.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), openMark) {
			continue // a record of a date
		}
		want, err := Renew(document)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if string(text) != want {
			t.Errorf("%s is not what its records say; -update renews it", document)
		}
		for _, m := range regexp.MustCompile(`\]\(([^):]*)\)`).FindAllStringSubmatch(want, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), m[1])); err != nil {
				t.Errorf("%s shows a file that is not there: %v", document, err)
			}
		}
	}
}

// TestRecordsAgree: no two committed runs certified different optima.
func TestRecordsAgree(t *testing.T) {
	records, err := ReadFiles(committed(t)...)
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
