package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// flag is how the command line spells an option.
var flag = regexp.MustCompile(`(^|[^a-z0-9-])--[a-z][a-z-]+`)

// TestLibrariesKnowNoCommandLine asks that only the commands print, exit, and
// name options. A caller from another program has other names for them.
func TestLibrariesKnowNoCommandLine(t *testing.T) {
	sources(t, parser.SkipObjectResolution, func(pkg, path string, files *token.FileSet, f *ast.File) {
		if strings.HasPrefix(pkg, "cmd/") || commands[pkg] {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.BasicLit:
				if x.Kind == token.STRING && flag.MatchString(x.Value[1:]) {
					t.Errorf("%s: the text %s names an option of the command line", files.Position(x.Pos()), x.Value)
				}
			case *ast.SelectorExpr:
				if on, ok := x.X.(*ast.Ident); ok && forbidden[on.Name+"."+x.Sel.Name] {
					t.Errorf("%s: a library calls %s.%s", files.Position(x.Pos()), on.Name, x.Sel.Name)
				}
			}
			return true
		})
	})
}

// commands are the rooms of programs, and of pages that tell their readers what
// to type.
var commands = map[string]bool{"answer": true, "run": true, "bench": true, "report/html": true}

var forbidden = map[string]bool{
	"os.Exit": true, "os.Stdout": true, "os.Stderr": true, "log.Fatal": true, "log.Fatalf": true, "log.Print": true, "log.Printf": true,
	"log.Println": true,
	"fmt.Print":   true, "fmt.Printf": true, "fmt.Println": true,
}
