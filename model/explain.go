package model

import (
	"strconv"
	"strings"

	"parcorels/internal/wording"
)

// Explanation says how a model came to a prediction.
type Explanation struct {
	Prediction
	// Holds are the literals of the case that decided; of a leaf those of the
	// whole path. It is empty for a default.
	Holds []Literal
	// Failed has a literal of each case before the one that decided: the first
	// one that does not hold. It is nil for a tree, whose path says it all.
	Failed []Failure
}

// Failure is a case that did not decide a row.
type Failure struct {
	Case    int     // index in Model.Cases
	Literal Literal // the first of the case that does not hold
	Cell    string  // what the row has in that column
}

// Explain is Predict, with reasons.
func (p *Predictor) Explain(cells []string) (Explanation, error) {
	said, err := p.Predict(cells)
	if err != nil {
		return Explanation{}, err
	}
	c := p.cases[said.Case]
	if c.Path != nil {
		return Explanation{Prediction: said, Holds: c.Path}, nil
	}
	x := Explanation{Prediction: said, Holds: c.When}
	for i := range said.Case {
		for k := range p.when[i] {
			if l := &p.when[i][k]; !p.holds(l, cells) {
				x.Failed = append(x.Failed, Failure{i, p.cases[i].When[k], cells[l.at]})
				break
			}
		}
	}
	return x, nil
}

// line returns the failures on one line: "1 fails: priors > 3; 2 fails: …".
func (x Explanation) line() string {
	var parts []string
	for _, f := range x.Failed {
		parts = append(parts, strconv.Itoa(f.Case+1)+" fails: "+wording.Printable(f.Literal.Name))
	}
	return strings.Join(parts, "; ")
}
