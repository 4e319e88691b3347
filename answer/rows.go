package answer

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"parcorels/tree"
)

// Rows is some rows of a table, from one on.
type Rows struct {
	Title       string
	Header      []string
	First       int // columns before this one matter most
	Rows        []Row
	From, Total int64
}

// Before and After are how many rows come before those that are shown next; 0 after the last.
func (v *Rows) Before() int64 { return max(v.From-RowsShown, 0) }

func (v *Rows) After() int64 {
	if after := v.From + RowsShown; after < v.Total {
		return after
	}
	return 0
}

// Row is a row of a table, with its number from 1.
type Row struct {
	Number int64
	Cells  []string
	Wrong  bool // the model is
}

// RowsShown is how many rows there are at a time, and cellsShown how many cells of each at most.
const RowsShown = 25
const cellsShown = 60

// add adds a row if it is among those shown: cells of its own, and some of its table.
func (v *Rows) add(n int64, wrong bool, own, cells []string, order []int) {
	if v.Total++; v.Total <= v.From || v.Total > v.From+RowsShown {
		return
	}
	for _, i := range order {
		own = append(own, strings.Clone(cells[i]))
	}
	v.Rows = append(v.Rows, Row{n, own, wrong})
}

// EachRow calls do with the rows of a table, from 1, until it wants no more. The cells hold until the next.
func EachRow(rows *dataset.Rows, do func(cells []string, row int64) (more bool)) error {
	for n := int64(1); ; n++ {
		cells, err := rows.Next()
		if err == io.EOF || err == nil && !do(cells, n) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Decided has the rows that a case of a model decides, after so many. The columns that the model looks at come first, and
// the label.
func Decided(m model.Model, rows *dataset.Rows, at int, after int64) (*Rows, error) {
	v, header := &Rows{From: max(after, 0)}, rows.Header()
	p, err := predict.Bind(m, header, predict.Options{})
	if err != nil {
		return nil, err
	}
	var order []int
	take := func(i int) {
		if i >= 0 && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	for _, c := range m.About().Columns {
		take(slices.Index(header, c.Name))
	}
	label := slices.Index(header, m.About().Target)
	take(label)
	v.First = len(order)
	for i := range header {
		take(i)
	}
	order = order[:min(len(order), cellsShown)]
	for _, i := range order {
		v.Header = append(v.Header, header[i])
	}
	err = EachRow(rows, func(cells []string, n int64) bool {
		if said, err := p.Predict(cells); err == nil && said.Case == at {
			class := -1
			if label >= 0 {
				class, err = m.About().ClassOf(cells[label])
			}
			v.add(n, err == nil && class >= 0 && class != said.Class, nil, cells, order)
		}
		return true
	})
	c := m.Cases()[at]
	v.Title = wording.Count(v.Total, "row") + " with " + cmp.Or(c.Text, "no rule before") + ": " + m.About().Label(c.Class)
	return v, err
}

// Differing has the rows that two models predict differently.
func Differing(two [2]model.Model, names [2]string, rows *dataset.Rows) (*Rows, error) {
	header := rows.Header()
	v := &Rows{Header: names[:], First: 2}
	var predictors [2]*predict.Predictor
	for k, m := range two {
		var err error
		if predictors[k], err = predict.Bind(m, header, predict.Options{}); err != nil {
			return nil, err
		}
	}
	var order []int
	for i, name := range header[:min(len(header), cellsShown)] {
		v.Header, order = append(v.Header, name), append(order, i)
	}
	all := int64(0)
	err := EachRow(rows, func(cells []string, n int64) bool {
		all = n
		x, errX := predictors[0].Predict(cells)
		y, errY := predictors[1].Predict(cells)
		if errX == nil && errY == nil && x.Class != y.Class {
			v.add(n, false, []string{x.Label, y.Label}, cells, order)
		}
		return true
	})
	v.Title = fmt.Sprintf("The answer differs on %s of %s: %s and %s", wording.Count(v.Total, "row"), wording.Thousands(all),
		names[0], names[1])
	return v, err
}

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
