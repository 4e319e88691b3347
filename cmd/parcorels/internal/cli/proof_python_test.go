package cli

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/family"
	"parcorels/internal/option"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strings"
	"testing"
)

// python returns a command that runs the reader of tables that is written in
// Python, after docs/proof-format.md and without our code.
func python(t *testing.T) (interpreter, script string) {
	t.Helper()
	script = must.Get(filepath.Abs("../../../../verify/testdata/antecedents.py"))(t)
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run() == nil {
			return path, script
		}
	}
	t.Skip("python3 3.9 or later is not installed: antecedents are not made a second time, without our reader")
	return "", ""
}

// readings are tables whose antecedents both programs make.
type readings struct {
	lines []string   // what was read, for messages
	args  []string   // a proof and its table each
	want  [][]string // the antecedents
}

// add has our programs make the antecedents of a table.
func (x *readings) add(t *testing.T, table string, options ...string) {
	t.Helper()
	name := fmt.Sprint(len(x.want)) + ".proof"
	proof := append([]string{"fit", table, "--lambda", "0.3", "--workers", "1", "--proof", name}, options...)
	if status, _, stderr := run(proof...); status != exitDone {
		t.Fatalf("%q: status %d: %s", proof, status, stderr)
	}
	learn := process.NewLearning()
	for at := 0; at < len(options); at++ {
		o, text := option.Find(learn.Table, strings.TrimPrefix(options[at], "--")), "true"
		if o.Holder != "" {
			at++
			text = options[at]
		}
		must.Do(t, o.Set(text))
	}
	data := must.Get(family.Read(table, learn.Family().Reading(learn.Reading)))(t)
	p := must.Get(family.NewProblem(t.Context(), data, learn.Options))(t)
	var want []string
	for _, captured := range p.Set.Captured() {
		var set big.Int
		for i := range uint(data.N) {
			if captured.Test(i) {
				set.SetBit(&set, int(i), 1)
			}
		}
		want = append(want, fmt.Sprintf("%x", &set))
	}
	x.lines = append(x.lines, fmt.Sprintf("%s %q", table, options))
	x.args, x.want = append(x.args, name, table), append(x.want, want)
}

// readAll calls the main function of a script with two arguments each. To start Python takes
// longer than to read a table.
const readAll = `
import runpy, sys
main = runpy.run_path(sys.argv[1])["main"]
for proof, table in zip(sys.argv[2::2], sys.argv[3::2]):
    main(proof, table)
    print()
`

// compare has the Python reader make the antecedents, too.
func (x *readings) compare(t *testing.T, interpreter, script string) {
	t.Helper()
	output, err := exec.Command(interpreter, append([]string{"-c", readAll, script}, x.args...)...).CombinedOutput()
	parts := strings.Split(string(output), "\n\n")
	if err != nil || len(parts) != len(x.want)+1 {
		t.Fatalf("%d tables, of the Python reader %d: %v\n%s", len(x.want), len(parts)-1, err, output)
	}
	for k, want := range x.want {
		got := strings.Fields(parts[k])
		if len(got) != len(want)+2 {
			t.Fatalf("%s: %d antecedents, the Python reader says\n%s", x.lines[k], len(want), parts[k])
		}
		for i, set := range want {
			if got[i+2] != set {
				t.Errorf("%s: antecedent %d captures %s, by the Python reader %s", x.lines[k], i, set, got[i+2])
			}
		}
		if got[0] != got[1] {
			t.Errorf("%s: the digest of the proof is %s, by the Python reader %s", x.lines[k], got[0], got[1])
		}
	}
}

// TestAntecedentsWithoutOurReader makes the antecedents of tables twice, as the options in testdata/readings say. There, numbers.csv has
// infinities, weights and missing cells; texts.csv quotes, line ends in cells, names that are the same, and free text; towns.csv
// groups, of which some are rare; dates.csv four ways to write dates, one of them ambiguous; dense.csv flags that hold so often that
// only three together are an antecedent; classes.csv ids, weights of many digits, and levels with signs.
func TestAntecedentsWithoutOurReader(t *testing.T) {
	interpreter, script := python(t)
	examples := must.Get(filepath.Abs("../../../../examples"))(t)
	folder := t.TempDir()
	must.Do(t, os.CopyFS(folder, os.DirFS("testdata/readings")))
	t.Chdir(folder)
	write(t, map[string]string{"bikes.csv": bikes, "german.csv": germanTable()})
	text := must.Get(os.ReadFile("readings.json"))(t)
	var asked [][]string
	must.Do(t, json.Unmarshal(text, &asked))
	var all readings
	for _, name := range []string{"monk1", "monk2", "monk3", "tictactoe"} {
		all.add(t, filepath.Join(examples, name+".csv"))
	}
	all.add(t, "bikes.csv", bikeOptions...)
	for _, line := range asked {
		all.add(t, line[0], line[1:]...)
	}
	all.compare(t, interpreter, script)
}

// germanTable has semicolons, decimal commas and a column of thousands of numbers.
func germanTable() string {
	var b strings.Builder
	b.WriteString("größe;viele;gewicht;wahr\n")
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 4500 {
		weight := []string{"1", "0,5", "2,25"}[r.IntN(3)]
		if i%100 == 0 {
			weight = "NaN"
		}
		size := 150 + r.Float64()*40
		fmt.Fprintf(&b, "%s;%s;%s;%v\n", strings.ReplaceAll(fmt.Sprintf("%.1f", size), ".", ","),
			strings.ReplaceAll(fmt.Sprintf("%.6f", r.Float64()), ".", ","), weight, size > 170 != (r.IntN(9) == 0))
	}
	return b.String()
}
