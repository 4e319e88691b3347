package lint

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

const module = "parcorels"

// room is a package and what it may import of this module.
type room struct {
	name string
	may  string // names with spaces between them, of rooms further up in the table
	by   string // if not empty: only these may import the room, wherever else it is named
}

// rooms are those of testdata/rooms.txt, in its order.
var rooms = readRooms()

func readRooms() (all []room) {
	text, err := os.ReadFile("testdata/rooms.txt")
	if err != nil {
		panic(err)
	}
	lists := map[string]string{}
	whole := strings.ReplaceAll(string(text), "\n\t", " ")
	for line := range strings.Lines(whole) {
		line = os.Expand(strings.TrimSpace(line), func(list string) string { return lists[list] })
		if line == "" || line[0] == '#' {
			continue
		}
		if name, list, ok := strings.Cut(line, " = "); ok {
			lists[name] = list
			continue
		}
		name, rest, _ := strings.Cut(line, ":")
		may, by, _ := strings.Cut(rest, "<")
		all = append(all, room{name, may, strings.TrimSpace(by)})
	}
	return all
}

func among(list, pkg string) bool { return slices.Contains(strings.Fields(list), pkg) }

func find(pkg string) *room {
	if i := slices.IndexFunc(rooms, func(r room) bool { return r.name == pkg }); i >= 0 {
		return &rooms[i]
	}
	return nil
}

// TestRoomsImportDownwards asks that the table itself allows no import upwards.
func TestRoomsImportDownwards(t *testing.T) {
	for i, r := range rooms {
		for name := range strings.FieldsSeq(r.may) {
			if !slices.ContainsFunc(rooms[:i], func(above room) bool { return above.name == name }) {
				t.Errorf("%s may import %s, which does not stand above it", r.name, name)
			}
		}
	}
}

// TestImports asks that every package imports what its room may, in all builds.
func TestImports(t *testing.T) {
	seen := 0
	sources(t, parser.ImportsOnly, func(pkg, path string, _ *token.FileSet, f *ast.File) {
		r := find(pkg)
		if r == nil {
			t.Fatalf("package %s has no row in the table of rooms", pkg)
		}
		for _, spec := range f.Imports {
			imported, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			if !ok || imported != "" && imported[0] != '/' {
				continue
			}
			imported = cmp.Or(strings.TrimPrefix(imported, "/"), ".")
			seen++
			to := find(imported)
			switch {
			case to == nil:
				t.Errorf("%s imports %s, which has no row in the table of rooms", path, imported)
			case !among(r.may, imported):
				t.Errorf("%s imports %s, which %s may not", path, imported, r.name)
			case to.by != "" && !among(to.by, pkg):
				t.Errorf("%s imports %s, which only %s may", path, imported, to.by)
			}
		}
	})
	if seen < 50 {
		t.Errorf("%d imports were looked at", seen)
	}
}

// sources calls f with every Go file of the module that is not a test.
func sources(t *testing.T, mode parser.Mode, f func(pkg, path string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if path != root && (err == nil || name == "testdata" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file := must.Get(parser.ParseFile(files, path, nil, mode))(t)
		short := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		f(filepath.ToSlash(filepath.Dir(short)), short, files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
