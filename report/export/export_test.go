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
	"parcorels/model"
	"parcorels/model/predict"
)

// cellsOf are the cells that the columns of a test's table are filled with.
type cellsOf struct {
	name  string
	cells []string
}

var (
	tableOfTexts = []cellsOf{
		{`say "colour", 'hue'`, []string{"red", "it's", `"q"`, `back\slash`, "a,b", "two words", "größe ?", "??)"}},
		{"select", []string{"x", "y", "z", "", "NA"}},
		{"*/ // -- #", []string{"yes", "no"}},
	}
	tableOfNumbers = []cellsOf{
		{"Größe; drop", []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}},
		{"class", []string{"-0.5", "0.1", "0.30000000000000004", "2.5e-7", "1e15", "1e22", "3"}},
		{"1st", []string{"10", "20", "30", "", "NA", "-7"}},
		{"few", []string{"1.5", "2", "?"}},
	}
	tableOfMixed = []cellsOf{
		{"a b", []string{"t", "f"}},
		{"a_b", []string{"0", "1", "2", "3", "4", "5", "6", "7", "-999"}},
		{"c", []string{"u", "v", "w", "-"}},
		{"long", []string{"3.25", "4.5", "5.75", "6", "7", "8.125", "9"}},
	}
)

// testTable is what random tables are drawn from.
type testTable struct {
	name    string
	columns []cellsOf
	labels  []string
	missing []string
}

// scaled has dates and ordered categories.
var scaled = testTable{"scaled", []cellsOf{
	{"stage", []string{"low", "mid", "high", "", "top"}},
	{"seen", []string{"2019-03-31", "2020-02-29", "2019-03-31T08:30", "2019-03-31 08:30:15", "1969-12-31 23:59:59", "2021-07-01",
		"2023-12-24T00:00Z", "2024-05-05"}},
	{"born", []string{"31/12/1959", "1/2/1960", "28/2/1970", "29/2/2000", "7/7/1977", "8/8/1988", "?"}},
	{"paid", []string{"1.1.2020", "30.6.2020", "15.7.2020", "2020-12-31", "3.3.2021", "4.4.2021"}},
}, []string{"no", "yes"}, nil}

var allTables = []testTable{
	scaled,
	{"texts", tableOfTexts, []string{"no", "it's \"so\""}, nil},
	{"numbers", tableOfNumbers, []string{"0", "1"}, nil},
	{"mixed", tableOfMixed, []string{`a\b`, "ü"}, []string{"-", "-999"}},
}

// randomTable draws rows of the table's cells, and labels that the first column
// has some say in.
func randomTable(r *rand.Rand, columns []cellsOf, labels []string, rows int) (header []string, table [][]string) {
	for _, c := range columns {
		header = append(header, c.name)
	}
	for range rows {
		var row []string
		for _, c := range columns {
			row = append(row, c.cells[r.IntN(len(c.cells))])
		}
		label := labels[r.IntN(2)]
		if row[0] == columns[0].cells[0] {
			label = labels[0]
		}
		table = append(table, append(row, label))
	}
	return append(header, "the label"), table
}

// randomModel learns a list or a tree from a table.
func randomModel(t *testing.T, kind model.Family, header []string, table [][]string, o dataset.Options) model.Model {
	t.Helper()
	data, err := family.Table(header, table, o)
	if err != nil {
		t.Fatal(err)
	}
	search := family.Options{Family: kind, Lambda: "0.0001", Negations: true, MinSupport: "0.001", Nodes: 2000, Workers: 1}
	if kind == model.Tree {
		search.MaxCard, search.Depth = 1, 4
	}
	m, err := family.Fit(t.Context(), data, search)
	if err != nil {
		t.Fatal(err)
	}
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
	p, err := predict.Bind(m, header, predict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		said, err := p.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
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
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Write(f, m, language); err != nil {
		t.Fatal(err)
	}
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
func each(t *testing.T, tables []testTable, check func(t *testing.T, folder string, m model.Model, header []string, rows [][]string)) {
	for i, table := range tables {
		t.Run(table.name, func(t *testing.T) {
			for seed := range uint64(cases.Some(20)) {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				header, rows := randomTable(r, table.columns, table.labels, 200)
				o := dataset.Options{Missing: table.missing, Bins: 3 + r.IntN(3)}
				if table.name == "mixed" {
					o.Cuts = map[string][]float64{"a_b": {3, 5}} // below them lies −999, which is missing
				}
				if table.name == "scaled" {
					o.Ordered = map[string][]string{"stage": {"low", "mid", "high", "top"}}
				}
				kind := []model.Family{model.RuleList, model.Tree}[seed%2]
				check(t, t.TempDir(), randomModel(t, kind, header, rows, o), header, rows)
			}
		})
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
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

const pythonMain = `import json, sys, model
header, rows = json.load(sys.stdin)
for row in rows:
    row = dict(zip(header, row))
    label, probabilities = model.predict(row)
    print(model.decide(row), json.dumps(label), repr(probabilities[label]), sep="\t")
`

func TestPython(t *testing.T) {
	python := tool(t, "python3")
	each(t, allTables, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		code := filepath.Join(folder, "model.py")
		write(t, m, "python", code)
		rows = disturbed(rows)
		got := executed(t, folder, toJSON(t, []any{header, rows}), python, "-c", pythonMain)
		compare(t, got, predicted(t, m, header, rows), rows, code)
	})
}

const javascriptMain = `const m = require("./model.js");
const [header, rows] = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const cells of rows) {
  const row = Object.fromEntries(header.map((name, i) => [name, cells[i]]));
  const p = m.predict(row);
  console.log([p.rule, JSON.stringify(p.label), p.probabilities[m.CLASSES.indexOf(p.label)]].join("\t"));
}
`

func TestJavaScript(t *testing.T) {
	node := tool(t, "node")
	each(t, allTables, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		code := filepath.Join(folder, "model.js")
		write(t, m, "javascript", code)
		rows = disturbed(rows)
		got := executed(t, folder, toJSON(t, []any{header, rows}), node, "-e", javascriptMain)
		compare(t, got, predicted(t, m, header, rows), rows, code)
	})
}

// typedRows turns cells into what a typed table holds: numbers, texts, nil.
func typedRows(t *testing.T, d *Decision, header []string, rows [][]string) (all [][]any) {
	t.Helper()
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

const sqlMain = `import json, sqlite3, sys
header, types, rows = json.load(sys.stdin)
db = sqlite3.connect(":memory:")
quoted = lambda name: '"' + name.replace('"', '""') + '"'
db.execute("CREATE TABLE t (%s)" % ", ".join(quoted(h) + " " + k for h, k in zip(header, types)))
db.executemany("INSERT INTO t VALUES (%s)" % ", ".join("?" * len(header)), rows)
for row in db.execute("SELECT %s FROM t ORDER BY rowid" % open("model.sql", encoding="utf-8").read()):
    print(-1, json.dumps(row[0]), repr(row[1]), sep="\t")
`

func TestSQL(t *testing.T) {
	python := tool(t, "python3")
	each(t, allTables, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		code := filepath.Join(folder, "model.sql")
		write(t, m, "sql", code)
		d := NewDecision(m)
		types := make([]string, len(header))
		for k, name := range header {
			types[k] = "TEXT"
			if i := d.at(name); i >= 0 && d.Columns[i].Type == NumberColumn && d.Columns[i].Time == "" && d.Columns[i].Levels == nil {
				types[k] = "REAL"
			}
		}
		input := toJSON(t, []any{header, types, typedRows(t, d, header, rows)})
		got := executed(t, folder, input, python, "-c", sqlMain)
		compare(t, got, predicted(t, m, header, rows), rows, code)
	})
}

func TestC(t *testing.T) {
	gcc := tool(t, "gcc")
	each(t, allTables, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		code := filepath.Join(folder, "model.c")
		write(t, m, "c", code)
		if err := os.WriteFile(filepath.Join(folder, "main.c"), []byte(cMain(t, NewDecision(m), header, rows)), 0o666); err != nil {
			t.Fatal(err)
		}
		executed(t, folder, "", gcc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "main.c", "-o", "main", "-lm")
		got := executed(t, folder, "", filepath.Join(folder, "main"))
		classes := NewDecision(m).Classes
		for i := range got {
			k, err := strconv.Atoi(got[i].label)
			if err != nil {
				t.Fatal(err)
			}
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
	each(t, allTables, func(t *testing.T, folder string, m model.Model, _ []string, _ [][]string) {
		code := filepath.Join(folder, "model.json")
		write(t, m, "json", code)
		b, err := os.ReadFile(code)
		if err != nil {
			t.Fatal(err)
		}
		var d Decision
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
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
