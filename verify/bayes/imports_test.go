package bayes_test

import (
	"go/build"
	"strings"
	"testing"
)

// TestSharesNoCodeWithTheSearch goes through all packages that this one is made of.
func TestSharesNoCodeWithTheSearch(t *testing.T) {
	const module = "parcorels/"
	forbidden := []string{"bayes", "bayes/search", "parallel", "bitvec", "trie", "instance", "rulelist", "rulelist/search", "automorphism"}
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
			if own, ok := strings.CutPrefix(path, module); ok {
				for _, f := range forbidden {
					if own == f {
						t.Errorf("package %s imports %s", name, own)
					}
				}
				visit(own)
			}
		}
	}
	visit("verify/bayes")
	if !seen["rules"] || !seen["verify/framing"] {
		t.Errorf("the packages are not where this test looks for them: %v", seen)
	}
}
