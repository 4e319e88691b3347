package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parcorels"
	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
)

// personView is the form for one person, and what the model says of the one filled in.
type personView struct {
	At     string
	Cells  []cellField
	Answer *answer // nil of a form that nobody filled in
	Error  string
	Row    string
}

// cellField is a column that the model looks at, as the form shows it.
type cellField struct {
	Name, Label, Value string
	Choices            []string // nil of a number or a free text
	Number             bool
	Complete           bool // training had no missing value: one cannot be judged
}

// answer is what the model says of a person, and why.
type answer struct {
	Label    string
	Because  string
	Failed   []string
	Classes  []classView
	Columns  int // that must change for another answer; 0 where no change helps
	Many     bool
	Changes  []changeView
	Further  int
	Part     string
	Decisive int // number of the case
}

// changeView is a smallest change with the answer that it leads to.
type changeView struct {
	To    []string
	Label string
}

// personOf returns the form of a model with values by column.
func personOf(m *parcorels.Model, values map[string]string) *personView {
	v := &personView{}
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
func (s *Server) personPage(r *http.Request) (*view, error) {
	return s.with(r, func(run *run, m *parcorels.Model) (*view, error) {
		form := r.URL.Query()
		values, row := map[string]string{}, form.Get("row")
		var err error
		if row != "" {
			values, err = s.rowOf(run, m, row)
		} else {
			for i, c := range m.About().Columns {
				values[c.Name] = strings.TrimSpace(form.Get("c" + strconv.Itoa(i)))
			}
		}
		v := personOf(m, values)
		v.At, v.Row = "/runs/"+run.id, row
		if err == nil {
			v.Answer, err = explained(m, values)
		}
		if err != nil {
			v.Error = said(err)
		}
		return &view{Title: "One person", name: "person-page", data: v}, nil
	})
}

// rowOf returns a row of the table, by column.
func (s *Server) rowOf(run *run, m *parcorels.Model, row string) (map[string]string, error) {
	n, err := strconv.ParseInt(row, 10, 64)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("row is %q: expected a number from 1", row)
	}
	var values map[string]string
	err = s.each(&run.asked, func(header, cells []string, at int64) (bool, error) {
		if at == n {
			values = map[string]string{}
			for i, name := range header {
				values[name] = strings.TrimSpace(cells[i])
			}
		}
		return values == nil, nil
	})
	if err == nil && values == nil {
		err = fmt.Errorf("the table has no row %d", n)
	}
	return values, err
}

// mostChanges is how many smallest changes are listed.
const mostChanges = 6

// explained asks the model about one person.
func explained(m *parcorels.Model, values map[string]string) (*answer, error) {
	var header, cells []string
	for _, c := range m.About().Columns {
		header, cells = append(header, c.Name), append(cells, values[c.Name])
	}
	p, err := model.Bind(m.Model, header, model.Options{Strict: true})
	if err != nil {
		return nil, err
	}
	x, err := p.Explain(cells)
	if err != nil {
		return nil, err
	}
	others, err := p.Changes(cells)
	if err != nil {
		return nil, err
	}
	a := &answer{Label: x.Label, Columns: others.Columns, Many: others.Cut, Part: p.Part(), Decisive: x.Case + 1, Because: model.Conjunction(x.Holds)}
	for _, f := range x.Failed {
		cell := f.Cell
		if cell == "" {
			cell = "missing"
		}
		a.Failed = append(a.Failed, fmt.Sprintf("%s %d does not hold: it asks for %s, and %s is %s", p.Part(), f.Case+1, f.Literal.Name, f.Literal.Column, cell))
	}
	for c, q := range x.Probabilities {
		a.Classes = append(a.Classes, classView{Label: p.Label(c), Count: int64(100 * q), Share: wording.Percentage(q)})
	}
	for i, other := range others.Found {
		if i == mostChanges {
			a.Further = len(others.Found) - i
			break
		}
		v := changeView{Label: other.Label}
		for _, c := range other.Changes {
			v.To = append(v.To, c.To)
		}
		a.Changes = append(a.Changes, v)
	}
	return a, nil
}
