package predict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parcorels/dataset"
)

// Costs are sums over the rows of a table, by what decisions cost there.
type Costs struct {
	Model float64            `json:"model"` // of the decisions of the model
	Each  map[string]float64 `json:"each"`  // of one decision for everyone
	Least float64            `json:"least"` // of the better decision of each row
}

// costing finds the columns of costs of each class, nil where the table or the model has none.
func (s *stream) costing() (at []int) {
	c := s.frame.Costs
	if c == nil {
		return nil
	}
	if len(c.Matrix) == 4 && s.target >= 0 {
		for _, text := range c.Matrix {
			cost, _ := dataset.ParseNumber(text)
			s.matrix = append(s.matrix, cost)
		}
		s.summary.Costs = &Costs{Each: map[string]float64{}}
	}
	if c.Columns == nil {
		return nil
	}
	for _, name := range c.Columns {
		at = append(at, slices.Index(s.header, name))
	}
	if slices.Contains(at, -1) {
		return nil
	}
	s.summary.Costs = &Costs{Each: map[string]float64{}}
	return at
}

// spend adds up the costs of a row, and evaluates the decision by the difference.
func (s *stream) spend(cells []string, decided, line int) error {
	var cost [2]float64
	for class, at := range s.costs {
		cell := strings.TrimSpace(cells[at])
		c, ok := dataset.ParseNumber(cell)
		if !ok || math.IsInf(c, 0) {
			return fmt.Errorf("line %d: cost %q in column %q is not a number", line, cell, s.header[at])
		}
		cost[class] = c
	}
	s.add(cost, decided)
	if cost[0] == cost[1] {
		s.summary.Alike++
		return nil
	}
	actual := 0
	if cost[1] < cost[0] {
		actual = 1
	}
	s.evaluation.Add(decided, actual, math.Abs(cost[0]-cost[1]))
	return nil
}

// add adds up what either decision costs in a row.
func (s *stream) add(cost [2]float64, decided int) {
	for class, c := range cost {
		s.summary.Costs.Each[s.frame.Label(class)] += c
	}
	s.summary.Costs.Model += cost[s.says[decided].Class]
	s.summary.Costs.Least += min(cost[0], cost[1])
}
