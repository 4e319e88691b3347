package bayes

import (
	"fmt"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/rules"
)

// Unit is the number of units of Meta's posteriors in a nat.
const Unit = int64(1) << 32

// Meta is what only the search knows about a list.
type Meta struct {
	Software  string
	Status    status.Status
	Prior     Prior
	Posterior int64 // F, in units of 2^−32 nats
	Bound     int64
	Chains    Chains
	Options   dataset.Options // that the data was read with
}

// New makes the model of a list of antecedents of set, by index, with the default
// behind them. It counts from captured sets and labels what each line captures, and
// returns an error when these contradict meta.
func New(set *rules.Set, list []int, meta Meta) (*Model, error) {
	m := &Model{
		Origin: model.Origin{Software: meta.Software, Status: meta.Status},
		Prior:  meta.Prior, Chains: meta.Chains,
		Posterior: model.NewFraction(meta.Posterior, Unit), Bound: model.NewFraction(meta.Bound, Unit),
		Frame: model.NewFrame(set, meta.Options),
		Rules: []Line{},
	}
	c := model.NewCounter(set.Data)
	for i, a := range list {
		if a < 0 || a >= len(set.Antecedents) {
			return nil, fmt.Errorf("rule %d has antecedent %d, the set has %d", i+1, a, len(set.Antecedents))
		}
		x := set.Antecedents[a]
		m.Rules = append(m.Rules, m.line(x.Name, m.Literals(set.Data, x.Literals), c.Take(x.Captured())))
	}
	m.Default = m.line("", nil, c.Take(nil))
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the Bayesian rule list does not fit the data: %w", err)
	}
	return m, nil
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
