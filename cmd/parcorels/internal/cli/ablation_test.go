package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/cmd/parcorels/internal/fit"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/testing/must"
	"parcorels/rulelist/problem"
	"parcorels/rulelist/search"
)

// Searches of small tables last where prunings are left out. The program has no option for
// that. Command lines of tests have --test-without, --test-policy and --test-symmetry. Labels are
// shuffled 19 times where nobody says, the fewest that tell a model from chance.
func init() {
	fit.Usual = 19
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
	writeText(t, to, contents(t, filepath.Join(examples, name+".csv")))
}

// mineTable writes the conditions of a table as files in the format of CORELS.
func mineTable(t *testing.T, table, out string) {
	t.Helper()
	data := must.Get(family.Read(table, family.Reading{}))(t)
	p := must.Get(family.NewProblem(t.Context(), data, family.Options{}))(t)
	for path, write := range map[string]func(io.Writer) error{out: p.Set.WriteOut,
		strings.TrimSuffix(out, ".out") + ".label": p.Set.WriteLabel} {
		var b strings.Builder
		must.Do(t, write(&b))
		writeText(t, path, b.String())
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}
