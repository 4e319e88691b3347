package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
	"parcorels/model"
)

// vector is a test with what it says of some cells: yes, no, or unknown where nobody can say, so that
// neither it nor its negation holds.
type vector struct {
	About string            `json:"about"`
	Test  dataset.Test      `json:"test"`
	Cells map[string]string `json:"cells"`
}

var answers = []string{"yes", "no", "unknown"}

// decision predicts the answer: where the test holds, where its negation does, and else.
func (v *vector) decision() *Decision {
	d := &Decision{
		Family: model.RuleList, Software: "test", Source: "t.csv", Hash: "sha256:0", Target: "answer", Classes: answers,
		Columns:      []Column{{Name: "x", Type: typeOf(v.Test.Kind), Scale: v.Test.Scale}},
		MissingWords: dataset.MissingWords(v.Test.MissingWords),
	}
	for k := range answers {
		c := Case{Class: k, Samples: []int64{0, 0, 0}, Weights: []int64{0, 0, 0}, Probabilities: []float64{0, 0, 0}}
		if c.Probabilities[k] = 1; k < 2 {
			c.When = []model.Literal{{Name: answers[k], Column: "x", Negated: k == 1, Test: v.Test}}
		}
		d.Cases = append(d.Cases, c)
	}
	return d
}

// asked are the cells that code in a language is asked for: where columns are typed, no text where numbers are.
func (v *vector) asked(language string) (cells []string) {
	if language == "python" || language == "javascript" {
		return slices.Sorted(maps.Keys(v.Cells))
	}
	for _, cell := range slices.Sorted(maps.Keys(v.Cells)) {
		_, err := v.Test.Holds(cell)
		x, number := v.Test.Parse(cell)
		switch typeOf(v.Test.Kind) {
		case NumberColumn:
			if number && !math.IsInf(x, 0) || cell == "" {
				cells = append(cells, cell)
			}
		case TruthColumn:
			if err == nil {
				cells = append(cells, cell)
			}
		default:
			cells = append(cells, cell)
		}
	}
	return cells
}

// TestVectors holds every language, and dataset.Test, to one table of tests and cells.
func TestVectors(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/vectors.json"))(t)
	var vectors []vector
	must.Do(t, json.Unmarshal(text, &vectors))
	for _, v := range vectors {
		for cell, want := range v.Cells {
			if holds, err := v.Test.Holds(cell); want != map[bool]string{true: "yes", false: "no"}[holds] && err == nil ||
				(err != nil) != (want == "unknown") {
				t.Errorf("%s: %q is %v, %v, want %s", v.About, cell, holds, err, want)
			}
		}
	}
	driven := func(language string) func(*testing.T, string, []vector) []outcome {
		return func(t *testing.T, folder string, list []vector) []outcome {
			var questions []any
			for k, v := range list {
				name, rows := fmt.Sprintf("v%d", k), column(v.asked(language))
				questions = append(questions, question(v.decision(), language, name, []string{"x"}, rows))
			}
			return drive(t, language, folder, questions...)
		}
	}
	for language, run := range map[string]func(t *testing.T, folder string, list []vector) []outcome{
		"python": driven("python"), "javascript": driven("javascript"), "sql": driven("sql"),
		"c": func(t *testing.T, folder string, list []vector) []outcome {
			// All models are one program: each name gets the number of its model.
			names := regexp.MustCompile(`\b(trimmed|same_word|(text|number)_missing|test_[a-z_]+|missing_(words|numbers)|parcorels_[a-z_]+|rows|main)\b`)
			var b strings.Builder
			for k, v := range list {
				text := strings.Replace(cMain(t, v.decision(), []string{"x"}, column(v.asked("c"))), "#include \"model.c\"\n",
					written(t, v.decision(), "c"), 1)
				b.WriteString(names.ReplaceAllString(text, fmt.Sprintf("${1}_%d", k)) + "\n")
			}
			b.WriteString("int main(void) { return 0")
			for k := range list {
				fmt.Fprintf(&b, " || main_%d()", k)
			}
			b.WriteString("; }\n")
			must.Do(t, os.WriteFile(filepath.Join(folder, "all.c"), []byte(b.String()), 0o666))
			executed(t, folder, "", tool(t, "gcc"), "-std=c99", "-O0", "all.c", "-o", "all", "-lm")
			got := executed(t, folder, "", filepath.Join(folder, "all"))
			for i := range got {
				got[i].label = answers[got[i].rule]
			}
			return got
		},
		"onnx": func(t *testing.T, folder string, list []vector) (all []outcome) {
			packages := os.Getenv("PARCORELS_ONNX")
			if packages == "" {
				t.Skip("PARCORELS_ONNX names no folder with the package onnxruntime-web")
			}
			for k, v := range list {
				folder := filepath.Join(folder, fmt.Sprint(k))
				must.Do(t, os.Mkdir(folder, 0o777))
				must.Do(t, os.WriteFile(filepath.Join(folder, "model.onnx"), []byte(written(t, v.decision(), "onnx")), 0o666))
				all = append(all, onnxRun(t, folder, packages, v.decision(), []string{"x"}, column(v.asked("onnx")))...)
			}
			return all
		},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			var want []string
			for k, v := range vectors {
				ending := cmp.Or(drivers[language].ending, language)
				must.Do(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("v%d.%s", k, ending)),
					[]byte(written(t, v.decision(), language)), 0o666))
				for _, cell := range v.asked(language) {
					want = append(want, fmt.Sprintf("%s: %q is %s", v.About, cell, v.Cells[cell]))
				}
			}
			got := run(t, folder, vectors)
			if len(got) != len(want) {
				t.Fatalf("%d answers, want %d", len(got), len(want))
			}
			for i := range got {
				if !strings.HasSuffix(want[i], " "+got[i].label) {
					t.Errorf("%s, got %s", want[i], got[i].label)
				}
			}
		})
	}
}

// written is the code of a decision.
func written(t *testing.T, d *Decision, language string) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, writers[language](&b, d))
	return b.String()
}

// column is a table of one column.
func column(cells []string) (rows [][]string) {
	for _, cell := range cells {
		rows = append(rows, []string{cell})
	}
	return rows
}
