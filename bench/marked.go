package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The tables of a document lie between marks that name the records they are made
// from. So a table and its records cannot drift apart:
//
//	<!-- bench results/table.jsonl -->
//	…
//	<!-- /bench -->
//
// The path is relative to the document. What follows it, if anything, is the
// only part of the suite that is wanted (- is that without a name), and behind a bar the only columns:
//
//	<!-- bench results/trees.jsonl depth | data, λ, seconds -->

const (
	openMark  = "<!-- bench "
	closeMark = "<!-- /bench -->"
)

// Renew returns the text of the document with what is between its marks made
// anew. An error names the line of the mark.
func Renew(document string) (string, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	opened := 0
	number := 0
	marks := 0
	for line := range strings.Lines(string(text)) {
		number++
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == closeMark:
			if opened == 0 {
				return "", fmt.Errorf("%s:%d: %q ends nothing", document, number, closeMark)
			}
			opened = 0
			b.WriteString(line)
		case strings.HasPrefix(trimmed, openMark):
			if opened > 0 {
				return "", fmt.Errorf("%s:%d: the mark of line %d is still open", document, number, opened)
			}
			tables, err := marked(document, trimmed)
			if err != nil {
				return "", fmt.Errorf("%s:%d: %w", document, number, err)
			}
			opened = number
			marks++
			b.WriteString(line + "\n" + tables + "\n")
		case opened == 0:
			b.WriteString(line)
		}
	}
	switch {
	case opened > 0:
		return "", fmt.Errorf("%s:%d: no %q ends the mark", document, opened, closeMark)
	case marks == 0:
		return "", fmt.Errorf("%s: no mark, expected %sFILE -->", document, openMark)
	}
	return b.String(), nil
}

// marked makes the tables that a mark asks for.
func marked(document, mark string) (string, error) {
	body, ok := strings.CutSuffix(strings.TrimPrefix(mark, openMark), " -->")
	body, columns, _ := strings.Cut(body, "|")
	file, part, _ := strings.Cut(strings.TrimSpace(body), " ")
	if !ok || file == "" {
		return "", fmt.Errorf("expected %sFILE -->, on a line of its own", openMark)
	}
	records, err := ReadFile(filepath.Join(filepath.Dir(document), filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	if part = strings.TrimSpace(part); part != "" {
		kept := records[:0]
		for _, r := range records {
			if r.Part == part || r.Part == "" && part == "-" {
				kept = append(kept, r)
			}
		}
		if records = kept; len(records) == 0 {
			return "", fmt.Errorf("%s has no records of part %q", file, part)
		}
	}
	return tablesOf(records, columns)
}
