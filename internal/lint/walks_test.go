package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

// walks are what CONTRIBUTING.md says how to add, with an example that is there: what stands for NAME in a path, and
// identifiers by which it is known. They are in no other file.
var walks = []struct {
	title, example string
	most           int
	known          []string
}{
	{"How to add a pruning", "redundant", 6, []string{"newRedundancy"}},
	{"How to add a language to export to", "sql", 4, []string{"writeSQL"}},
	{"How to add a family", "bayes", 4, []string{"bayesianLists"}},
	{"How to add a cost", "balanced", 2, []string{"balancedFactors"}},
}

var (
	numbered = regexp.MustCompile("(?m)^[0-9]+\\. `([^`]+)`")
	counts   = map[string]int{"two": 2, "four": 4, "six": 6}
	touches  = regexp.MustCompile(`touches at most (\w+) files`)
)

// TestWalks follows the walks of CONTRIBUTING.md: their files are there and no more than is said, and what they add is known by its
// name to no other file.
func TestWalks(t *testing.T) {
	text := must.Get(os.ReadFile("../../CONTRIBUTING.md"))(t)
	named := map[string][]string{} // files by identifier
	sources(t, parser.SkipObjectResolution, func(_, path string, _ *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if x, ok := n.(*ast.Ident); ok && !slices.Contains(named[x.Name], path) {
				named[x.Name] = append(named[x.Name], path)
			}
			return true
		})
	})
	for _, w := range walks {
		_, walk, found := strings.Cut(string(text), "## "+w.title+"\n")
		walk, _, _ = strings.Cut(walk, "\n## ")
		said := touches.FindStringSubmatch(walk)
		if !found || said == nil || counts[said[1]] != w.most {
			t.Errorf("%s: it does not say that it touches at most %d files", w.title, w.most)
			continue
		}
		var files []string
		for _, m := range numbered.FindAllStringSubmatch(walk, -1) {
			files = append(files, strings.ReplaceAll(m[1], "NAME", w.example))
		}
		if len(files) == 0 || len(files) > w.most {
			t.Errorf("%s: %d files", w.title, len(files))
		}
		for _, file := range files {
			if _, err := os.Stat(filepath.Join("../..", file)); err != nil && !strings.HasPrefix(file, "verify/rulelist/") { // a record may do
				t.Errorf("%s: %v", w.title, err)
			}
		}
		for _, name := range w.known {
			if len(named[name]) == 0 {
				t.Errorf("%s: nothing is called %s", w.title, name)
			}
			for _, path := range named[name] {
				if !slices.Contains(files, filepath.ToSlash(strings.TrimPrefix(path, "../../"))) {
					t.Errorf("%s: %s is known to %s, too", w.title, name, path)
				}
			}
		}
	}
}
