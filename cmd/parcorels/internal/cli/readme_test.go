package cli

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"parcorels/ask/chance"
	"parcorels/cmd/parcorels/internal/fit"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
)

// TestReadme holds what README.md shows against what its first command prints.
func TestReadme(t *testing.T) {
	t.Chdir("../../../..")
	defer func(tests int) { fit.Usual = tests }(fit.Usual)
	fit.Usual = chance.Usual
	text := must.Get(os.ReadFile("README.md"))(t)
	blocks := strings.Split(string(text), "```\n")
	if len(blocks) < 4 {
		t.Fatal("README.md has no output of its first command")
	}
	command, _, _ := strings.Cut(blocks[1], "\n")
	args, ok := strings.CutPrefix(command, "go run ./cmd/parcorels ")
	if !ok {
		t.Fatalf("the first command of README.md is %q", command)
	}
	status, stdout, stderr := run(words(args)...)
	if want := timeless(blocks[3]); status != exitDone || timeless(stdout) != want {
		t.Errorf("%s\nstatus %d, stderr %q\n%s", command, status, stderr, difference(want, timeless(stdout)))
	}
}

// TestReadmeAudit runs the commands of README.md on the table of people who were
// arrested, and holds its lines against what they print. It leaves some out.
func TestReadmeAudit(t *testing.T) {
	people := compas(t)
	text := must.Get(os.ReadFile("../../../../README.md"))(t)
	_, transcript, ok := strings.Cut(string(text), "```\n$ awk 'NR == 1 || NR % 4' compas.csv > train.csv\n$ awk 'NR == 1 || NR % 4 == "+
		"0' compas.csv > test.csv\n$ parcorels ")
	transcript, _, closed := strings.Cut(transcript, "```\n")
	if !ok || !closed {
		t.Fatal("README.md has no transcript that begins with every fourth row apart")
	}
	t.Chdir(t.TempDir())
	var parts [2]strings.Builder
	for i, row := range strings.SplitAfter(people, "\n") { // as awk does, which counts from 1
		for part, kept := range []bool{(i+1)%4 != 0, (i+1)%4 == 0} {
			if kept || i == 0 {
				parts[part].WriteString(row)
			}
		}
	}
	write(t, map[string]string{"train.csv": parts[0].String(), "test.csv": parts[1].String()})
	for _, part := range strings.Split(transcript, "$ parcorels ") {
		lines := strings.Split(strings.TrimSuffix(part, "\n"), "\n")
		status, stdout, stderr := run(words(lines[0])...)
		rest, shown := stdout, slices.DeleteFunc(lines[1:], func(line string) bool { return line == "" || line == "…" })
		for _, line := range shown {
			at := strings.Index("\n"+rest, "\n"+line+"\n")
			if at < 0 {
				t.Fatalf("%s\nstatus %d, stderr %q, no line %q in\n%s", lines[0], status, stderr, line, rest)
			}
			rest = rest[at+len(line):]
		}
		if status != exitDone || len(shown) == 0 {
			t.Errorf("%s\nstatus %d, stderr %q, %d lines shown", lines[0], status, stderr, len(shown))
		}
	}
}

// compas returns the columns of the published table that README.md names.
func compas(t *testing.T) string {
	t.Helper()
	rows := must.Get(csv.NewReader(strings.NewReader(testgen.DataText(t, "tables", "compas-scores-two-years.csv.gz"))).ReadAll())(t)
	var at []int
	for _, name := range []string{"sex", "age", "race", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count",
		"c_charge_degree", "two_year_recid"} {
		at = append(at, slices.Index(rows[0], name))
	}
	var b strings.Builder
	for _, row := range rows {
		for i, column := range at {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(row[column])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
