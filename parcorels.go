// Package parcorels learns models that are provably optimal, and predicts with
// them: rule lists, decision trees, rule sets and Bayesian rule lists. Begin with
// Read, then Fit; Decode reads a model that was saved.
package parcorels

import (
	"io"
	"os"

	"parcorels/model"
	"parcorels/rulelist"
	"parcorels/ruleset"
	"parcorels/tree"
)

// Decode reads a model file of any family; name stands for it in errors.
func Decode(r io.Reader, name string) (model.Model, error) {
	f, err := model.ReadFile(r, name)
	if err != nil {
		return nil, err
	}
	switch f.Format {
	case model.RuleList.Format():
		return some(rulelist.FromFile(f))
	case model.Tree.Format():
		return some(tree.FromFile(f))
	case model.RuleSet.Format():
		return some(ruleset.FromFile(f))
	}
	return nil, f.Unknown()
}

// Load is Decode of the file at path.
func Load(path string) (model.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Decode(f, path)
}

// some returns a model as the interface, nil where there is an error.
func some[M model.Model](m M, err error) (model.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
