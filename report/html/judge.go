package html

import (
	"errors"
	"fmt"

	"parcorels/dataset"
	"parcorels/model/predict"
	"parcorels/report"
)

// ErrNoLabels reports a table by which no model can be judged.
var ErrNoLabels = errors.New("no row has a label")

// Judge adds what the labels of a table say of the model, as Evaluate does, and how the values
// of the columns that it looks at are spread over the classes.
func (p *Page) Judge(table string, rows *dataset.Rows, o predict.Options, trained bool) (*predict.Summary, error) {
	spread := report.NewSpread(rows.Header(), p.Frame.Reading.MissingWords)
	o.Laplace, o.Seen = true, spread.Add
	bound, err := predict.Bind(p.model, rows.Header(), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", table, err)
	}
	s, err := bound.Stream(table, rows, nil)
	if err != nil {
		return nil, err
	}
	if s.Evaluation == nil {
		return s, ErrNoLabels
	}
	p.Evaluate(table, o.By, o.Weight, trained, s)
	p.SpreadOf = table
	for i := range p.Columns {
		p.Columns[i].Spread = NewSpread(spread, p.Columns[i].Name, p.Frame.Labels())
	}
	return s, nil
}
