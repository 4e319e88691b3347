package export

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parcorels/model"
)

const onnxMain = `import * as ort from "onnxruntime-web";
import * as fs from "fs";
const [columns, n, classes] = JSON.parse(fs.readFileSync(0, "utf8"));
ort.env.logLevel = "error";
const session = await ort.InferenceSession.create(new Uint8Array(fs.readFileSync("model.onnx")));
const feeds = {};
for (const c of columns) {
  feeds[c.name] = c.texts ? new ort.Tensor("string", c.texts, [n, 1])
    : new ort.Tensor("float64", Float64Array.from(c.numbers, (v) => v === null ? NaN : Number(v.replace("Inf", "Infinity"))), [n, 1]);
}
const out = await session.run(feeds);
const value = (name) => { while (!(name in out) || name in feeds) name += "_"; return out[name]; };
const labels = value("label").data, p = value("probabilities").data, rule = value("rule").data, k = p.length / n;
for (let i = 0; i < n; i++) {
  console.log([Number(rule[i]), JSON.stringify(labels[i]), p[i * k + classes.indexOf(labels[i])]].join("\t"));
}
`

// onnxColumn is the input for a column.
type onnxColumn struct {
	Name    string    `json:"name"`
	Texts   []string  `json:"texts,omitempty"`
	Numbers []*string `json:"numbers,omitempty"`
}

// TestONNX runs graphs by ONNX Runtime for the web, where PARCORELS_ONNX names a folder with its
// package from npm.
func TestONNX(t *testing.T) {
	packages := os.Getenv("PARCORELS_ONNX")
	if packages == "" {
		t.Skip("PARCORELS_ONNX names no folder with the package onnxruntime-web")
	}
	each(t, allTables, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		write(t, m, "onnx", filepath.Join(folder, "model.onnx"))
		d := NewDecision(m)
		rows = d.typed(header, disturbed(rows))
		compare(t, onnxRun(t, folder, packages, d, header, rows), predicted(t, m, header, rows), rows, "no text")
	})
}

// onnxRun runs the graph of a folder on rows.
func onnxRun(t *testing.T, folder, packages string, d *Decision, header []string, rows [][]string) []outcome {
	t.Helper()
	if err := os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "main.mjs"), []byte(onnxMain), 0o666); err != nil {
		t.Fatal(err)
	}
	input := []any{d.onnxInputs(header, rows), len(rows), d.Classes}
	return executed(t, folder, toJSON(t, input), tool(t, "node"), "main.mjs")
}

// onnxInputs turns cells into what the graph reads.
func (d *Decision) onnxInputs(header []string, rows [][]string) (list []onnxColumn) {
	if len(d.Columns) == 0 {
		return []onnxColumn{{Name: "row", Numbers: make([]*string, len(rows))}}
	}
	for _, c := range d.Columns {
		in := onnxColumn{Name: c.Name}
		for k, name := range header {
			if name != c.Name {
				continue
			}
			for _, row := range rows {
				cell := strings.TrimSpace(row[k])
				if !c.real() {
					in.Texts = append(in.Texts, cell)
					continue
				}
				var number *string
				if v, ok := c.onnxNumber(cell); ok {
					text := format(v)
					number = &text
				}
				in.Numbers = append(in.Numbers, number)
			}
		}
		list = append(list, in)
	}
	return list
}

// onnxNumber returns the number that a cell is in a column of doubles; false: NaN.
func (c Column) onnxNumber(cell string) (v float64, ok bool) {
	if c.Type == TruthColumn {
		v, ok = map[string]float64{"1": 1, "t": 1, "yes": 1, "0": 0, "f": 0, "no": 0}[cell]
		return v, ok
	}
	v, ok = c.Parse(cell)
	return v, ok && (c.Time == "" || !math.IsInf(v, 0))
}

// typed empties the cells of columns of doubles that are no numbers: a tensor has no place for
// them.
func (d *Decision) typed(header []string, rows [][]string) [][]string {
	for k, name := range header {
		if i := d.at(name); i >= 0 && d.Columns[i].real() {
			for _, row := range rows {
				if _, ok := d.Columns[i].onnxNumber(strings.TrimSpace(row[k])); !ok {
					row[k] = ""
				}
			}
		}
	}
	return rows
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
