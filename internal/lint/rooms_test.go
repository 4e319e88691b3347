package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "parcorels"

// room is a package and what it may import of this module.
type room struct {
	name string
	may  string // names with spaces between them, of rooms further up in the table
	by   string // if not empty: only these may import the room, wherever else it is named
}

// rooms lists every package from the ground floor up. A room may import only
// what stands above it in this table, so that no import runs upwards and no two
// rooms import each other.
var rooms = []room{
	{name: "ratio"},
	{name: "optionerr"},
	{name: "internal/option", may: "optionerr ratio"},
	{name: "internal/wording"},
	{name: "internal/atomicfile"},
	{name: "internal/filelock"},
	{name: "internal/status"},
	{name: "internal/interval"},
	{name: "internal/prefetch"},
	{name: "internal/peakmem"},
	{name: "internal/testing/interleave"},
	{name: "internal/generate"},
	{name: "internal/lint"},
	{name: "internal/loop"},
	{name: "internal/invariants"},
	{name: "internal/blockfile"},
	{name: "bitvec"},
	{name: "trie", may: "internal/testing/interleave"},

	{name: "internal/testing/oracle", may: "ratio", by: "internal/testing/testgen"},
	{name: "internal/testing/prooftamper", by: "nobody"},
	{name: "internal/testing/cases", by: "internal/testing/testgen"},
	{name: "internal/testing/blocks", by: "nobody"},
	{name: "internal/testing/testgen", may: "ratio internal/testing/oracle internal/testing/cases", by: "nobody"},

	{name: "examples"},
	{name: "cuts", may: "internal/loop", by: "dataset"},
	{name: "table", may: "internal/loop optionerr"},
	{name: "weights", may: "optionerr ratio", by: "dataset"},
	{name: "dataset/cell", may: "table", by: "dataset dataset/labels"},
	{name: "dataset/labels", may: "table dataset/cell optionerr", by: "dataset"},
	{name: "dataset", may: "table dataset/cell dataset/labels cuts weights internal/loop optionerr ratio"},
	{name: "rules", may: "internal/loop optionerr ratio dataset"},
	{name: "costs", may: "bitvec"},
	{name: "instance", may: "internal/loop bitvec costs rules"},

	// The engine knows no family and no data.
	{name: "parallel", may: "internal/invariants bitvec internal/status internal/testing/interleave internal/prefetch"},

	// Models know no search.
	{name: "model", may: "ratio dataset rules internal/status internal/wording"},
	{name: "model/given", may: "dataset rules model", by: "nobody"},
	{name: "model/evaluate", may: "internal/interval internal/wording"},
	{name: "model/predict", may: "dataset model model/evaluate internal/wording"},
	{name: "model/explain", may: "dataset model model/predict"},
	{name: "rulelist", may: models}, {name: "tree", may: models}, {name: "ruleset", may: models}, {name: "bayes", may: models},

	{name: "rulelist/separation", may: "internal/invariants internal/loop bitvec costs"},
	{name: "rulelist/problem", may: "rulelist/separation ratio optionerr bitvec costs instance rules rulelist"},
	{name: "rulelist/first", may: "bitvec costs rulelist/problem"},
	{name: "rulelist/short", may: "internal/loop bitvec costs instance ratio rulelist/problem"},
	{name: "rulelist/record", may: "internal/blockfile parallel ratio trie rulelist rulelist/separation rulelist/problem"},
	{name: "rulelist/prune", may: "internal/invariants internal/testing/interleave bitvec costs parallel trie rulelist/separation " +
		"rulelist/problem rulelist/record"},
	{name: "rulelist/save", may: "ratio internal/blockfile rulelist/problem rulelist/record"},
	{name: "rulelist/search", may: searches + "trie rulelist rulelist/separation rulelist/problem rulelist/first rulelist/short " +
		"rulelist/record rulelist/prune rulelist/save"},
	{name: "rulelist/blocks", may: "instance parallel trie rulelist/problem rulelist/save rulelist/search"},
	{name: "tree/price", may: "ratio"},
	{name: "tree/search", may: searches + "tree/price"},
	{name: "tree/numeric/ranks", may: "internal/loop"},
	{name: "tree/numeric", may: "tree/numeric/ranks internal/loop ratio optionerr bitvec parallel internal/blockfile tree/price"},
	{name: "ruleset/search", may: searches + "ruleset"},
	{name: "bayes/search", may: searches + "bayes trie"},

	// The checkers share no code with the searches.
	{name: "verify/framing", may: "ratio rules", by: "verify verify/rulelist/pairs verify/rulelist verify/tree " +
		"verify/numeric verify/bayes verify/goodmodels"},
	{name: "verify/rulelist/pairs", may: "verify/framing"},
	{name: "verify/rulelist", may: checkers + "rulelist verify/framing verify/rulelist/pairs"},
	{name: "verify/tree", may: checkers + "verify/framing"},
	{name: "verify/numeric", may: checkers + "verify/framing"},
	{name: "verify/bayes", may: checkers + "verify/framing"},
	{name: "verify/goodmodels", may: checkers + "verify/framing"},
	{name: "verify", may: "verify/framing verify/rulelist verify/tree verify/numeric verify/bayes verify/goodmodels"},

	{name: "report", may: families + "instance internal/interval"},
	{name: "report/export", may: families},
	{name: "report/html", may: families + "report internal/interval"},
	{name: "family/rates", may: "optionerr ratio rules"},
	{name: "family/luck", may: "dataset ratio rules"},
	{name: "family", may: "family/rates family/luck optionerr " + families + "rulelist/problem rulelist/record rulelist/save tree/price " +
		"tree/numeric instance parallel report internal/option " +
		"internal/blockfile verify verify/rulelist verify/tree verify/numeric verify/bayes verify/goodmodels"},
	{name: ".", may: "family"},

	// One room a question.
	{name: "ask/path", may: asks},
	{name: "ask/goodmodels/graph", may: "ratio bitvec costs instance internal/blockfile parallel rulelist/separation"},
	{name: "ask/goodmodels", may: asks + "ask/goodmodels/graph internal/blockfile rulelist tree"},
	{name: "ask/crossval", may: asks + families + "ask/path parallel"},
	{name: "ask/fair", may: asks + "ask/goodmodels ask/goodmodels/graph ask/crossval model/evaluate rulelist"},
	{name: "ask/chance", may: asks + "family/luck report"},

	{name: "run", may: "family model internal/atomicfile internal/filelock internal/wording parallel verify"},
	// What was answered, as text and for programs.
	{name: "answer", may: families + "family family/rates ask/path ask/goodmodels ask/goodmodels/graph ask/fair ask/chance " +
		"ask/crossval instance " +
		"parallel report rulelist/separation internal/peakmem internal/interval verify/rulelist internal/option"},

	{name: "bench", may: "family " + families + "rulelist/problem bitvec parallel report examples internal/generate internal/peakmem"},

	{name: "serve", may: "examples table family family/rates run answer ask/path ask/goodmodels ask/crossval ask/chance ask/fair " +
		"optionerr internal/option internal/filelock report " +
		"report/export report/html verify " + families},

	{name: "cmd/internal/console", may: "internal/wording"},
	{name: "cmd/internal/memory"},
	{name: "cmd/parcorels/internal/process", may: "run answer table family ask/goodmodels optionerr internal/option " +
		"internal/atomicfile bitvec parallel report report/export verify cmd/internal/console cmd/internal/memory " + families},
	{name: "cmd/parcorels/internal/fit", may: "cmd/parcorels/internal/process run answer family ask/chance internal/option " +
		"internal/peakmem parallel report " + families},
	{name: "cmd/parcorels/internal/cli", may: "cmd/parcorels/internal/process cmd/parcorels/internal/fit run answer table family " +
		"family/rates serve ask/path " +
		"ask/goodmodels ask/goodmodels/graph ask/fair " +
		"ask/chance ask/crossval optionerr internal/option bitvec instance rulelist/separation parallel report report/export " +
		"report/html verify verify/rulelist verify/tree verify/numeric verify/bayes verify/goodmodels internal/peakmem " +
		"internal/filelock cmd/internal/console cmd/internal/memory " + families},
	{name: "cmd/parcorels/program", may: "family cmd/parcorels/internal/cli cmd/internal/memory"},
	{name: "cmd/parcorels", may: "cmd/parcorels/internal/cli cmd/internal/console cmd/internal/memory"},
	{name: "cmd/parcorels-bench", may: "family rules bench internal/generate internal/option internal/atomicfile " +
		"internal/wording cmd/internal/console cmd/internal/memory"},
}

const (
	models   = "ratio dataset rules model internal/status internal/wording"
	searches = "ratio optionerr bitvec dataset rules instance parallel model internal/blockfile internal/invariants internal/loop " +
		"internal/status internal/testing/interleave internal/prefetch internal/wording "
	checkers = "ratio dataset rules model internal/status internal/wording "
	asks     = "family family/rates optionerr ratio instance model dataset rules internal/status rulelist/search "
	families = "ratio dataset rules model model/predict model/evaluate model/explain rulelist rulelist/search tree tree/search ruleset " +
		"ruleset/search bayes bayes/search internal/status internal/wording internal/atomicfile "
)

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
			imported = strings.TrimPrefix(imported, "/")
			if imported == "" {
				imported = "."
			}
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
		file, err := parser.ParseFile(files, path, nil, mode)
		if err != nil {
			return err
		}
		short, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		short = filepath.ToSlash(short)
		pkg := "."
		if i := strings.LastIndexByte(short, '/'); i >= 0 {
			pkg = short[:i]
		}
		f(pkg, short, files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
