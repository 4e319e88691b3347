package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostColumns is how long a line of Go may be, with tabs of four.
const mostColumns = 140

// sentence begins with a word that hides its subject: "Of the two the first …", "What is left is …". A method
// that is called Of begins so, too.
var sentence = regexp.MustCompile(`(?:^|[.:!?]\s+)(Of\s+([a-zA-Z]+)|What\s[^.?|]{0,70}?\bis\b)`)

// TestLines asks for short lines of Go, but for texts between backquotes, and for sentences of comments and pages that
// begin with their subject.
func TestLines(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && (entry.Name() == ".git" || entry.Name() == "testdata" || entry.Name() == "node_modules" ||
				entry.Name() == ".venv") {
				return fs.SkipDir
			}
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
		ending := filepath.Ext(name)
		if ending != ".go" && ending != ".md" || name == "docs/certificates.md" { // which has the text of the program
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		said, raw := string(text), false
		if ending == ".go" {
			var comments strings.Builder
			for number, line := range strings.Split(said, "\n") {
				quotes := strings.Count(line, "`")
				if n := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); n > mostColumns && !raw && quotes == 0 {
					t.Errorf("%s:%d: %d columns", name, number+1, n)
				}
				if raw = raw != (quotes%2 == 1); raw {
					continue
				}
				comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
				if !ok {
					comments.Reset()
					continue
				}
				comments.WriteString(strings.TrimPrefix(comment, " ") + "\n")
				if m := sentence.FindStringSubmatch(comments.String()); m != nil && m[2] != "returns" && m[2] != "reports" {
					t.Errorf("%s:%d: a sentence begins with %q", name, number+1, m[1])
					comments.Reset()
				}
			}
			return nil
		}
		if m := sentence.FindStringSubmatch(said); m != nil {
			t.Errorf("%s: a sentence begins with %q", name, m[1])
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
