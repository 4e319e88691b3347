package bayes

import (
	"fmt"
	"strings"

	"parcorels/dataset"
	"parcorels/model"
	"parcorels/rules"
)

// Unit is the denominator of posteriors and bounds: how many of their units are a nat.
const Unit = int64(1) << 32

// New completes the model of a list of antecedents of set, by index, with the default
// behind them; the model has what only the search knows, up to the chains. New counts from captured sets and labels what each line
// captures, and returns an error when these contradict the model. The data was read with some options.
func New(set *rules.Set, list []int, read dataset.Options, m Model) (*Model, error) {
	m.Frame, m.Rules = model.NewFrame(set, read), []Line{}
	c := model.NewCounter(set.Data)
	for _, a := range list {
		x := set.Antecedents[a]
		m.Rules = append(m.Rules, m.line(x.Name, m.Literals(set.Data, x.Literals), c.Take(x.Captured())))
	}
	m.Default = m.line("", nil, c.Take(nil))
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the Bayesian rule list does not fit the data: %w", err)
	}
	return &m, nil
}

// line makes a line of what it captured.
func (m *Model) line(name string, literals []model.Literal, counts model.Counts) Line {
	l := Line{Antecedent: name, Literals: literals, Counts: counts}
	a, b := m.beta(counts)
	l.Mean = a / (a + b)
	if l.Mean > .5 {
		l.Class = 1
	}
	l.Low, l.High = Interval(a, b)
	return l
}

// beta returns the parameters of the posterior of a line's probability: pseudo-samples
// and weights, in units of one sample's weight.
func (m *Model) beta(counts model.Counts) (a, b float64) {
	unit := m.Data.WeightUnit.Float()
	return float64(counts.Weights[1])/unit + m.Prior.Alpha[1].Float(), float64(counts.Weights[0])/unit + m.Prior.Alpha[0].Float()
}

// Cardinalities returns how many conditions each antecedent of a set has. Antecedents
// of an .out file are single features; their conditions are told by commas in names
// such as {a=1,b=2}, as the reference implementation does.
func Cardinalities(set *rules.Set) []int {
	cards := make([]int, len(set.Antecedents))
	for i, a := range set.Antecedents {
		cards[i] = len(a.Literals)
		if set.Data.Format == "out" && strings.HasPrefix(a.Name, "{") {
			cards[i] = strings.Count(a.Name, ",") + 1
		}
	}
	return cards
}
