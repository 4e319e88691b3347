package export

import (
	_ "embed"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parcorels/internal/testing/must"
	"parcorels/model"
)

//go:embed testdata/run.mjs
var onnxMain []byte

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
	each(t, func(t *testing.T, folder string, m model.Model, header []string, rows [][]string) {
		write(t, m, "onnx", filepath.Join(folder, "model.onnx"))
		d := NewDecision(m)
		rows = d.typed(header, disturbed(rows))
		compare(t, onnxRun(t, folder, packages, d, header, rows), predicted(t, m, header, rows), rows, "no text")
	})
}

// onnxRun runs the graph of a folder on rows.
func onnxRun(t *testing.T, folder, packages string, d *Decision, header []string, rows [][]string) []outcome {
	t.Helper()
	must.Do(t, os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(folder, "node_modules")))
	must.Do(t, os.WriteFile(filepath.Join(folder, "main.mjs"), onnxMain, 0o666))
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
