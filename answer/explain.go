package answer

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"parcorels/tree"
)

// listed is how many changes are printed.
const listed = 12

// Explanation says why a model predicts a row of cells as it does, and which changes change that.
func Explanation(p *predict.Predictor, cells []string) (string, error) {
	x, err := explain.Row(p, cells)
	if err != nil {
		return "", err
	}
	others, err := explain.Changes(p, cells)
	if err != nil {
		return "", err
	}
	return render("explanation", map[string]any{"Said": x, "Part": p.Model().Certificate().Part, "Classes": p.Model().About().Labels(),
		"Others": others, "First": others.Found[:min(len(others.Found), listed)], "More": len(others.Found) - listed}), nil
}

// Person is a form for one row, and what a model says of the one that was filled in.
type Person struct {
	Cells  []PersonCell
	Labels []string
	Part   string
	Answer *explain.Explanation // nil of a form that nobody filled in
	Others explain.Alternatives
	Tree   template.HTML // with the way of the one filled in; "" of other models
}

// PersonCell is a column that a model looks at.
type PersonCell struct {
	Name, Label, Value string
	Choices            []string // nil of a number or a free text
	Number             bool
	Complete           bool // training had no missing value: one cannot be judged
}

// PersonOf returns the form of a model with values by column. Cell number i is called ci.
func PersonOf(m model.Model, values map[string]string) *Person {
	v := &Person{Labels: m.About().Labels(), Part: m.Certificate().Part}
	for i, c := range m.About().Columns {
		f := PersonCell{Name: "c" + strconv.Itoa(i), Label: c.Name, Value: values[c.Name], Complete: c.Cell.Complete}
		switch c.Cell.Kind {
		case dataset.True, dataset.Given:
			f.Choices = []string{"0", "1"}
		case dataset.Is:
			f.Choices = c.Values
		default:
			f.Choices = c.Cell.Levels
			f.Number = f.Choices == nil && c.Cell.Time == ""
		}
		if f.Choices != nil && f.Value != "" && !slices.Contains(f.Choices, f.Value) {
			f.Choices = append(slices.Clone(f.Choices), f.Value)
		}
		v.Cells = append(v.Cells, f)
	}
	return v
}

// ValuesOf returns the cells of a row of a table by column, those that a model looks at among them.
func ValuesOf(m model.Model, rows *dataset.Rows, row string) (map[string]string, error) {
	n, _ := strconv.ParseInt(row, 10, 64) // a text is no row
	cells, err := rows.Only([]int64{n}).Next()
	if err == io.EOF {
		err = fmt.Errorf("the table has no row %q", row)
	}
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for i := range cells {
		values[rows.Header()[i]] = strings.TrimSpace(cells[i])
	}
	return values, nil
}

// Ask asks a model about the row that was filled in.
func (v *Person) Ask(m model.Model) error {
	var header, cells []string
	for _, c := range v.Cells {
		header, cells = append(header, c.Label), append(cells, c.Value)
	}
	p, err := predict.Bind(m, header, predict.Options{Strict: true})
	if err != nil {
		return err
	}
	x, err := explain.Row(p, cells)
	if err != nil {
		return err
	}
	v.Answer = &x
	if t, ok := m.(*tree.Model); ok {
		v.Tree = template.HTML(t.SVG(tree.Drawing{Marked: []int{x.Case}})) // its texts are escaped there
	}
	v.Others, err = explain.Changes(p, cells)
	return err
}
