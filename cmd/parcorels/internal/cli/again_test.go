package cli

import (
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// refits are command lines of fit that give, together, each option that decides a
// model another value than its default.
var refits = []string{
	`people.csv --lambda 1/50`,
	`people.csv --target bought --positive yes --ignore "home town,visits" --lambda 0.02`,
	`people.csv --ignore "home town" --ignore visits --weight visits2 --class-weights 1,2 --min-support 0.1`,
	`people.csv --class-weights balanced --missing "?,none" --drop-missing --max-card 1`,
	`people.csv --bins 3 --max-antecedents 20 --negations`,
	`people.csv --cuts "age=-5,30.5,60"`,
	`people.csv --first "age > 29 then yes" --forbid "home town = Bonn" --cuts "age=30,60" --ignore visits`,
	`people.csv --thresholds "age=29.5,40,60" --ignore visits`,
	`people.csv --header --use age --ignore visits`,
	`people.csv --cost-matrix 0,2.5,10,-1 --ask-cost 1`,
	`people.csv --costs no=visits,yes=visits2 --ignore bought`,
	`people.csv --thresholds age=29.5,40,60 --increasing age --min-rows 20 --max-card 1`,
	`people.csv --thresholds age=29.5,40,60 --decreasing age --max-card 1`,
	`people.csv --categories visits --drop-unlabelled`,
	`people.csv --ordered "visits=0<1<2<3<4<5<6<7<8<9" --drop-unlabelled`,
	`people.csv --target age --positive "> 40" --ignore bought`,
	`-bare.txt --sep semicolon --no-header --lambda 0.05`,
	`people.csv --model tree --depth 2 --lambda 0.03`,
	`people.csv --model tree --depth 1 --lambda 0`,
	`people.csv --maximise f1 --max-card 1 --lambda 0.05`,
	`people.csv --model set --rules 2 --literals 2 --lambda 2 --max-card 1`,
	`people.csv --model bayes --length 2 --width 2 --alpha 1,2 --max-rules 2 --chains 3 --iterations 500 --seed 7 --max-card 1 --bins 2`,
	`people.csv --model bayes --falling --iterations 500 --max-card 1 --bins 2 --decimal-comma`,
	`given.out --labels "it's.label" --lambda 0.02`,
}

// TestReportLearnsAgain runs the command that a report prints, and asks for the
// same model file, byte for byte. Every option that decides a model takes part.
func TestReportLearnsAgain(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	writePeople(t)
	for i, line := range refits {
		file := fmt.Sprintf("m%d.json", i)
		mustRun(t, append(append([]string{"fit"}, "-o", file), notAnOption(words(line))...)...)
		mustRun(t, "report", file, "-o", "page.html")
		command := printedCommand(t, "page.html")
		if command[0] != "parcorels" || command[1] != "fit" {
			t.Fatalf("%s: the page says %q", line, command)
		}
		mustRun(t, append(command[1:], "-o", "again.json")...)
		if was, is := contents(t, file), contents(t, "again.json"); was != is {
			t.Errorf("%s: the page's command %q learns\n%s", line, command, difference(was, is))
		}
	}
	all := strings.Join(refits, " ") + " "
	for _, o := range process.NewLearning().Table {
		if o.Decides && !strings.Contains(all, "--"+o.Name+" ") {
			t.Errorf("no line of this test gives --%s", o.Name)
		}
	}
}

// notAnOption has a file whose name begins with - written so that it is no option.
func notAnOption(line []string) []string {
	if strings.HasPrefix(line[0], "-") {
		line[0] = "./" + line[0]
	}
	return line
}

// writePeople writes tables with two classes that have to do with the columns.
func writePeople(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var people, bare strings.Builder
	people.WriteString("age,home town,visits,visits2,bought\n")
	for range 200 {
		age, town, visits := r.IntN(70)+10, []string{"Aix", "Bonn", "none", "?"}[r.IntN(4)], r.IntN(9)+1
		yes := map[bool]string{true: "yes", false: "no"}[(age > 40) != (town == "Bonn") || r.IntN(12) == 0]
		fmt.Fprintf(&people, "%d,%s,%d,%d,%s\n", age, town, visits, visits%3+1, yes)
		fmt.Fprintf(&bare, "%d;%s;%s\n", age, town, yes)
	}
	given := "{a=1} 1 1 1 0 0 0 1 0 1 0\n{b=1} 0 1 0 1 0 1 0 1 1 0\n"
	labels := "{no} 0 0 0 1 1 1 0 1 0 1\n{yes} 1 1 1 0 0 0 1 0 1 0\n"
	for name, text := range map[string]string{"people.csv": people.String(), "-bare.txt": bare.String(),
		"given.out": given, "it's.label": labels} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

// mustRun runs a command line that must succeed.
func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if status, stdout, stderr := run(args...); status != exitDone {
		t.Fatalf("%q: status %d\n%s%s", args, status, stdout, stderr)
	}
}

// printedCommand returns the words of the first command of a page, without the
// proof that it writes.
func printedCommand(t *testing.T, page string) []string {
	t.Helper()
	found := regexp.MustCompile(`(?s)<pre tabindex="0">([^\n<]*)`).FindStringSubmatch(contents(t, page))
	if found == nil {
		t.Fatal("the page has no command")
	}
	var list []string
	for _, m := range regexp.MustCompile(`('[^']*'|\\'|[^ '\\])+`).FindAllString(html.UnescapeString(found[1]), -1) {
		list = append(list, strings.ReplaceAll(strings.ReplaceAll(m, `'\''`, "\x00"), "'", ""))
	}
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "\x00", "'")
	}
	if i := slices.Index(list, "--proof"); i >= 0 {
		list = slices.Delete(list, i, i+2)
	}
	return list
}
