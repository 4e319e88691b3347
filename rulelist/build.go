package rulelist

import (
	"fmt"
	"path/filepath"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/ratio"
	"parcorels/rules"

	"github.com/bits-and-blooms/bitset"
)

// Rule is a rule as a search returns it: an antecedent, by its index in the
// set, and whether what it captures is predicted to be of class 1.
type Rule struct {
	Antecedent int
	Predict    bool
}

// Meta is what only the search knows about a list.
type Meta struct {
	Software   string          // program and version that learned it
	Status     status.Status   // anything but unknown
	Lambda     ratio.Ratio     // between 0 and 1
	Objective  int64           // of the list: Den·(weight of errors) + Num·(total weight)·(number of rules), with λ = Num/Den
	LowerBound int64           // of every list's objective, in the same units
	Options    dataset.Options // that the data was read with
}

// New makes the model of a rule list on the data that set was made from: list
// in order, then the default, which predicts class 1 if def. It counts from
// the captured sets and the labels themselves what each line captures.
//
// It returns an error when an antecedent is not in the set, or when the counts
// contradict meta: in particular when they do not give its objective.
func New(set *rules.Set, list []Rule, def bool, meta Meta) (*Model, error) {
	m := describe(set.Data, meta)
	c := newCounter(set.Data)
	for i, r := range list {
		if r.Antecedent < 0 || r.Antecedent >= len(set.Antecedents) {
			return nil, fmt.Errorf("rule %d has antecedent %d, the set has %d", i+1, r.Antecedent, len(set.Antecedents))
		}
		a := set.Antecedents[r.Antecedent]
		line := c.take(a.Captured)
		line.Antecedent, line.Literals, line.Class = a.Name, m.literals(set.Data, a), class(r.Predict)
		m.Rules = append(m.Rules, line)
	}
	m.Default = c.take(nil)
	m.Default.Class = class(def)
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the rule list does not fit the data: %w", err)
	}
	return m, nil
}

// describe returns the model of d without lines.
func describe(d *dataset.Dataset, meta Meta) *Model {
	total := int64(d.N)
	if d.Weights != nil {
		total = 0
		for _, w := range d.Weights {
			total += w
		}
	}
	den := meta.Lambda.Den * total
	m := &Model{
		Software: meta.Software, Status: meta.Status, Lambda: meta.Lambda,
		Objective: fraction(meta.Objective, den), LowerBound: fraction(meta.LowerBound, den),
		Data: Data{
			Source: filepath.Base(d.Source), Hash: d.Hash, Format: d.Format,
			Samples: int64(d.N), Dropped: int64(d.Dropped),
			Weighted: d.Weights != nil, Weight: total, WeightUnit: d.WeightUnit,
		},
		Reading: Reading{
			NoHeader: meta.Options.NoHeader, Width: len(d.Columns),
			DropMissing: meta.Options.DropMissing, MissingWords: meta.Options.Missing,
		},
		Target: d.Target, Classes: d.Classes, OneVsRest: d.OneVsRest,
		Columns: []Column{}, Rules: []Line{},
	}
	m.Gap = gap(m.Objective, m.LowerBound)
	return m
}

// literals returns the literals of a, and adds the columns that they look at
// to those of the model.
func (m *Model) literals(d *dataset.Dataset, a rules.Antecedent) []Literal {
	var list []Literal
	for _, c := range rules.Conditions(d, a.Literals) {
		list = append(list, Literal{Name: c.Name, Column: m.addColumn(d, d.Features[c.Feature]), Negated: c.Negated, Test: c.Test})
	}
	return list
}

// counter shares out the samples of a data set among the lines of a list.
type counter struct {
	data *dataset.Dataset
	left *bitset.BitSet // samples that no line has captured
}

func newCounter(d *dataset.Dataset) *counter {
	return &counter{d, bitset.New(uint(d.N)).FlipRange(0, uint(d.N))}
}

// take returns the counts of a line with the given captured set, nil for all
// samples, and takes the samples that it captures.
func (c *counter) take(captured *bitset.BitSet) Line {
	taken := c.left.Clone()
	if captured != nil {
		taken.InPlaceIntersection(captured)
	}
	c.left.InPlaceDifference(taken)
	var l Line
	for i, ok := taken.NextSet(0); ok; i, ok = taken.NextSet(i + 1) {
		y := class(c.data.Labels.Test(i))
		l.Samples[y]++
		l.Weights[y] += c.weight(i)
	}
	return l
}

func (c *counter) weight(i uint) int64 {
	if c.data.Weights == nil {
		return 1
	}
	return c.data.Weights[i]
}

func class(one bool) int {
	if one {
		return 1
	}
	return 0
}
