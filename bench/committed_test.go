package bench

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
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
		text := must.Get(os.ReadFile(document))(t)
		if !strings.Contains(string(text), openMark) {
			continue // a record of a date
		}
		want := must.Get(renew(document))(t)
		if *update {
			must.Do(t, os.WriteFile(document, []byte(want), 0o644))
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
	records := must.Get(ReadFiles(committed(t)...))(t)
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

// The tables of a document lie between marks that name the records they are made
// from. So a table and its records cannot drift apart:
//
//	<!-- bench results/table.jsonl -->
//	…
//	<!-- /bench -->
//
// The path is relative to the document. The text behind it, if any, is the
// only part of the suite that is wanted (- is that without a name), and behind a bar the only columns:
//
//	<!-- bench results/trees.jsonl depth | data, λ, seconds -->

const (
	openMark  = "<!-- bench "
	closeMark = "<!-- /bench -->"
)

var marked = regexp.MustCompile(`(?ms)^` + openMark + `(\S+)([^|\n]*?)(?: \| ([^\n]*))? -->\n.*?^` + closeMark + `$`)

// renew returns the text of the document with what is between its marks made
// anew.
func renew(document string) (string, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return "", err
	}
	tables := marked.FindAllString(string(text), -1)
	if n := len(tables); n == 0 || n != strings.Count(string(text), openMark) || n != strings.Count(string(text), closeMark) {
		return "", fmt.Errorf("%s: marks that are no pairs, expected lines %sFILE --> and %s", document, openMark, closeMark)
	}
	var failed error
	renewed := marked.ReplaceAllStringFunc(string(text), func(old string) string {
		mark, _, _ := strings.Cut(old, "\n")
		words := marked.FindStringSubmatch(old)
		file := filepath.Join(filepath.Dir(document), filepath.FromSlash(words[1]))
		text, err := tablesOfPart(file, strings.TrimSpace(words[2]), words[3])
		if err != nil {
			failed = cmp.Or(failed, fmt.Errorf("%s: %s: %w", document, mark, err))
		}
		return mark + "\n\n" + text + "\n" + closeMark
	})
	return renewed, failed
}

// tablesOfPart makes the tables that a mark asks for.
func tablesOfPart(file, part, columns string) (string, error) {
	records, err := ReadFiles(file)
	if err != nil {
		return "", err
	}
	if part != "" {
		records = slices.DeleteFunc(records, func(r Record) bool { return cmp.Or(r.Part, "-") != part })
	}
	if len(records) == 0 {
		return "", fmt.Errorf("no records of part %q", part)
	}
	var texts []string
	for _, part := range parts(records) {
		t, err := render(part).only(columns)
		if err != nil {
			return "", err
		}
		texts = append(texts, caption(part)+t.String())
	}
	return strings.Join(texts, "\n"), nil
}

// only returns the columns that are named with commas between them, in that order; "" is all.
func (t *table) only(columns string) (*table, error) {
	if columns == "" {
		return t, nil
	}
	kept := &table{rows: make([][]string, len(t.rows))}
	for name := range strings.SplitSeq(columns, ",") {
		name = strings.TrimSpace(name)
		i := slices.Index(t.head, name)
		if i < 0 {
			return nil, fmt.Errorf("no column %q among %s", name, strings.Join(t.head, ", "))
		}
		kept.head = append(kept.head, name)
		for r, row := range t.rows {
			kept.rows[r] = append(kept.rows[r], row[i])
		}
	}
	return kept, nil
}
