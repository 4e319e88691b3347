package cli

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parcorels/answer"
	"parcorels/cmd/parcorels/internal/process"
	"parcorels/model"
	"parcorels/model/given"
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

// TestCVTime: --time is a limit of each search, not of the program, which began an hour ago here.
func TestCVTime(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk2", "t.csv")
	var out strings.Builder
	e := &process.Env{Flag: flagOf, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard, Start: time.Now().Add(-time.Hour)}
	if err := dispatch(context.Background(), e, words("cv t.csv --max-card 1 --folds 3 --lambda 0.02 --time 30m")); err != nil ||
		strings.Contains(out.String(), "not proved") {
		t.Errorf("%v, %s", err, out.String())
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

// TestCountOfFits: progress counts the fits that are made, of one test part one for
// each λ.
func TestCountOfFits(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, map[string]string{"a.csv": "a,b,y\n" + strings.Repeat("1,x,1\n2,y,0\n3,x,0\n4,y,1\n5,x,1\n6,y,0\n7,x,0\n8,y,1\n", 40)})
	for options, want := range map[string][]string{
		"--holdout 0.3 --lambda 0.02": {"1 of 1 fit: λ = 0.02"},
		"--folds 2 --lambda 0.02":     {"1 of 2 fits: λ = 0.02", "2 of 2 fits: λ = 0.02"},
		"--holdout 0.3":               {"1 of 3 fits: ", "3 of 3 fits: "},
	} {
		args := append(strings.Fields("cv a.csv --progress always --workers 1 --max-card 1"), strings.Fields(options)...)
		status, _, stderr := run(args...)
		for _, line := range want {
			if status != exitDone || !strings.Contains(stderr, line) {
				t.Errorf("%s: status %d, no %q in\n%s", options, status, line, stderr)
			}
		}
	}
}
