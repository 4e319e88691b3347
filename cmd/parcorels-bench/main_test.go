package main

import (
	"context"
	"fmt"
	"os"
	"parcorels/internal/testing/blocks"
	"parcorels/internal/testing/must"
	"path/filepath"
	"strings"
	"testing"
)

// processEnv makes this test program behave like parcorels-bench.
const processEnv = "PARCORELS_TEST_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(processEnv) == "main" {
		main()
	}
	os.Exit(m.Run())
}

// run runs a command line.
func run(args ...string) (status int, stdout, stderr string) {
	return runContext(context.Background(), "", args...)
}

func runContext(ctx context.Context, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, err strings.Builder
	p := program{in: strings.NewReader(stdin), out: &out, err: &err, args: args}
	status = p.run(ctx)
	return status, out.String(), err.String()
}

// TestTexts runs the texts of testdata: "file NAME" writes its input, with the line that is above records, to a file, and "raw NAME"
// does so without that line; "run ARGS" runs a command line, and tells what it prints and its exit status unless that is 0.
func TestTexts(t *testing.T) {
	files := must.Get(filepath.Abs("testdata/*.txt"))(t)
	t.Chdir(t.TempDir())
	blocks.Replay(t, files, func(t *testing.T, command, input string) string {
		words := strings.Fields(command)
		switch words[0] {
		case "file":
			input = `{"v":4,"machine":{"cpu":"c","cores":1,"system":"s","go":"g"},"commit":"c","date":"d","command":"p"}` + "\n" + input
			fallthrough
		case "raw":
			must.Do(t, os.WriteFile(words[1], []byte(input+"\n"), 0o600))
			return ""
		}
		status, stdout, stderr := run(words[1:]...)
		if status != exitDone {
			stderr += fmt.Sprintf("status %d\n", status)
		}
		return stdout + stderr
	})
}

// TestList names suites and instances.
func TestList(t *testing.T) {
	status, stdout, stderr := run("list")
	for _, want := range []string{"suites\n", "  table ", "\ninstances\n", "  monk1 ", "FILE"} {
		if status != exitDone || !strings.Contains(stdout, want) {
			t.Errorf("status %d, no %q: %s%s", status, want, stderr, stdout)
		}
	}
}
