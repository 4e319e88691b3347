package model

import (
	"math/big"
	"strings"

	"parcorels/dataset"
)

// Costs are what decisions cost, where the label of a row is the decision that costs less there, and its weight the
// difference. Sums are decimals, over all rows of the table.
type Costs struct {
	Columns []string `json:"columns,omitempty"` // with the costs of each class
	Matrix  []string `json:"matrix,omitempty"`  // what predicting 0 and 1 costs for a row of class 0, and for one of class 1
	Error   string   `json:"error,omitempty"`   // what a weight of 1 costs; "": 1
	Each    []string `json:"each"`              // sum where that class is decided everywhere
	Least   string   `json:"least"`             // sum of the better decision of each row
}

// newCosts returns nil of nil.
func newCosts(c *dataset.Costs) *Costs {
	if c == nil {
		return nil
	}
	costs := &Costs{Each: []string{decimal(c.Each[0]), decimal(c.Each[1])}, Least: decimal(c.Least)}
	if c.Matrix == nil {
		costs.Columns = c.Columns[:]
	}
	if c.Error != nil {
		costs.Error = decimal(c.Error)
	}
	for _, cost := range c.Matrix {
		costs.Matrix = append(costs.Matrix, decimal(cost))
	}
	return costs
}

// decimal writes a number of at most 30 decimal places.
func decimal(r *big.Rat) string {
	text := r.FloatString(30)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// Cost returns what the decisions of a model cost in all, "" without costs.
func Cost(m Model) string {
	c, d := m.About().Costs, m.About().Data
	if c == nil {
		return ""
	}
	cost, ok := new(big.Rat).SetString(c.Least)
	if !ok || len(c.Least) > 100 {
		return ""
	}
	more := new(big.Rat).SetFrac(big.NewInt(ErrorWeight(m.Cases())), big.NewInt(1))
	more.Mul(more, new(big.Rat).SetFrac64(d.WeightUnit.Den, d.WeightUnit.Num))
	if each, ok := new(big.Rat).SetString(c.Error); ok && len(c.Error) < 100 {
		more.Mul(more, each)
	}
	return decimal(cost.Add(cost, more))
}
