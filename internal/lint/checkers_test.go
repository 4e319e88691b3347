package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// trusted are the packages that a checker of proofs may be made of, beside its own and
// the model that it checks: none has code of a search.
var trusted = strings.Fields("table cuts weights dataset/cell dataset/labels dataset rules model " +
	"optionerr ratio loop internal/status internal/interval internal/wording internal/atomicfile verify/framing")

// TestCheckersShareNoCodeWithTheSearches goes through all packages that each checker is
// made of.
func TestCheckersShareNoCodeWithTheSearches(t *testing.T) {
	imports := map[string][]string{} // of this module, by package
	sources(t, parser.ImportsOnly, func(pkg, _ string, _ *token.FileSet, f *ast.File) {
		for _, spec := range f.Imports {
			if own, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module+"/"); ok {
				imports[pkg] = append(imports[pkg], own)
			}
		}
	})
	for checker, allowed := range map[string][]string{
		"verify/rulelist":   append([]string{"rulelist", "verify/rulelist/pairs"}, trusted...),
		"verify/tree":       append([]string{"tree"}, trusted...),
		"verify/bayes":      append([]string{"bayes"}, trusted...),
		"verify/numeric":    trusted,
		"verify/goodmodels": append([]string{"rules/rates"}, trusted...), // which says what limits are about
	} {
		seen := map[string]bool{}
		var visit func(name string)
		visit = func(name string) {
			if seen[name] {
				return
			}
			seen[name] = true
			for _, own := range imports[name] {
				if !slices.Contains(allowed, own) {
					t.Errorf("%s: package %s imports %s", checker, name, own)
				}
				visit(own)
			}
		}
		visit(checker)
		if !seen["rules"] || !seen["verify/framing"] {
			t.Errorf("%s: the packages are not where this test looks for them: %v", checker, seen)
		}
	}
}
