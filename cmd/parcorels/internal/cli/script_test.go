package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"parcorels/cmd/parcorels/internal/process"
	"parcorels/internal/filelock"
	"parcorels/internal/testing/must"
	"parcorels/internal/testing/testgen"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// TestScripts runs the scripts of testdata: commands with everything that they
// print. A script is blocks, each under a line that begins with "-- ":
//
//	-- file NAME      a file that the following commands find
//	-- example T NAME a table of the examples, as a file
//	-- mine T.csv X.out     its conditions in the format of CORELS
//	-- wide NAME      a table of so many columns that their pairs are too many
//	-- copy FROM TO   a file once more
//	-- edit NAME OLD NEW    another text in a file, at the first place
//	-- cut NAME N     a file without its last N bytes
//	-- remove NAME    a file that goes
//	-- lock NAME      another search has a checkpoint, until "unlock NAME"
//	-- link NAME TO   another name of a file
//	-- run ARGS       a command line; "< NAME" makes a file its stdin
//	-- late ARGS      likewise, of a program that began an hour ago
//	-- broken ARGS    likewise, with a stdout that fails
//	-- limited N,M ARGS     likewise, where no file may have more than N bytes, and again with M
//	-- silent ARGS    likewise, interrupted while it waits for stdin
//	-- interrupted ARGS     likewise, interrupted from the start
//	-- fifo NAME      a pipe with a name, which nobody writes to
//	-- stdout         what it must print; no block, nothing
//	-- stderr         likewise
//	-- exit N         its exit status; no block, 0
//	-- see NAME       what must be in a file, or that there is none
//	-- lines NAME TEXT      its lines that hold a text
//	-- same NAME OTHER      whether two files hold the same
//	-- files          the files that are there
//
// Times, sizes, machine and effort are masked by timeless. -update rewrites
// the blocks that tell what comes out. The scripts in linux need its limits and devices.
func TestScripts(t *testing.T) {
	if elsewhere != nil {
		must.Get(os.ReadDir(examples))(t) // "go test" knows by that what the result depends on
		if err := elsewhere.Wait(); err != nil {
			t.Errorf("%v\n%s", err, elsewhere.Stdout)
		}
		elsewhere = nil
		return
	}
	scripts := must.Get(filepath.Glob("testdata/*.txt"))(t)
	if len(scripts) == 0 {
		t.Fatal("no scripts")
	}
	if runtime.GOOS == "linux" {
		more, _ := filepath.Glob("testdata/linux/*.txt")
		scripts = append(scripts, more...)
	}
	for i, path := range scripts {
		if testgen.Raced && i%4 > 0 {
			continue // whatever the command, the same packages run side by side
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text := must.Get(os.ReadFile(path))(t)
			path := must.Get(filepath.Abs(path))(t)
			t.Chdir(t.TempDir())
			switch got := replay(t, string(text)); {
			case got == string(text):
			case *update:
				writeText(t, path, got)
			default:
				t.Error(difference(string(text), got))
			}
		})
	}
}

// elsewhere is a process that runs the scripts; nil: there is none. Scripts change the folder of their process, so that no test
// can run beside them in it. Where all tests are to run, that process begins before the first.
var elsewhere *exec.Cmd

// locks are those of another search.
var locks = map[string]*filelock.Lock{}

// step does what a block says, and returns what comes out. The argument comes whole, and its first word and the others.
type step func(t *testing.T, arg, first, others string) string

var steps = map[string]step{
	"example": func(t *testing.T, _, name, to string) string {
		exampleTable(t, name, to)
		return ""
	},
	"mine": func(t *testing.T, _, table, to string) string {
		mineTable(t, table, to)
		return ""
	},
	"wide": func(t *testing.T, arg, _, _ string) string { return put(t, arg, wide()) },
	"copy": func(t *testing.T, _, from, to string) string { return put(t, to, contents(t, from)) },
	"edit": func(t *testing.T, arg, _, _ string) string {
		w := words(arg)
		return put(t, w[0], strings.Replace(contents(t, w[0]), w[1], w[2], 1))
	},
	"cut": func(t *testing.T, _, name, most string) string {
		n := must.Get(strconv.Atoi(most))(t)
		text := contents(t, name)
		return put(t, name, text[:len(text)-n])
	},
	"remove": func(t *testing.T, arg, _, _ string) string {
		must.Do(t, os.Remove(arg))
		return ""
	},
	"lock": func(t *testing.T, arg, _, _ string) string {
		locks[arg] = must.Get(filelock.Take(arg))(t)
		return ""
	},
	"unlock": func(t *testing.T, arg, _, _ string) string {
		locks[arg].Release()
		return ""
	},
	"run": func(t *testing.T, arg, _, _ string) string { return execute(t.Context(), t, arg, Process{}) },
	"late": func(t *testing.T, arg, _, _ string) string {
		var out, errs bytes.Buffer
		e := &process.Env{Flag: flagOf, Stdin: &bytes.Buffer{}, Stdout: &out, Stderr: &errs, Start: time.Now().Add(-time.Hour)}
		err := dispatch(t.Context(), e, words(arg))
		if err != nil {
			fmt.Fprintln(&errs, err)
		}
		return printed(exitStatus(err), out.String(), errs.String())
	},
	"broken": func(t *testing.T, arg, _, _ string) string {
		return execute(t.Context(), t, arg, Process{Stdout: broken{}})
	},
	"silent": func(t *testing.T, arg, _, _ string) string {
		ctx, cancel := context.WithCancel(t.Context())
		return execute(ctx, t, arg, Process{Stdin: &silent{cancel: cancel, first: strings.NewReader("a,class\nx,1\n")}})
	},
	"interrupted": func(t *testing.T, arg, _, _ string) string {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return execute(ctx, t, arg, Process{})
	},
	"see": func(_ *testing.T, arg, _, _ string) string {
		text, err := os.ReadFile(arg)
		if err != nil {
			return "(is not there)\n"
		}
		return timeless(string(text))
	},
	"lines": func(t *testing.T, _, name, text string) (found string) {
		for line := range strings.Lines(contents(t, name)) {
			if strings.Contains(line, text) {
				found += line
			}
		}
		return found
	},
	"same": func(t *testing.T, _, a, b string) string { return fmt.Sprintln(contents(t, a) == contents(t, b)) },
	"files": func(*testing.T, string, string, string) (list string) {
		entries, _ := os.ReadDir(".")
		for _, e := range entries {
			list += e.Name() + "\n"
		}
		return list
	},
}

// replay runs a script and returns it with what really came out.
func replay(t *testing.T, script string) string {
	var out strings.Builder
	head, rest, _ := strings.Cut(script, "-- ")
	out.WriteString(head)
	for block := range strings.SplitSeq(rest, "\n-- ") {
		title, body, _ := strings.Cut(block, "\n")
		kind, arg, _ := strings.Cut(title, " ")
		first, others, _ := strings.Cut(arg, " ")
		switch step := steps[kind]; {
		case kind == "file":
			if body != "" {
				body += "\n"
			}
			out.WriteString("-- " + title + "\n" + body + put(t, arg, body))
		case step != nil:
			out.WriteString("-- " + title + "\n" + step(t, arg, first, others))
		}
	}
	return out.String()
}

// put writes a file.
func put(t *testing.T, name, text string) string {
	write(t, map[string]string{name: text})
	return ""
}

// Run is Process.Run of a process that has no more than streams.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Process{Stdin: stdin, Stdout: stdout, Stderr: stderr}.Run(ctx, args)
}

// execute runs a command line and returns the blocks of what came out.
func execute(ctx context.Context, t *testing.T, line string, p Process) string {
	line, input, _ := strings.Cut(line, " < ")
	var in, stdout, stderr bytes.Buffer
	if input != "" {
		in.WriteString(contents(t, input))
	}
	if p.Stdin == nil {
		p.Stdin = &in
	}
	if p.Stderr = &stderr; p.Stdout == nil {
		p.Stdout = &stdout
	}
	status := p.Run(ctx, words(line))
	return printed(status, stdout.String(), stderr.String())
}

// printed is the blocks of what a command printed, and its exit status.
func printed(status int, stdout, stderr string) (blocks string) {
	if stdout != "" {
		blocks = "-- stdout\n" + timeless(stdout)
	}
	if stderr != "" {
		blocks += "-- stderr\n" + timeless(stderr)
	}
	if status != 0 {
		blocks += fmt.Sprintf("-- exit %d\n", status)
	}
	return blocks
}

// broken is a stream that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// silent is a stream that interrupts who waits for more than its first lines.
type silent struct {
	cancel func()
	first  io.Reader
}

func (s *silent) Read(b []byte) (int, error) {
	if n, _ := s.first.Read(b); n > 0 {
		return n, nil
	}
	s.cancel()
	select {}
}

// words splits a command line at spaces; quotes hold words together.
func words(line string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`"([^"]*)"|([^ "]+)`).FindAllStringSubmatch(line, -1) {
		list = append(list, m[1]+m[2])
	}
	return list
}

// masks are what differs between two runs, machines or versions of the search.
var masks = []struct{ pattern, mask string }{
	{`(proved in|stopped after) [0-9][^,]*, [0-9,]+ prefix(es)? expanded`, "$1 TIME, N prefixes expanded"},
	{`\((proved in |stopped after |)[0-9][^,(]*, [0-9,]+ (set|rule)s? (counted|looked at)`, "(${1}TIME, N ${2}s $3"},
	{`"(seconds_[a-z]+|expanded|inserted|evaluations|map_[a-z]+|dominated|closed|longest|[a-z]+_bytes)": [0-9.e+-]+`,
		`"$1": N`},
	{`\(proved in [^,]*, ([0-9]+ search(?:es)?)`, "(proved in TIME, $1"},
	{`\(found in [^,]*, `, "(found in TIME, "},
	{`(has an objective below [0-9.]+) \([^)]*\)`, "$1 (TIME)"},
	{`(resumed from [^:]*:) .*`, "$1 EFFORT"},
	{`(, objective [0-9.]+), [0-9.]+ s`, "$1, TIME"},
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
