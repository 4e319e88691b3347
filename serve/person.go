package serve

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parcorels/dataset"
	"parcorels/family"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"parcorels/tree"
)

// personView is the form for one person, and what the model says of the one filled in.
type personView struct {
	At     string
	Cells  []cellField
	Row    string
	Error  string
	Labels []string
	Part   string
	Answer *explain.Explanation // nil of a form that nobody filled in
	Others explain.Alternatives
	Tree   template.HTML // with the way of the one filled in; "" of other models
}

// cellField is a column that the model looks at, as the form shows it.
type cellField struct {
	Name, Label, Value string
	Choices            []string // nil of a number or a free text
	Number             bool
	Complete           bool // training had no missing value: one cannot be judged
}

// personOf returns the form of a model with values by column.
func personOf(m *family.Model, values map[string]string) *personView {
	v := &personView{Labels: m.About().Labels(), Part: m.Certificate().Part}
	for i, c := range m.About().Columns {
		f := cellField{Name: "c" + strconv.Itoa(i), Label: c.Name, Value: values[c.Name], Complete: c.Cell.Complete}
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

// personPage says what the model says of one person: of the fields of a form, or of a row.
func (s *Server) personPage(run *run, m *family.Model, r *http.Request) (v *view, err error) {
	form := r.URL.Query()
	values, row := map[string]string{}, form.Get("row")
	if row != "" {
		values, err = s.rowOf(run, m, row)
	} else {
		for i, c := range m.About().Columns {
			values[c.Name] = strings.TrimSpace(form.Get("c" + strconv.Itoa(i)))
		}
	}
	p := personOf(m, values)
	p.At, p.Row = "/runs/"+run.ID, row
	if err == nil {
		err = p.explain(m, values)
	}
	if err != nil {
		p.Error = said(err)
	}
	return &view{Title: "One person", name: "person-page", data: p}, nil
}

// rowOf returns a row of the table, by column.
func (s *Server) rowOf(run *run, m *family.Model, row string) (map[string]string, error) {
	n, err := strconv.ParseInt(row, 10, 64)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("row is %q: expected a number from 1", row)
	}
	header, values := s.header(&run.Asked), map[string]string{}
	err = s.each(&run.Asked, func(cells []string, at int64) bool {
		for i := range header {
			if at == n {
				values[header[i]] = strings.TrimSpace(cells[i])
			}
		}
		return at < n
	})
	for _, c := range m.About().Columns {
		if _, ok := values[c.Name]; !ok && c.Part != nil && len(values) > 0 {
			values[c.Name] = c.Part.Text(values[c.Part.Of])
		}
	}
	if err == nil && len(values) == 0 {
		err = fmt.Errorf("the table has no row %d", n)
	}
	return values, err
}

// explain asks the model about one person.
func (v *personView) explain(m *family.Model, values map[string]string) error {
	var header, cells []string
	for _, c := range m.About().Columns {
		header, cells = append(header, c.Name), append(cells, values[c.Name])
	}
	p, err := predict.Bind(m.Model, header, predict.Options{Strict: true})
	if err != nil {
		return err
	}
	x, err := explain.Row(p, cells)
	if err != nil {
		return err
	}
	v.Answer = &x
	if t, ok := m.Model.(*tree.Model); ok {
		v.Tree = template.HTML(t.SVG(x.Case)) // its texts are escaped there
	}
	v.Others, err = explain.Changes(p, cells)
	return err
}
