package cli

import (
	"os"
	"strings"
	"testing"
)

// TestReadme holds what README.md shows against what its first command prints.
func TestReadme(t *testing.T) {
	t.Chdir("../../../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
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
