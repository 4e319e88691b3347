package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestPackagesSayWhereToBegin asks that every package has one text, of which some
// sentence tells a newcomer where to begin.
func TestPackagesSayWhereToBegin(t *testing.T) {
	texts := map[string]string{}
	sources(t, parser.ParseComments|parser.PackageClauseOnly, func(pkg, path string, _ *token.FileSet, f *ast.File) {
		text := f.Doc.Text()
		if text != "" && texts[pkg] != "" {
			t.Errorf("%s: package %s has another text elsewhere", path, pkg)
		}
		texts[pkg] += text
	})
	for pkg, text := range texts {
		first, _, _ := strings.Cut(text, "\n# ")
		words := strings.Join(strings.Fields(first), " ")
		if !strings.Contains(words, "egin with ") && !strings.Contains(words, "egin there") && !strings.Contains(words, "where to begin") {
			t.Errorf("package %s does not say where to begin, before its first heading: %q", pkg, words)
		}
	}
	if len(texts) < 40 {
		t.Errorf("%d packages were looked at", len(texts))
	}
}
