package rulelist

import (
	"fmt"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
)

// Prediction is what a rule list says of one row.
type Prediction struct {
	Class       int     // 0 or 1
	Label       string  // text of the class, as Model.Label
	Rule        int     // index in Model.Rules of the rule that fired; len(Rules) for the default
	Probability float64 // of Class, as Model.Probability
}

// Predictor is a model bound to the columns of a table. It keeps no state
// between rows and can be used by several goroutines.
type Predictor struct {
	model  *Model
	header []string
	cells  []literal    // of each column of the model, Column.Cell
	lines  [][]literal  // of each rule
	says   []Prediction // of each rule, then the default
}

// literal is a Literal whose column has been found: cells[at].
type literal struct {
	at      int
	negated bool
	test    dataset.Test
}

// Predict predicts for one row, given as cells by column name; cells of other
// columns do not matter. For many rows Bind once and use the Predictor.
func (m *Model) Predict(row map[string]string) (Prediction, error) {
	var header, cells []string
	for _, c := range m.Columns {
		if cell, ok := row[c.Name]; ok {
			header, cells = append(header, c.Name), append(cells, cell)
		}
	}
	p, err := m.bind(header)
	if err != nil {
		return Prediction{}, err
	}
	return p.Predict(cells)
}

// Bind finds the columns that the model needs in the header of a table. Order
// and further columns do not matter. Its error names every column that is
// missing. Where the data had no header, columns are told by their number:
// the table must then have as many as the data, or lack but a label column
// that stood last.
func (m *Model) Bind(header []string) (*Predictor, error) {
	if r := m.Reading; r.NoHeader && len(header) != r.Width {
		last := fmt.Sprintf("c%d", r.Width)
		if m.Target != last || len(header) != r.Width-1 {
			return nil, fmt.Errorf("the table has %d columns, the model knows its columns by their number among %d", len(header), r.Width)
		}
	}
	return m.bind(header)
}

func (m *Model) bind(header []string) (*Predictor, error) {
	place, err := m.locate(header)
	if err != nil {
		return nil, err
	}
	p := &Predictor{model: m, header: slices.Clone(header)}
	for _, c := range m.Columns {
		p.cells = append(p.cells, literal{at: place[c.Name], test: c.Cell})
	}
	for _, r := range m.Rules {
		var list []literal
		for _, l := range r.Literals {
			list = append(list, literal{place[l.Column], l.Negated, l.Test})
		}
		p.lines = append(p.lines, list)
	}
	for i, line := range m.Lines() {
		p.says = append(p.says, Prediction{line.Class, m.Label(line.Class), i, m.Probability(i)})
	}
	return p, nil
}

// locate returns the index in header of each column that the model needs.
func (m *Model) locate(header []string) (map[string]int, error) {
	place := make(map[string]int, len(header))
	twice := map[string]bool{}
	for i, name := range header {
		_, twice[name] = place[name]
		place[name] = i
	}
	var absent []string
	for _, c := range m.Columns {
		if twice[c.Name] {
			return nil, fmt.Errorf("the table has more than one column %q", c.Name)
		}
		if _, ok := place[c.Name]; !ok {
			absent = append(absent, fmt.Sprintf("%q", c.Name))
		}
	}
	if len(absent) > 0 {
		return nil, fmt.Errorf("the table lacks %s %s, which the model needs", wording.Plural(int64(len(absent)), "column"), strings.Join(absent, ", "))
	}
	return place, nil
}

// Predict predicts for one row, given as cells in the order of the header.
//
// Every cell of the model's columns must be of the kind that its column had,
// whichever rule fires: a text where numbers were, or a missing value where
// none was, is an error that names column and cell. A value that has no
// feature of its own, because it was rare or absent in the data, is none: it
// equals no value that a rule asks for. Predict allocates nothing unless it
// returns an error.
func (p *Predictor) Predict(cells []string) (Prediction, error) {
	if len(cells) != len(p.header) {
		return Prediction{}, fmt.Errorf("the row has %d cells, expected %d as in the header", len(cells), len(p.header))
	}
	for i := range p.cells {
		if _, err := p.cells[i].holds(cells); err != nil {
			return Prediction{}, fmt.Errorf("column %q: %w", p.header[p.cells[i].at], err)
		}
	}
	for i := range p.lines {
		captured, err := all(p.lines[i], cells)
		if err != nil {
			return Prediction{}, fmt.Errorf("rule %d: %w", i+1, err)
		}
		if captured {
			return p.says[i], nil
		}
	}
	return p.says[len(p.lines)], nil
}

// all reports whether every literal holds.
func all(literals []literal, cells []string) (bool, error) {
	for i := range literals {
		if holds, err := literals[i].holds(cells); !holds || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (l *literal) holds(cells []string) (bool, error) {
	holds, err := l.test.Holds(cells[l.at])
	return holds != l.negated, err
}
