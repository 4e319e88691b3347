package ruleset

import (
	"fmt"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Meta is what only the search knows about a rule set.
type Meta struct {
	Software    string
	Status      status.Status
	Prices      Prices
	MaxRules    int
	MaxLiterals int // of a rule; 0: any number
	Value       model.Fraction
	UpperBound  model.Fraction
	Guarantee   Guarantee
	Options     dataset.Options // that the data was read with
}

// New makes the model of rules, each a set of antecedents of set by index, that
// must all hold. It counts from captured sets and labels what each covers, and
// returns an error when these counts contradict meta.
func New(set *rules.Set, list [][]int, meta Meta) (*Model, error) {
	m := &Model{
		Origin: model.Origin{Software: meta.Software, Status: meta.Status},
		Prices: meta.Prices, MaxRules: meta.MaxRules, MaxLiterals: meta.MaxLiterals, Value: meta.Value, UpperBound: meta.UpperBound,
		Guarantee: meta.Guarantee,
		Frame:     model.NewFrame(set, meta.Options),
		Rules:     []Rule{},
	}
	left := model.NewCounter(set.Data)
	for _, antecedents := range list {
		r, captured, err := m.rule(set, antecedents)
		if err != nil {
			return nil, err
		}
		r.Counts = left.Take(captured)
		m.Rules = append(m.Rules, r)
	}
	m.Default.Counts = left.Take(nil)
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the rule set does not fit the data: %w", err)
	}
	return m, nil
}

// rule makes a rule and its captured set.
func (m *Model) rule(set *rules.Set, antecedents []int) (Rule, *bitset.BitSet, error) {
	n := uint(set.Data.N)
	captured := bitset.New(n).FlipRange(0, n)
	literals := []rules.Literal{}
	for _, a := range antecedents {
		if a < 0 || a >= len(set.Antecedents) {
			return Rule{}, nil, fmt.Errorf("a rule has antecedent %d, the set has %d", a, len(set.Antecedents))
		}
		captured.InPlaceIntersection(set.Antecedents[a].Captured())
		literals = append(literals, set.Antecedents[a].Literals...)
	}
	r := Rule{Literals: m.Literals(set.Data, literals), Size: len(antecedents), Covers: model.NewCounter(set.Data).Take(captured)}
	if r.Literals == nil {
		r.Literals = []model.Literal{}
	}
	r.Antecedent = model.Conjunction(r.Literals)
	return r, captured, nil
}
