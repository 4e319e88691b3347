package predict

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"parcorels/dataset"
	"parcorels/model/evaluate"
)

// maxGroups is how many groups an evaluation tells apart.
const maxGroups = 100

var errGroups = errors.New("has more than 100 different values: choose a column of groups")

// newEvaluation returns an evaluation of no rows.
func (p *Predictor) newEvaluation() *evaluate.Evaluation {
	e := &evaluate.Evaluation{Classes: p.frame.Labels()}
	for _, said := range p.says {
		e.Predicted = append(e.Predicted, said.Class)
		e.Probabilities = append(e.Probabilities, said.Probabilities)
		e.Counts = append(e.Counts, make([]int64, len(e.Classes)))
		if p.options.Weight != "" {
			e.Weights = append(e.Weights, make([]float64, len(e.Classes)))
		}
	}
	return e
}

// group returns the evaluation of the group that a row is in. Missing values are one
// group, that of the empty text, however they are written.
func (s *stream) group(cells []string) (*evaluate.Evaluation, error) {
	value := cells[s.by]
	if s.lacks(value) {
		value = ""
	}
	e, ok := s.groups[value]
	if !ok {
		if len(s.groups) == maxGroups {
			return nil, errGroups
		}
		e = s.newEvaluation()
		s.groups[string([]byte(value))] = e
	}
	return e, nil
}

// listed returns groups by value: numbers in ascending order, then texts.
func listed(groups map[string]*evaluate.Evaluation) (list []evaluate.Group) {
	for value, e := range groups {
		list = append(list, evaluate.Group{Value: value, Evaluation: e})
	}
	slices.SortFunc(list, func(a, b evaluate.Group) int {
		return cmp.Or(cmp.Compare(number(a.Value), number(b.Value)), strings.Compare(a.Value, b.Value))
	})
	return list
}

// number returns the number that a text is, and what is greater than all of them
// if it is none.
func number(text string) float64 {
	if v, ok := dataset.ParseNumber(text); ok {
		return v
	}
	return math.Inf(1)
}
