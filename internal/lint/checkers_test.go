package lint

import (
	"go/build"
	"path"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

// trusted are the packages that a checker of proofs may be made of, beside its own and
// the model that it checks: none has code of a search.
var trusted = strings.Fields("table cuts weights dataset/cell dataset/labels dataset rules model " +
	"optionerr ratio loop internal/status internal/interval internal/wording internal/atomicfile verify/framing")

// TestCheckersShareNoCodeWithTheSearches goes through all packages that each checker is
// made of.
func TestCheckersShareNoCodeWithTheSearches(t *testing.T) {
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
			p := must.Get(build.ImportDir(path.Join("../..", name), 0))(t)
			for _, imported := range p.Imports {
				own, ok := strings.CutPrefix(imported, module+"/")
				if !ok {
					continue
				}
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
