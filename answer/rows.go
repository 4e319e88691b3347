package answer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
	"parcorels/model/predict"
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
const (
	RowsShown  = 25
	cellsShown = 60
)

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
