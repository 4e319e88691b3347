package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// Searches of small tables last where prunings are left out. The program has no option for
// that. Command lines of tests have --test-without, --test-policy and --test-symmetry.
func init() {
	testArguments = func(args []string) (rest []string) {
		process.Ablation.Policy, process.Ablation.Symmetry, process.Ablation.Without = 0, 0, 0
		for i := 0; i < len(args); i++ {
			var err error
			switch {
			case i+1 == len(args):
				rest = append(rest, args[i])
				continue
			case args[i] == "--test-without":
				process.Ablation.Without, err = problem.ParsePrunings(args[i+1])
			case args[i] == "--test-policy":
				process.Ablation.Policy, err = search.ParsePolicy(args[i+1])
			case args[i] == "--test-symmetry":
				process.Ablation.Symmetry, err = search.ParseSymmetry(args[i+1])
			default:
				rest = append(rest, args[i])
				continue
			}
			if err != nil {
				panic(err)
			}
			i++
		}
		return rest
	}
}

// examples is the folder of the tables, whatever the working directory becomes.
var examples, _ = filepath.Abs("../../../../examples")

// exampleTable copies a table of the examples.
func exampleTable(t *testing.T, name, to string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examples, name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, to, string(text))
}

// mineTable writes the conditions of a table as files in the format of CORELS.
func mineTable(t *testing.T, table, out string) {
	t.Helper()
	data, err := family.Read(table, family.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := family.NewProblem(t.Context(), data, family.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for path, write := range map[string]func(io.Writer) error{out: p.Set.WriteOut,
		strings.TrimSuffix(out, ".out") + ".label": p.Set.WriteLabel} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		writeText(t, path, b.String())
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
