package cli

import (
	"strings"
	"testing"
)

// TestCompletion asks as the scripts of the shells do: what may follow.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		line, want string // words are separated by one space; the last may be empty
	}{
		{"f", "fit"},
		{"completion ", "bash fish powershell zsh :4"},
		{"help ve", "verify version :4"},
		{"fit ", ":0"},
		{"fit t.csv --targ", "--target :4"},
		{"fit t.csv --model ", "list tree set bayes :4"},
		{"fit t.csv --lambda ", ":4"},
		{"version ", ":4"},
		{"verify p.proof t.csv --json ", ":0"},
	} {
		status, stdout, _ := run(append([]string{"__complete"}, strings.Split(c.line, " ")...)...)
		var got []string
		for line := range strings.Lines(stdout) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, word)
		}
		for _, word := range strings.Fields(c.want) {
			found := false
			for _, g := range got {
				found = found || g == word
			}
			if !found {
				t.Errorf("%q: status %d, got %q, want %s", c.line, status, got, word)
			}
		}
	}
}
