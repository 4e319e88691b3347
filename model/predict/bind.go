// Package predict predicts rows of new tables with a model of any family. Begin with
// [Bind], which finds the columns of a model in a table, or with [Predict] for one row.
// [Predictor.Stream] goes through a whole table and compares it with its labels.
//
// # Cells that cannot be judged
//
// A literal is a [parcorels/dataset.Test] of one cell, or its negation. Some cells cannot
// be judged: a missing value in a column that had none in training, a text where numbers
// were. No literal holds on such a cell, negated or not: for an unknown number "priors ≤ 3"
// is as false as "priors > 3". A missing value in a column that had some in training is
// judged as it was there: only "priors missing" and negated literals hold. So is a text
// that was rare or absent in training: it equals no value that a literal asks for, so
// "shape ≠ round" holds. A tree therefore sends a cell that cannot be judged to the side
// where the test does not hold. [Options.Strict] makes such cells errors.
package predict

import (
	"fmt"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/internal/wording"
	"parcorels/model"
)

// Options say how a model predicts. The zero value is the default.
type Options struct {
	// Strict makes a cell that cannot be judged an error. Otherwise the
	// literals on it do not hold; see the text of the package.
	Strict bool
	// Laplace counts one training sample more of each class in probabilities.
	Laplace bool
	// By makes Stream evaluate the rows of each value in this column, too.
	By string
	// Weight is a column of positive numbers: with it evaluations weigh the rows.
	Weight string
	// Seen is told by Stream of each row with its class, −1 where none is known. The cells
	// are valid until it returns.
	Seen func(cells []string, class int)
}

// Prediction is what a model says of one row.
type Prediction struct {
	Class int    // the class predicted
	Label string // its text, as Frame.Label
	Case  int    // index in Model.Cases of the case that decided
	// Probabilities are the shares of the classes among the training samples
	// that the case decided, one each, whatever they weigh. So the class
	// predicted need not be the likeliest where classes were weighted. All
	// predictions of a case share the slice: change nothing in it.
	Probabilities []float64
}

// Probability returns the probability of the class predicted.
func (p Prediction) Probability() float64 { return p.Probabilities[p.Class] }

// Predictor is a model bound to the columns of a table. It keeps no state
// between rows and can be used by several goroutines.
type Predictor struct {
	model   model.Model
	frame   *model.Frame
	missing dataset.Test // as the training data told missing values
	options Options
	header  []string
	cells   []literal    // of each column of the model, Column.Cell
	cases   []model.Case // of the model
	when    [][]literal  // of each case
	says    []Prediction
}

// literal is a Literal whose column has been found: cells[at].
type literal struct {
	at      int
	negated bool
	test    dataset.Test
}

// Predict predicts for one row, given as cells by column name; cells of other
// columns do not matter. For many rows Bind once and use the Predictor.
func Predict(m model.Model, row map[string]string, o Options) (Prediction, error) {
	var header, cells []string
	for _, c := range m.About().Columns {
		if cell, ok := row[c.Name]; ok {
			header, cells = append(header, c.Name), append(cells, cell)
		}
	}
	p, err := bind(m, header, o)
	if err != nil {
		return Prediction{}, err
	}
	return p.Predict(cells)
}

// Bind finds the columns that a model needs in the header of a table. Order and
// further columns do not matter. Its error names every column that is missing.
// Where the data had no header, columns are told by their number: the table
// must then have as many as the data, or lack but a label column that stood last.
func Bind(m model.Model, header []string, o Options) (*Predictor, error) {
	f := m.About()
	if r := f.Reading; r.NoHeader && len(header) != r.Width {
		last := fmt.Sprintf("c%d", r.Width)
		if f.Target != last || len(header) != r.Width-1 {
			return nil, fmt.Errorf("the table has %d columns, the model knows its columns by their number among %d", len(header), r.Width)
		}
	}
	return bind(m, header, o)
}

func bind(m model.Model, header []string, o Options) (*Predictor, error) {
	f := m.About()
	place, err := locate(f, header)
	if err != nil {
		return nil, err
	}
	p := &Predictor{model: m, frame: f, options: o, header: slices.Clone(header), cases: m.Cases(), missing: f.Reading.Missing()}
	for _, c := range f.Columns {
		p.cells = append(p.cells, literal{at: place[c.Name], test: c.Cell})
	}
	probabilities := Probabilities(m, o)
	for i, c := range p.cases {
		var list []literal
		for _, l := range c.When {
			list = append(list, literal{place[l.Column], l.Negated, l.Test})
		}
		p.when = append(p.when, list)
		p.says = append(p.says, Prediction{c.Class, f.Label(c.Class), i, probabilities[i]})
	}
	return p, nil
}

// locate returns the index in header of each column that the model needs.
func locate(f *model.Frame, header []string) (map[string]int, error) {
	place := make(map[string]int, len(header))
	twice := map[string]bool{}
	for i, name := range header {
		_, twice[name] = place[name]
		place[name] = i
	}
	var absent []string
	for _, c := range f.Columns {
		if twice[c.Name] {
			return nil, fmt.Errorf("the table has more than one column %q", c.Name)
		}
		if _, ok := place[c.Name]; ok {
			continue
		}
		quoted := fmt.Sprintf("%q", c.Name)
		for _, other := range header {
			if strings.EqualFold(other, c.Name) {
				quoted += fmt.Sprintf(" (but it has %q)", other)
			}
		}
		absent = append(absent, quoted)
	}
	if len(absent) > 0 {
		return nil, fmt.Errorf("the table lacks %s %s, which the model needs", wording.Plural(int64(len(absent)), "column"),
			strings.Join(absent, ", "))
	}
	return place, nil
}

// Predict predicts for one row, given as cells in the order of the header. It
// is an error if their number is another than that of the header. With
// Options.Strict so is any cell of the model's columns that is not of the kind
// that its column had, whichever case decides: the error names column and cell.
// Predict allocates nothing while all cells can be judged.
func (p *Predictor) Predict(cells []string) (Prediction, error) {
	if err := p.check(cells); err != nil {
		return Prediction{}, err
	}
	for i, when := range p.when {
		if p.all(when, cells) {
			return p.says[i], nil
		}
	}
	return p.says[len(p.says)-1], nil // the last case always holds
}

// check reports what makes a row unfit for a prediction.
func (p *Predictor) check(cells []string) error {
	if len(cells) != len(p.header) {
		return fmt.Errorf("the row has %d cells, expected %d as in the header", len(cells), len(p.header))
	}
	if !p.options.Strict {
		return nil
	}
	for i := range p.cells {
		c := &p.cells[i]
		if _, err := c.test.Holds(cells[c.at]); err != nil {
			return fmt.Errorf("column %q: %w", p.header[c.at], err)
		}
	}
	return nil
}

// all reports whether every literal holds.
func (p *Predictor) all(literals []literal, cells []string) bool {
	for i := range literals {
		if !p.holds(&literals[i], cells) {
			return false
		}
	}
	return true
}

// holds reports whether the literal holds, which it does not on a cell that
// cannot be judged, negated or not.
func (p *Predictor) holds(l *literal, cells []string) bool {
	cell := cells[l.at]
	if l.test.Complete && p.lacks(cell) {
		return false // a shortcut: Holds makes an error of it, which takes longer
	}
	holds, err := l.test.Holds(cell)
	return err == nil && holds != l.negated
}

// lacks reports whether a cell is missing.
func (p *Predictor) lacks(cell string) bool {
	lacks, _ := p.missing.Holds(cell)
	return lacks
}

// Model returns the model that predicts.
func (p *Predictor) Model() model.Model { return p.model }

// Column returns the index in a row of a column of the model: Frame.Columns[i].
func (p *Predictor) Column(i int) int { return p.cells[i].at }

// Failure is a literal that does not hold on a row.
type Failure struct {
	Case    int            // index in Model.Cases
	Literal *model.Literal // as Failed chooses it
	Cell    string         // what the row has in that column
}

// Failed returns, of each case before the one that decided a row, the first literal that
// does not hold. For a tree it returns the first literal on the path to the leaf of each column
// with a cell that cannot be judged.
func (p *Predictor) Failed(cells []string, said Prediction) (failed []Failure) {
	if path := p.cases[said.Case].Path; path != nil {
		for i := range p.cells {
			c := &p.cells[i]
			_, err := c.test.Holds(cells[c.at])
			for k := range path {
				if err != nil && path[k].Column == p.frame.Columns[i].Name {
					failed = append(failed, Failure{said.Case, &path[k], cells[c.at]})
					break
				}
			}
		}
		return failed
	}
	for i := range said.Case {
		for k := range p.when[i] {
			if l := &p.when[i][k]; !p.holds(l, cells) {
				failed = append(failed, Failure{i, &p.cases[i].When[k], cells[l.at]})
				break
			}
		}
	}
	return failed
}

// Probabilities returns, for each case of a model, the probability of each class
// in a row that the case decides, as Predict gives them. A case that decided no
// sample in training has the shares of all samples.
func Probabilities(m model.Model, o Options) [][]float64 {
	cases := m.Cases()
	all, _ := model.Totals(cases)
	p := make([][]float64, len(cases))
	for i, c := range cases {
		if p[i] = c.Probabilities(o.Laplace); p[i] == nil {
			p[i] = model.Case{Counts: all}.Probabilities(false)
		}
	}
	return p
}
