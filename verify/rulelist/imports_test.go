package rulelist_test

import (
	"go/build"
	"os"
	"strings"
	"testing"
)

// TestSharesNoCodeWithTheSolver goes through all packages that this one is made
// of.
func TestSharesNoCodeWithTheSolver(t *testing.T) {
	const module = "parcorels/"
	allowed := map[string]bool{"dataset": true, "dataset/internal/column": true, "dataset/internal/guess": true, "rules": true, "rulelist": true, "model": true, "field": true, "ratio": true, "internal/status": true, "internal/wording": true, "internal/atomicfile": true, "verify/framing": true}
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		p, err := build.ImportDir("../../"+name, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range p.Imports {
			own, ok := strings.CutPrefix(path, module)
			if !ok {
				continue
			}
			if !allowed[own] {
				t.Errorf("package %s imports %s", name, own)
			}
			visit(own)
		}
	}
	visit("verify/rulelist")
	if _, err := os.Stat("../../parallel"); err != nil || !seen["rules"] {
		t.Errorf("the packages are not where this test looks for them: %v", err)
	}
}
