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
	for _, t := range s.typed {
		known := func(f *family) bool { return slices.Contains(f.knows, t.Name) }
		if slices.ContainsFunc(families(), known) && !known(f) && (t.Name != "seed" || s.command.name != "cv") { // that of the folds
			return fmt.Errorf("--%s is not an option of --model %s", t.Name, f.name)
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
