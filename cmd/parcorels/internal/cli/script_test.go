package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"parcorels/internal/testing/testgen"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// TestScripts runs the scripts of testdata: commands with everything that they
// print. A script is blocks, each under a line that begins with "-- ":
//
//	-- file NAME      a file that the following commands find
//	-- example T NAME a table of the examples, as a file
//	-- mine T.csv X.out     its conditions in the format of CORELS
//	-- run ARGS       a command line; "< NAME" makes a file its stdin
//	-- stdout         what it must print; no block, nothing
//	-- stderr         likewise
//	-- exit N         its exit status; no block, 0
//	-- see NAME       what must be in a file, or that there is none
//	-- remove NAME    a file that goes
//
// Times, sizes, machine and effort are masked by timeless. -update rewrites
// the blocks that tell what comes out.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for i, path := range scripts {
		if testgen.Raced && i%4 > 0 {
			continue // whatever the command, the same packages run side by side
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			path, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			got := replay(t, string(text))
			if got == string(text) {
				return
			}
			if !*update {
				t.Errorf("%s", difference(string(text), got))
				return
			}
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// replay runs a script and returns it with what really came out.
func replay(t *testing.T, script string) string {
	var out strings.Builder
	head, rest, _ := strings.Cut(script, "-- ")
	out.WriteString(head)
	for block := range strings.SplitSeq(rest, "\n-- ") {
		title, body, _ := strings.Cut(block, "\n")
		kind, arg, _ := strings.Cut(title, " ")
		switch kind {
		case "file":
			if body != "" {
				body += "\n"
			}
			write(t, map[string]string{arg: body})
			out.WriteString("-- " + title + "\n" + body)
		case "example":
			name, to, _ := strings.Cut(arg, " ")
			exampleTable(t, name, to)
			out.WriteString("-- " + title + "\n")
		case "mine":
			table, to, _ := strings.Cut(arg, " ")
			mineTable(t, table, to)
			out.WriteString("-- " + title + "\n")
		case "run":
			out.WriteString("-- " + title + "\n" + execute(t, arg))
		case "see":
			text, err := os.ReadFile(arg)
			if err != nil {
				text = []byte("(is not there)\n")
			}
			out.WriteString("-- " + title + "\n" + timeless(string(text)))
		case "remove":
			if err := os.Remove(arg); err != nil {
				t.Error(err)
			}
			out.WriteString("-- " + title + "\n")
		}
	}
	return out.String()
}

// Run is Process.Run of a process that has no more than streams.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Process{Stdin: stdin, Stdout: stdout, Stderr: stderr}.Run(ctx, args)
}

// execute runs a command line and returns the blocks of what came out.
func execute(t *testing.T, line string) string {
	line, input, _ := strings.Cut(line, " < ")
	var in bytes.Buffer
	if input != "" {
		text, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(text)
	}
	var stdout, stderr bytes.Buffer
	status := Run(context.Background(), words(line), &in, &stdout, &stderr)
	var b strings.Builder
	for _, s := range []struct {
		name string
		text string
	}{{"stdout", stdout.String()}, {"stderr", stderr.String()}} {
		if s.text != "" {
			fmt.Fprintf(&b, "-- %s\n%s", s.name, timeless(s.text))
		}
	}
	if status != 0 {
		fmt.Fprintf(&b, "-- exit %d\n", status)
	}
	return b.String()
}

// words splits a command line at spaces; quotes hold words together.
func words(line string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|[^ "]+`).FindAllStringSubmatch(line, -1) {
		if strings.HasPrefix(m[0], `"`) {
			list = append(list, m[1])
		} else {
			list = append(list, m[0])
		}
	}
	return list
}

// masks are what differs between two runs, machines or versions of the search.
var masks = []struct{ pattern, mask string }{
	{`(proved in|stopped after) [0-9][^,]*, [0-9,]+ prefix(es)? expanded`, "$1 TIME, N prefixes expanded"},
	{`\((proved in |stopped after |)[0-9][^,(]*, [0-9,]+ (set|rule)s? (counted|looked at)`, "(${1}TIME, N ${2}s $3"},
	{`"(seconds_[a-z]+|expanded|inserted|evaluations|map_[a-z]+|dominated|closed|longest|queue_waits|[a-z]+_bytes)": [0-9.e+-]+`,
		`"$1": N`},
	{`\(proved in [^,]*, ([0-9]+ search(?:es)?)`, "(proved in TIME, $1"},
	{`\(found in [^,]*, `, "(found in TIME, "},
	{`(has an objective below [0-9.]+) \([^)]*\)`, "$1 (TIME)"},
	{`(resumed from [^:]*:) .*`, "$1 EFFORT"},
	{`a search took [0-9.]+ ± [0-9.]+ s`, "a search took TIME"},
	{`("search_seconds": \{\s+"mean": )[0-9.e-]+(,\s+"standard_deviation": )[0-9.e-]+(,\s+"standard_error": )[0-9.e-]+`, "${1}N${2}N${3}N"},
	{`(proof in [^:]*:|checked) [0-9].*\)`, "$1 EFFORT)"},
	{`"(proof_records|records|prefixes|extensions|dominations)": [0-9]+`, `"$1": N`},
	{`"digest": "sha256:[0-9a-f]+"`, `"digest": "D"`},
	{`(lower bound|, gap) [0-9.]+`, "$1 N"},
	{`\(go1[^)]*\)`, "(GO, SYSTEM, KERNEL)"},
	{`"kernel": "[a-z0-9]+"`, `"kernel": "K"`},
	{`parcorels \(?(devel|v[0-9])[^ ",\n]*`, "parcorels VERSION"},
}

// timeless masks them.
func timeless(text string) string {
	for _, m := range masks {
		text = regexp.MustCompile(m.pattern).ReplaceAllString(text, m.mask)
	}
	return text
}

// difference shows the first lines in which two texts differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := 0; i < len(w) || i < len(g); i++ {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			return fmt.Sprintf("from line %d on, want\n%s\ngot\n%s", i+1, excerpt(w, i), excerpt(g, i))
		}
	}
	return ""
}

func excerpt(lines []string, from int) string {
	from = min(from, len(lines))
	return strings.Join(lines[from:min(from+12, len(lines))], "\n")
}
