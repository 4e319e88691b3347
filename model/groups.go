package model

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// maxGroups is how many groups an evaluation tells apart.
const maxGroups = 100

var errGroups = errors.New("has more than 100 different values: choose a column of groups")

// Group is the evaluation of the rows that have one value in a column.
type Group struct {
	Value string
	*Evaluation
}

// GroupMeasures are the measures of one group of rows.
type GroupMeasures struct {
	Group string `json:"group"`
	Measures
	// Of class 1 of two classes.
	Selected Rate `json:"selection_rate"` // share predicted to be of class 1
	TPR      Rate `json:"tpr"`            // share of class 1 predicted to be so
	FPR      Rate `json:"fpr"`            // share of class 0 predicted to be of class 1
	PPV      Rate `json:"ppv"`            // share of those predicted to be of class 1 that are
}

// Difference is the largest difference of a measure between two groups in which
// it is defined.
type Difference struct {
	Measure string `json:"measure"`
	Size    Rate   `json:"difference"`
	Most    string `json:"most"`  // the group with the largest value
	Least   string `json:"least"` // the group with the smallest
}

// Measures returns the measures of a group. Of more than two classes those of
// class 1 stay undefined.
func (g Group) Measures() GroupMeasures {
	m := GroupMeasures{Group: g.Value, Measures: g.Evaluation.Measures()}
	nan := Rate(math.NaN())
	m.Selected, m.TPR, m.FPR, m.PPV = nan, nan, nan, nan
	if len(m.PerClass) == 2 {
		one := m.PerClass[1]
		m.Selected, m.TPR, m.FPR, m.PPV = one.Selected, one.Recall, one.FPR, one.Precision
	}
	return m
}

// Differences returns the largest difference of each measure between groups.
func Differences(groups []GroupMeasures) (list []Difference) {
	for _, of := range []struct {
		name  string
		value func(*GroupMeasures) Rate
	}{
		{"accuracy", func(g *GroupMeasures) Rate { return g.Accuracy }},
		{"selection rate", func(g *GroupMeasures) Rate { return g.Selected }},
		{"TPR", func(g *GroupMeasures) Rate { return g.TPR }},
		{"FPR", func(g *GroupMeasures) Rate { return g.FPR }},
		{"PPV", func(g *GroupMeasures) Rate { return g.PPV }},
	} {
		least, most, defined := -1, -1, 0
		for i := range groups {
			v := of.value(&groups[i])
			if math.IsNaN(float64(v)) {
				continue
			}
			defined++
			if least < 0 || v < of.value(&groups[least]) {
				least = i
			}
			if most < 0 || v > of.value(&groups[most]) {
				most = i
			}
		}
		if defined > 1 {
			list = append(list, Difference{of.name, of.value(&groups[most]) - of.value(&groups[least]), groups[most].Group, groups[least].Group})
		}
	}
	return list
}

// grouper sorts rows into groups.
type grouper struct {
	at     int // column
	groups map[string]*Evaluation
}

// of returns the evaluation of the group that a row is in.
func (g *grouper) of(p *Predictor, cells []string) (*Evaluation, error) {
	value := cells[g.at]
	e, ok := g.groups[value]
	if !ok {
		if len(g.groups) == maxGroups {
			return nil, errGroups
		}
		e = p.newEvaluation()
		g.groups[string([]byte(value))] = e
	}
	return e, nil
}

// list returns the groups by value.
func (g *grouper) list() (list []Group) {
	for value, e := range g.groups {
		list = append(list, Group{value, e})
	}
	slices.SortFunc(list, func(a, b Group) int { return cmp.Compare(a.Value, b.Value) })
	return list
}
