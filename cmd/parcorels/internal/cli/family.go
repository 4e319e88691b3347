package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parcorels"
	"parcorels/crossval"
	"parcorels/model"
	"parcorels/ratio"
	"parcorels/rules"
)

// The families of models: what --model names. Each has a file of its own, from which
// fit and cv learn it; package parcorels reads the files of all.

// family is a kind of model.
type family struct {
	name string // that --model takes
	kind model.Family
	// learn finds the model. Its errors say of which file they are.
	learn func(ctx context.Context, f *fitted) (*finding, error)
	// faster lists what would end a search sooner.
	faster func(s *settings, set *rules.Set) []string
	// prepare sets the options of reading and mining that have other defaults.
	prepare func(s *settings)
	// knows lists the options of fit that are of some families only and that
	// this one has.
	knows []string
	// lacks lists the options that all other families have.
	lacks []string
	// verdict says how good the model is and what is proven; nil for families that
	// minimise errors + λ·size.
	verdict func(f *fitted) string
	// anyLambda says that λ may be 1 and more.
	anyLambda bool
	// cross is the family as cv learns it.
	cross func(s *settings) crossval.Family
	// grid returns the λ that cv tries, or begins with; nil for those of the table
	// of options.
	grid func(s *settings) []ratio.Ratio
}

// families returns all families, the default first.
func families() []*family {
	return []*family{
		listFamily(),
		treeFamily(),
		setFamily(),
		bayesFamily(),
	}
}

// ofSome are the options of fit that not every family has.
var ofSome = []string{"depth", "length", "width", "alpha", "max-rules", "chains", "iterations", "seed", "rules", "beta0", "beta1", "beta2", "exact", "nodes", "memory", "policy", "symmetry", "without", "checkpoint", "every", "resume", "proof"}

func familyNames() (names []string) {
	for _, f := range families() {
		names = append(names, f.name)
	}
	return names
}

// oneOfNames lists names: "list, tree or set".
func oneOfNames(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// family returns the family that --model names.
func (s *settings) family() *family {
	for _, f := range families() {
		if f.name == s.model {
			return f
		}
	}
	return families()[0]
}

// noun is the last word of the kind: "list", "tree", "set".
func (f *family) noun() string {
	words := strings.Fields(string(f.kind))
	return words[len(words)-1]
}

// check reports an option of a command that the family does not have.
func (f *family) check(s *settings) error {
	for _, name := range ofSome {
		known := slices.Contains(f.knows, name) || name == "seed" && s.command.name == "cv" // that of the folds
		if s.given[name] && !known {
			return fmt.Errorf("--%s is not an option of --model %s", name, f.name)
		}
	}
	for _, name := range f.lacks {
		if s.given[name] {
			return fmt.Errorf("--%s is not an option of --model %s", name, f.name)
		}
	}
	if s.wideLambda != "" && !f.anyLambda {
		return s.command.option("lambda").complain(s.wideLambda, errExpected)
	}
	return nil
}

// load reads a model of any family, from stdin if path is "-".
func (e *env) load(ctx context.Context, path string) (model.Model, error) {
	return await(ctx, func() (model.Model, error) {
		read := func() (*parcorels.Model, error) { return parcorels.Load(path) }
		if path == "-" {
			read = func() (*parcorels.Model, error) { return parcorels.Decode(e.stdin, "stdin") }
		}
		m, err := read()
		if err != nil {
			return nil, err
		}
		return m.Model, nil
	})
}
