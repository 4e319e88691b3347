package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

// fewestInCircle files may depend on one another in any package: a type and what is made of it.
const fewestInCircle = 5

// TestFilesGoOneWay finds the files of a package that depend on each other in one circle: of each package at most a third
// may do so. File a depends on file b if it names what b declares.
func TestFilesGoOneWay(t *testing.T) {
	t.Parallel()
	for _, folder := range goFolders(t) {
		files, needs := dependences(t, folder)
		largest := largestCircle(needs)
		if len(largest) <= max(fewestInCircle, len(files)/3) {
			continue
		}
		var names []string
		for _, f := range largest {
			names = append(names, files[f])
		}
		t.Errorf("%s: %d of %d files depend on each other in one circle: %s", folder, len(largest), len(files), strings.Join(names, " "))
	}
}

// goFolders returns the folders of this module that have a package.
func goFolders(t *testing.T) (folders []string) {
	t.Helper()
	sources(t, parser.ImportsOnly, func(_, path string, _ *token.FileSet, _ *ast.File) {
		if folder := filepath.Dir(path); !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	})
	return folders
}

// dependences returns the files of a package without tests, and for each the files that it depends on.
func dependences(t *testing.T, folder string) (files []string, needs [][]int) {
	t.Helper()
	set, parsed := token.NewFileSet(), []*ast.File(nil)
	paths := must.Get(filepath.Glob(filepath.Join("..", "..", folder, "*.go")))(t)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f := must.Get(parser.ParseFile(set, path, nil, parser.SkipObjectResolution))(t)
		files, parsed = append(files, filepath.Base(path)), append(parsed, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := config.Check(folder, set, parsed, info) // what other packages declare is not known, and not needed
	at := func(pos token.Pos) int { return slices.Index(files, filepath.Base(set.Position(pos).Filename)) }
	needs = make([][]int, len(files))
	for ident, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		from, to := at(ident.Pos()), at(object.Pos())
		if from != to && !slices.Contains(needs[from], to) {
			needs[from] = append(needs[from], to)
		}
	}
	return files, needs
}

// noImports gives packages that declare nothing.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// largestCircle returns the largest set of nodes each of which leads to each other.
func largestCircle(next [][]int) (largest []int) {
	reach := make([][]bool, len(next))
	for i, to := range next {
		reach[i] = make([]bool, len(next))
		for _, j := range to {
			reach[i][j] = true
		}
	}
	for k := range next {
		for i := range next {
			for j := range next {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range next {
		var circle []int
		for j := range next {
			if reach[i][j] && reach[j][i] {
				circle = append(circle, j)
			}
		}
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	return largest
}
