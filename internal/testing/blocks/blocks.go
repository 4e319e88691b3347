// Package blocks runs tests that are texts: commands, their input and what must come out. Begin with [Replay].
package blocks

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
)

var update = flag.Bool("update", false, "rewrite what must come out in testdata")

// Replay runs the blocks of text files. A block is a line with a command, lines of input, a line "----", and what must come out, up
// to an empty line. Between blocks stand empty lines and comments, which begin with #. With -update the outcomes are rewritten.
func Replay(t *testing.T, pattern string, run func(t *testing.T, command, input string) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text := must.Get(os.ReadFile(path))(t)
			got := replay(t, path, strings.Split(string(text), "\n"), run)
			if *update && got != string(text) {
				must.Do(t, os.WriteFile(path, []byte(got), 0o644))
			}
		})
	}
}

// replay returns the lines with what really comes out. Differences are errors, unless they are to be rewritten.
func replay(t *testing.T, path string, lines []string, run func(t *testing.T, command, input string) string) string {
	var all, block []string
	for i := 0; i < len(lines); i++ {
		all = append(all, lines[i])
		switch {
		case lines[i] != "----":
			if block = append(block, lines[i]); len(block) == 1 && (lines[i] == "" || lines[i][0] == '#') {
				block = nil
			}
			continue
		case len(block) == 0:
			t.Fatalf("%s:%d: no command", path, i+1)
		}
		first, line := i+1, i+1-len(block)
		for i+1 < len(lines) && lines[i+1] != "" {
			i++
		}
		want := strings.Join(lines[first:i+1], "\n")
		got := strings.TrimRight(run(t, block[0], strings.Join(block[1:], "\n")), "\n")
		got = strings.ReplaceAll(got, "\n\n", "\n \n")
		if got != want && !*update {
			t.Errorf("%s:%d: %s\nwant\n%s\ngot\n%s", path, line, block[0], want, got)
		}
		if got != "" {
			all = append(all, got)
		}
		block = nil
	}
	return strings.Join(all, "\n")
}

// Options reads the options of a command, an object of JSON behind its name, into one of the caller's. It returns the words between.
func Options(t *testing.T, command string, to any) (words []string) {
	t.Helper()
	head, object, _ := strings.Cut(command, "{")
	if object != "" {
		d := json.NewDecoder(strings.NewReader("{" + object))
		d.DisallowUnknownFields()
		if err := d.Decode(to); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
	}
	return strings.Fields(head)
}
