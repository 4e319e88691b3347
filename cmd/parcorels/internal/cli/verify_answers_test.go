package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"parcorels/internal/cases"
	"parcorels/internal/testgen"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notAnew are the answers that verify does not give anew, and says so or shows them nowhere.
var notAnew = []string{"states", "edges", "seconds_search", "shown"}

var indices = regexp.MustCompile(`\[[0-9]+\]`)

// TestTamperedAnswers changes each number and name of answers about good models: none passes. By
// default it changes one of each kind, and of the others a tenth.
func TestTamperedAnswers(t *testing.T) {
	testgen.NotRaced(t)
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(8, 1))
	for file, rows := range map[string]int{"t.csv": 40, "more.csv": 8, "three.csv": 40, "three-more.csv": 8} {
		text := "a,b,c,d,y\n"
		for range rows {
			a, b, c, d := r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(2)
			y := a + b*r.IntN(2) + c
			if y /= 2; strings.HasPrefix(file, "three") {
				y = a + b&c + r.IntN(9)/8*(1-a)
			}
			text += fmt.Sprintf("a%d,b%d,c%d,d%d,y%d\n", a, b, c, d, y)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(line string) (int, string) {
		var out bytes.Buffer
		status := Run(context.Background(), words(line), strings.NewReader(""), &out, &out)
		return status, out.String()
	}
	for _, family := range []string{
		"list --lambda 0.05 --within-rules 1.2", "list --lambda 0.05 --within-rules 1.2 --without-column d",
		"tree --lambda 0.04 --within-rules 2", "tree --lambda 0.04 --within-rules 2 --without-column d",
		"list --lambda 0.05", "tree --lambda 0.05", // three classes
	} {
		table, parts := "t.csv", []string{"shares decided", "reliance", "sets of columns", "discrepancy", "errors on ", "rows of "}
		line := "alternatives t.csv -o good --json a.json --quiet --columns --reliance --disagreement --test more.csv --rows more.csv --model " + family
		if strings.HasSuffix(family, " 0.05") {
			table, line = "three.csv", strings.NewReplacer("t.csv", "three.csv", "more.csv", "three-more.csv").Replace(line)
		} else {
			line, parts = line+" --group d=d1", append(parts, "group differences")
		}
		if status, out := run(line); status != 0 {
			t.Fatal(out)
		}
		text, err := os.ReadFile("a.json")
		if err != nil {
			t.Fatal(err)
		}
		verify := "verify good " + table + " a.json --quiet"
		status, out := run(verify)
		for _, part := range parts {
			told, _, _ := strings.Cut(out, "; not answered anew")
			if status != 0 || !strings.Contains(told, part) {
				t.Fatalf("%s is not answered anew: %d %s", part, status, out)
			}
		}
		tampered, kinds := 0, map[string]bool{}
		var whole any
		if err := json.Unmarshal(text, &whole); err != nil {
			t.Fatal(err)
		}
		tamper(whole, "", func(where string) {
			tampered++
			kind := indices.ReplaceAllString(where, "")
			if !cases.All() && kinds[kind] && r.IntN(10) > 0 {
				return
			}
			kinds[kind] = true
			changed, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("a.json", changed, 0o644); err != nil {
				t.Fatal(err)
			}
			if status, out := run(verify); status == 0 {
				t.Errorf("%s: a change of %s is accepted: %s", family, where, out)
			}
		})
		if tampered < 50 {
			t.Errorf("%d answers were changed", tampered)
		}
	}
}

// tamper changes each number, and each text that is one or a class, in turn, and restores it after the call.
func tamper(x any, path string, call func(where string)) {
	change := func(where string, old any, set func(any)) {
		switch v := old.(type) {
		case float64:
			set(v + 100) // another row may get the same answer
			call(where)
			set(old)
			if v < 0 {
				set(-v)
				call(where + " (its sign)")
				set(old)
			}
		case string:
			if name := where[strings.LastIndex(where, ".")+1:]; name == "lists" || name == "trees" || name == "lists_with" {
				set(v + "0")
			} else if strings.HasSuffix(name, "predicts") {
				set(map[bool]string{true: "y1", false: "y0"}[v == "y0"])
			} else {
				return
			}
			call(where)
			set(old)
		default:
			tamper(old, where, call)
		}
	}
	switch x := x.(type) {
	case map[string]any:
		for key, old := range x {
			where := path + "." + key
			if !slices.Contains(notAnew, key) {
				change(where, old, func(v any) { x[key] = v })
			}
		}
	case []any:
		for i, old := range x {
			change(fmt.Sprintf("%s[%d]", path, i), old, func(v any) { x[i] = v })
		}
	}
}

// TestFalseAnswers writes other answers into a file, in the words of it: none passes.
func TestFalseAnswers(t *testing.T) {
	t.Chdir(t.TempDir())
	table := "a,b,c,y\n" + strings.Repeat("1,0,1,y1\n0,1,1,y0\n1,1,0,y1\n0,0,0,y0\n0,0,1,y0\n1,0,1,y1\n", 4) + "1,1,1,y0\n0,1,0,y1\n"
	if err := os.WriteFile("t.csv", []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(line string) (int, string) {
		var out bytes.Buffer
		status := Run(context.Background(), words(line), strings.NewReader(""), &out, &out)
		return status, out.String()
	}
	tried := map[string]bool{}
	for _, of := range []string{"list", "tree", "list --without-column a", "list --limit 8"} {
		if status, out := run("alternatives t.csv -o good --json a.json --quiet --columns --reliance --lambda 0.05 --within-rules 2.5 --model " + of); status != 0 {
			t.Fatal(out)
		}
		text, err := os.ReadFile("a.json")
		if err != nil {
			t.Fatal(err)
		}
		if status, out := run("verify good t.csv a.json --quiet"); status != 0 {
			t.Fatalf("%s: %s", of, out)
		}
		for _, change := range [][2]string{
			{`"reliance_least": [-.0-9]+,`, `"reliance_least": -0.9,`}, {`"reliance_most": [-.0-9]+,`, ""}, {`"reliance_least": [-.0-9]+,`, ""},
			{`"lambda": "0.05"`, `"lambda": "0.5"`}, {`"model": "tree"`, `"model": "rule list"`}, {`"optimum": `, `"optimum": 1`},
			{`"complete": false`, `"complete": true`}, {`"threshold_asked": `, `"threshold_asked": 1`},
			{`"trees": "([0-9])([0-9]+)"`, `"lists": "$1", "trees": "$2"`}, {`"trees": "([0-9])([0-9]+)"`, `"lists": "$1$2"`},
		} {
			changed := regexp.MustCompile(change[0]).ReplaceAll(text, []byte(change[1]))
			if bytes.Equal(changed, text) || strings.Contains(change[1], "asked") && bytes.Contains(text, []byte(`"complete": false`)) {
				continue
			}
			tried[change[0]+change[1]] = true
			if err := os.WriteFile("a.json", changed, 0o644); err != nil {
				t.Fatal(err)
			}
			if status, out := run("verify good t.csv a.json --quiet"); status != 1 {
				t.Errorf("%s: %q for %q: status %d: %s", of, change[1], change[0], status, out)
			}
		}
	}
	if len(tried) < 9 {
		t.Errorf("only %d of 10 answers were there to be changed: %v", len(tried), tried)
	}
}
