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
	Least float64            `json:"least"` // of the best decision of each row
}

// costing finds the columns of costs of each class, −1 of one with the same cost everywhere; nil where the table or the model has none.
func (s *stream) costing() (at []int) {
	c := s.frame.Costs
	if c == nil {
		return nil
	}
	s.cost = make([]float64, len(s.frame.Classes))
	if s.target >= 0 {
		for _, text := range c.Matrix {
			cost, _ := dataset.ParseNumber(text)
			s.matrix = append(s.matrix, cost)
		}
	}
	for class, name := range c.Columns[:min(len(s.cost), len(c.Columns))] {
		place := slices.Index(s.header, name)
		if name == "" {
			s.cost[class], _ = dataset.ParseNumber(c.Ask)
			place = -1
		} else if place < 0 {
			return nil
		}
		at = append(at, place)
	}
	if at != nil || s.matrix != nil {
		s.summary.Costs = &Costs{Each: map[string]float64{}}
	}
	return at
}

// spend adds up the costs of a row, and evaluates the decision by the difference.
func (s *stream) spend(cells []string, decided int) error {
	for class, at := range s.costs {
		if at < 0 {
			continue
		}
		cell := strings.TrimSpace(cells[at])
		c, ok := dataset.ParseNumber(cell)
		if !ok || math.IsInf(c, 0) {
			return fmt.Errorf("cost %q in column %q is not a number", cell, s.header[at])
		}
		s.cost[class] = c
	}
	s.add(s.cost, decided)
	least := slices.Min(s.cost)
	if least == slices.Max(s.cost) {
		s.summary.Alike++
		return nil
	}
	s.evaluation.Add(decided, slices.Index(s.cost, least), slices.Max(s.cost)-least)
	return nil
}

// add adds up what each decision costs in a row.
func (s *stream) add(cost []float64, decided int) {
	for class, c := range cost {
		s.summary.Costs.Each[s.frame.Label(class)] += c
	}
	s.summary.Costs.Model += cost[s.says[decided].Class]
	s.summary.Costs.Least += slices.Min(cost)
}
