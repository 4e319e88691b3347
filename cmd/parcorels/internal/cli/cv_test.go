package cli

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"parcorels/answer"
	"parcorels/internal/testing/given"
	"parcorels/model"
	"parcorels/rulelist"
)

// TestHanging: rules are broken before "and" and "then", within 80 columns.
func TestHanging(t *testing.T) {
	name := strings.Repeat("ä", 30)
	got := model.Fill([]string{"else if " + name, "and " + name, "and " + name, "then yes"}, answer.Width)
	want := []string{"else if " + name + " and " + name, "    and " + name + " then yes"}
	if !slices.Equal(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	for _, line := range got {
		if utf8.RuneCountInString(line) > answer.Width {
			t.Errorf("too wide: %s", line)
		}
	}
	if got := model.Fill([]string{"if   a", "then yes"}, answer.Width); !slices.Equal(got, []string{"if   a then yes"}) {
		t.Errorf("%q", got)
	}
}

// loadList reads a rule list that a command wrote.
func loadList(path string) (*rulelist.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return given.Model(rulelist.Codec, f, path)
}
