package cli

import (
	"context"
	"encoding/json"
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

// TestCVLimits: what a limit ended is said to be unproven.
func TestCVLimits(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk2", "t.csv")
	status, stdout, stderr := run(words("cv t.csv --max-card 1 --folds 3 --nodes 1 --lambda 0.01 --json cv.json")...)
	flat := strings.Join(strings.Fields(stdout), " ")
	if status != exitDone || stderr != "" || !strings.Contains(flat, "all 3 folds not proved optimal: a limit ended the search") {
		t.Errorf("status %d, stderr %q\n%s", status, stderr, stdout)
	}
	text, err := os.ReadFile("cv.json")
	if err != nil || strings.Count(string(text), `"node-limit"`) != 3 || !strings.Contains(string(text), `"folds_unproven": 3`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestCVStdoutForOne: a result that goes to stdout is alone there.
func TestCVStdoutForOne(t *testing.T) {
	t.Chdir(t.TempDir())
	exampleTable(t, "monk1", "t.csv")
	status, stdout, stderr := run(words("cv t.csv --folds 3 --lambda 0.05,0.02 --pick one-se --json -")...)
	var object struct {
		Picked string `json:"picked_lambda"`
		Fits   []any  `json:"fits"`
	}
	if err := json.Unmarshal([]byte(stdout), &object); status != exitDone || err != nil || object.Picked != "0.05" ||
		len(object.Fits) != 6 {
		t.Errorf("status %d, stderr %q, %v\n%s", status, stderr, err, stdout)
	}
}

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
