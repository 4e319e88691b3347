package export

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/internal/testing/cases"
	"parcorels/internal/testing/must"
	"parcorels/model"
	"parcorels/model/predict"
)

// table says what a random table is drawn from: the cells of each column. There are texts that would be code, numbers, codes for
// missing values, dates and levels.
type table struct {
	Name    string          `json:"name"`
	Labels  []string        `json:"labels"`
	Reading dataset.Options `json:"reading"`
	Columns []struct {
		Name  string   `json:"name"`
		Cells []string `json:"cells"`
	} `json:"columns"`
}

// draw draws rows of the table's cells, and labels that the first column has some say in.
func (t *table) draw(r *rand.Rand, count int) (header []string, rows [][]string) {
	for _, c := range t.Columns {
		header = append(header, c.Name)
	}
	for range count {
		var row []string
		for _, c := range t.Columns {
			row = append(row, c.Cells[r.IntN(len(c.Cells))])
		}
		label := t.Labels[r.IntN(2)]
		if row[0] == t.Columns[0].Cells[0] {
			label = t.Labels[0]
		}
		rows = append(rows, append(row, label))
	}
	return append(header, "the label"), rows
}

// randomModel learns a list or a tree from a table.
func randomModel(t *testing.T, kind model.Family, header []string, table [][]string, o dataset.Options) model.Model {
	t.Helper()
	data := must.Get(family.Table(header, table, o))(t)
	search := family.Options{Family: kind, Lambda: "0.0001", Negations: true, MinSupport: "0.001", Nodes: 2000, Workers: 1}
	if kind == model.Tree {
		search.MaxCard, search.Depth = 1, 4
	}
	m := must.Get(family.Fit(t.Context(), data, search))(t)
	return m.Model
}

// outcome is what code says of a row.
type outcome struct {
	rule  int
	label string
	p     float64 // of the label
}

// predicted returns what the model itself says of rows.
func predicted(t *testing.T, m model.Model, header []string, rows [][]string) (all []outcome) {
	t.Helper()
	p := must.Get(predict.Bind(m, header, predict.Options{}))(t)
	for _, row := range rows {
		said := must.Get(p.Predict(row))(t)
		all = append(all, outcome{said.Case, said.Label, said.Probability()})
	}
	return all
}

// tool returns the path of a program. Where it is missing the test is skipped,
// and fails where all tools must be there.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is needed", name)
		}
		t.Skipf("%s is not installed", name)
	}
	return path
}

// executed runs a program in a folder, with input, and parses its lines: rule,
// label as JSON, probability.
func executed(t *testing.T, folder, input, name string, args ...string) (all []outcome) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = folder, strings.NewReader(input)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		var o outcome
		if o.rule, err = strconv.Atoi(f[0]); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(f[1]), &o.label); err != nil {
			t.Fatalf("%s: %v", f[1], err)
		}
		if o.p, err = strconv.ParseFloat(f[2], 64); err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	return all
}

// write writes a model in a language to a file.
func write(t *testing.T, m model.Model, language, path string) {
	t.Helper()
	f := must.Get(os.Create(path))(t)
	defer f.Close()
	must.Do(t, Write(f, m, language))
}

// compare checks that two sets of outcomes are the same row for row. A rule of
// −1 is not compared.
func compare(t *testing.T, got, want []outcome, rows [][]string, code string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i].rule != want[i].rule && got[i].rule >= 0 || got[i].label != want[i].label || math.Abs(got[i].p-want[i].p) > 1e-12 {
			text, _ := os.ReadFile(code)
			t.Fatalf("row %d %q: %v, want %v by\n%s", i, rows[i], got[i], want[i], text)
		}
	}
}

// each calls check with random lists and trees on each table, and rows of the table. Code is made of what all kinds of models
// share, their cases.
func each(t *testing.T, check func(t *testing.T, folder string, m model.Model, header []string, rows [][]string)) {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/tables.json"))(t)
	var tables []table
	must.Do(t, json.Unmarshal(text, &tables))
	for i, table := range tables {
		t.Run(table.Name, func(t *testing.T) {
			for seed := range uint64(cases.Some(20)) {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				header, rows := table.draw(r, 200)
				o := table.Reading
				o.Bins = 3 + r.IntN(3)
				kind := []model.Family{model.RuleList, model.Tree}[seed%2]
				check(t, t.TempDir(), randomModel(t, kind, header, rows, o), header, rows)
			}
		})
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b := must.Get(json.Marshal(v))(t)
	return string(b)
}

// oddCells are put into tables in place of their own.
var oddCells = []string{"", "NA", "n/a", " red ", "yes", "No", "TRUE", "0", "1", "1.0", "2.5", "1e400", "0x10", "1_0", "inf", "-Infinity",
	"nan", "never seen", ".5", "31/12/2019", "2019-02-30", "2019-03-31T25:00", "30.6.2020", "2019-06-06 06:06:06", "high", "2",
	"\t1\u00a0", strings.Repeat("1", 401)}

// disturbed replaces some cells by odd ones.
func disturbed(rows [][]string) (all [][]string) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, row := range rows {
		other := append([]string{}, row...)
		for k := range other {
			if r.IntN(3) == 0 {
				other[k] = oddCells[r.IntN(len(oddCells))]
			}
		}
		all = append(all, other)
	}
	return append(all, rows...)
}

// drivers are programs that predict rows with the code of models.
var drivers = map[string]struct{ tool, path, ending string }{
	"python": {"python3", "testdata/run.py", "py"}, "javascript": {"node", "testdata/run.js", "js"},
	"sql": {"python3", "testdata/run_sql.py", "sql"},
}

// drive asks the code in a folder, each by a question.
func drive(t *testing.T, language, folder string, questions ...any) []outcome {
	t.Helper()
	path := must.Get(filepath.Abs(drivers[language].path))(t)
	return executed(t, folder, toJSON(t, questions), tool(t, drivers[language].tool), path)
}

// question asks the code in the file of a name, without its ending, for rows.
func question(d *Decision, language, name string, header []string, rows [][]string) any {
	if language != "sql" {
		return []any{name, header, nil, rows}
	}
	types := make([]string, len(header))
	for k, column := range header {
		types[k] = "TEXT"
		if i := d.at(column); i >= 0 && d.Columns[i].Type == NumberColumn && d.Columns[i].Time == "" && d.Columns[i].Levels == nil {
			types[k] = "REAL"
		}
	}
	return []any{name, header, types, typedRows(d, header, rows)}
}

// TestLanguages holds code on odd cells to what the model itself says. A typed table, as SQL has, holds no odd cells.
func TestLanguages(t *testing.T) {
	for language, driver := range drivers {
		t.Run(language, func(t *testing.T) {
			folder := t.TempDir()
			var questions []any // one process answers all of them
			var inputs [][][]string
			var wants [][]outcome
			code := func(k int) string { return filepath.Join(folder, fmt.Sprintf("model%d.%s", k, driver.ending)) }
			each(t, func(t *testing.T, _ string, m model.Model, header []string, rows [][]string) {
				k := len(questions)
				write(t, m, language, code(k))
				if language != "sql" {
					rows = disturbed(rows)
				}
				questions = append(questions, question(NewDecision(m), language, fmt.Sprint("model", k), header, rows))
				inputs, wants = append(inputs, rows), append(wants, predicted(t, m, header, rows))
			})
			got := drive(t, language, folder, questions...)
			for k, want := range wants {
				n := min(len(want), len(got))
				compare(t, got[:n], want, inputs[k], code(k))
				got = got[n:]
			}
		})
	}
}

// typedRows turns cells into what a typed table holds: numbers, texts, nil.
func typedRows(d *Decision, header []string, rows [][]string) (all [][]any) {
	for _, row := range rows {
		var typed []any
		for k, cell := range row {
			column := d.at(header[k])
			v, err := strconv.ParseFloat(cell, 64)
			switch {
			case cell == "" || cell == "?":
				typed = append(typed, nil)
			case column >= 0 && d.Columns[column].Time != "":
				days, _ := d.Columns[column].Parse(cell)
				at := time.Unix(int64(math.Round(days*86400)), 0).UTC()
				typed = append(typed, strings.TrimSuffix(at.Format(time.DateTime), " 00:00:00"))
			case column >= 0 && d.Columns[column].Levels != nil:
				typed = append(typed, cell)
			case column >= 0 && d.Columns[column].Type == NumberColumn && err == nil:
				typed = append(typed, v)
			case column >= 0 && d.Columns[column].Type == NumberColumn:
				typed = append(typed, nil)
			default:
				typed = append(typed, cell)
			}
		}
		all = append(all, typed)
	}
	return all
}

func TestC(t *testing.T) {
	gcc := tool(t, "gcc")
	each(t, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		code := filepath.Join(folder, "model.c")
		write(t, m, "c", code)
		must.Do(t, os.WriteFile(filepath.Join(folder, "main.c"), []byte(cMain(t, NewDecision(m), header, rows)), 0o666))
		executed(t, folder, "", gcc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "main.c", "-o", "main", "-lm")
		got := executed(t, folder, "", filepath.Join(folder, "main"))
		classes := NewDecision(m).Classes
		for i := range got {
			k := must.Get(strconv.Atoi(got[i].label))(t)
			got[i].label = classes[k]
		}
		compare(t, got, predicted(t, m, header, rows), rows, code)
	})
}

// cMain is a program that predicts for rows and prints the class by its number;
// that parcorels_class has the labels is checked by memcmp.
func cMain(t *testing.T, d *Decision, header []string, rows [][]string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n#include \"model.c\"\nstatic const parcorels_row rows[] = {\n")
	place := map[string]int{}
	for k, name := range header {
		place[name] = k
	}
	for _, row := range rows {
		b.WriteString("{")
		for _, c := range d.Columns {
			cell := row[place[c.Name]]
			v, err := strconv.ParseFloat(cell, 64)
			if c.Time != "" || c.Levels != nil {
				known := false
				if v, known = c.Parse(cell); known {
					err = nil
				}
			}
			switch {
			case c.Type == TruthColumn:
				fmt.Fprintf(&b, "%d, ", map[string]int{"yes": 1, "t": 1, "1": 1}[cell])
			case c.Type == NumberColumn && err == nil:
				fmt.Fprintf(&b, "%v, ", v)
			case c.Type == NumberColumn:
				b.WriteString("NAN, ")
			case cell == "":
				b.WriteString("NULL, ")
			default:
				b.WriteString("\" " + octal(cell) + "\\t\", ") // space around does not count
			}
		}
		if len(d.Columns) == 0 {
			b.WriteString("0")
		}
		b.WriteString("},\n")
	}
	b.WriteString("};\nint main(void) {\n")
	for k, c := range d.Classes {
		fmt.Fprintf(&b, "\tif (strcmp(parcorels_class[%d], \"%s\") != 0) return 1;\n", k, octal(c))
	}
	b.WriteString(`	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int r = parcorels_decide(&rows[i]);
		printf("%d\t\"%d\"\t%.17g\n", r, parcorels_prediction[r], parcorels_probability[r][parcorels_prediction[r]]);
	}
	return 0;
}
`)
	return b.String()
}

// octal writes every byte of a text as an escape of C.
func octal(text string) string {
	var b strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&b, "\\%03o", text[i])
	}
	return b.String()
}

func TestJSON(t *testing.T) {
	each(t, func(t *testing.T, folder string, m model.Model, _ []string, _ [][]string) {
		code := filepath.Join(folder, "model.json")
		write(t, m, "json", code)
		b := must.Get(os.ReadFile(code))(t)
		var d Decision
		must.Do(t, json.Unmarshal(b, &d))
		if again := toJSON(t, &d); again != toJSON(t, NewDecision(m)) {
			t.Errorf("JSON reads back as %s", again)
		}
		if len(d.Cases) != len(m.Cases()) || len(d.Columns) != len(m.About().Columns) {
			t.Errorf("%d cases and %d columns", len(d.Cases), len(d.Columns))
		}
	})
}

func TestUnknownLanguage(t *testing.T) {
	if err := Write(nil, nil, "cobol"); err == nil || !strings.Contains(err.Error(), "sql, python, c, javascript, json") {
		t.Errorf("error %v", err)
	}
}
