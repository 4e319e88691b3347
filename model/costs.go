package model

import (
	"math/big"
	"strings"

	"parcorels/dataset"
	"parcorels/ratio"
)

// Costs are what decisions cost, where the label of a row is the decision that costs least there. Its weight in each class is what
// that saves beside the dearest one. Sums are decimals, over all rows of the table; a model of a part of them has none.
type Costs struct {
	Columns []string `json:"columns,omitempty"` // with the costs of each class; "": Ask
	Ask     string   `json:"ask,omitempty"`     // what asking costs in each row
	Matrix  []string `json:"matrix,omitempty"`  // what predicting each class costs for a row of class 0, then of class 1, …
	Error   string   `json:"error,omitempty"`   // what a weight of 1 costs; "": 1
	Each    []string `json:"each,omitempty"`    // sum where that class is decided everywhere
	Least   string   `json:"least,omitempty"`   // sum of the best decision of each row
}

// newCosts returns nil of nil.
func newCosts(c *dataset.Costs) *Costs {
	if c == nil {
		return nil
	}
	return &Costs{Columns: c.Columns, Ask: c.Ask, Each: decimals(c.Each), Matrix: decimals(c.Matrix), Least: decimal(c.Least),
		Error: decimal(c.Error)}
}

func decimals(list []*big.Rat) (texts []string) {
	for _, r := range list {
		texts = append(texts, decimal(r))
	}
	return texts
}

// decimal writes a number of at most 30 decimal places, "" of none.
func decimal(r *big.Rat) string {
	if r == nil {
		return ""
	}
	text := r.FloatString(30)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// Gains reports whether samples weigh in other classes than their own: there are costs of more than two decisions.
func (f *Frame) Gains() bool { return f.Costs != nil && len(f.Classes) > 2 }

// asks reports whether a class is the decision to ask a person.
func (f *Frame) asks(class int) bool { return f.Gains() && f.Label(class) == dataset.AskDecision }

// Asked returns how many training samples a model asks a person about, and how many others it predicts wrongly.
func Asked(m Model) (asked, errors int64) {
	for _, c := range m.Cases() {
		if m.About().asks(c.Class) {
			asked += c.Captured()
		} else {
			errors += c.Captured() - c.Samples[c.Class]
		}
	}
	return asked, errors
}

// Cost returns what the decisions of a model cost in all, "" without costs.
func Cost(m Model) string {
	c, d := m.About().Costs, m.About().Data
	if c == nil || len(c.Each) == 0 || len(c.Each[0]) > 100 {
		return ""
	}
	cost, ok := new(big.Rat).SetString(c.Each[0]) // of class 0 everywhere
	if !ok {
		return ""
	}
	var saved int64
	for _, k := range m.Cases() {
		saved += k.Weights[k.Class] - k.Weights[0]
	}
	less := ratio.Over(ratio.Int(saved), d.WeightUnit.Rat())
	if each, ok := new(big.Rat).SetString(c.Error); ok && len(c.Error) < 100 {
		less.Mul(less, each)
	}
	return decimal(cost.Sub(cost, less))
}
