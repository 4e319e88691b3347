package evaluate

import (
	"math"
	"slices"
)

// Group is the evaluation of the rows that have one value in a column.
type Group struct {
	Value string
	*Evaluation
}

// GroupMeasures are the measures of one group of rows.
type GroupMeasures struct {
	Group string `json:"group"`
	Measures
	// Class 1 of two classes.
	Selected Rate `json:"selection_rate"` // share predicted to be of class 1
	TPR      Rate `json:"tpr"`            // share of class 1 predicted to be so
	FPR      Rate `json:"fpr"`            // share of class 0 predicted to be of class 1
	PPV      Rate `json:"ppv"`            // share of those predicted to be of class 1 that are
}

// Difference is the largest difference of a measure between two groups in which
// it is defined.
type Difference struct {
	Measure string `json:"measure"`
	Class   string `json:"class,omitempty"` // of more than two, the one told from all others
	Size    Rate   `json:"difference"`
	Most    string `json:"most"`  // the group with the largest value
	Least   string `json:"least"` // the group with the smallest
}

// Name returns the measure, and of which class it is where there are many.
func (d Difference) Name() string {
	if d.Class == "" {
		return d.Measure
	}
	return d.Measure + " of " + d.Class
}

// Measures returns the measures of a group. With more than two classes, those of
// class 1 stay undefined.
func (g Group) Measures() GroupMeasures {
	m := GroupMeasures{Group: g.Value, Measures: g.Evaluation.Measures()}
	one := m.One()
	m.Selected, m.TPR, m.FPR, m.PPV = one.Selected, one.Recall, one.FPR, one.Precision
	return m
}

// One returns the rates of class 1 of two; with more classes they are undefined.
func (m *Measures) One() ClassMeasures {
	if len(m.PerClass) == 2 {
		return m.PerClass[1]
	}
	nan := Rate(math.NaN())
	return ClassMeasures{Selected: nan, Recall: nan, FPR: nan, Precision: nan}
}

// Errors returns the weight of what was predicted wrongly, of all.
func (m *Measures) Errors() (wrong, all float64) {
	for class, row := range m.Confusion {
		all += Sum(row)
		wrong += Sum(row) - row[class]
	}
	return wrong, all
}

// Told are the classes whose measures are told one by one, each against all others: of two, class 1.
func Told(classes []string) []int {
	if len(classes) == 2 {
		return []int{1}
	}
	all := make([]int, len(classes))
	for c := range all {
		all[c] = c
	}
	return all
}

// FewRows is the number of rows below which the measures of a group say too little to be
// compared with those of others.
const FewRows = 30

// Differences returns the largest difference of each measure between groups of FewRows and
// more; of more than two classes those of telling each class from all others.
func Differences(groups []GroupMeasures) (list []Difference) {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g GroupMeasures) bool { return g.Rows < FewRows })
	add := func(name, class string, value func(*GroupMeasures) Rate) {
		if d, ok := difference(groups, value); ok {
			d.Measure, d.Class = name, class
			list = append(list, d)
		}
	}
	add("accuracy", "", func(g *GroupMeasures) Rate { return g.Accuracy })
	if len(groups) == 0 {
		return list
	}
	classes := groups[0].Classes
	for _, c := range Told(classes) {
		class := classes[c]
		if len(classes) == 2 {
			class = ""
		}
		add(SelectionRate, class, func(g *GroupMeasures) Rate { return g.PerClass[c].Selected })
		add("TPR", class, func(g *GroupMeasures) Rate { return g.PerClass[c].Recall })
		add("FPR", class, func(g *GroupMeasures) Rate { return g.PerClass[c].FPR })
		add("PPV", class, func(g *GroupMeasures) Rate { return g.PerClass[c].Precision })
	}
	return list
}

// difference returns the largest difference of a measure between two groups in
// which it is defined; false if there are no two.
func difference(groups []GroupMeasures, value func(*GroupMeasures) Rate) (Difference, bool) {
	least, most, defined := -1, -1, 0
	for i := range groups {
		v := value(&groups[i])
		if math.IsNaN(float64(v)) {
			continue
		}
		defined++
		if least < 0 || v < value(&groups[least]) {
			least = i
		}
		if most < 0 || v > value(&groups[most]) {
			most = i
		}
	}
	if defined < 2 {
		return Difference{}, false
	}
	return Difference{Size: value(&groups[most]) - value(&groups[least]), Most: groups[most].Group, Least: groups[least].Group}, true
}

// SelectionRate is the measure of a difference in the share of rows that are predicted to be of a class.
const SelectionRate = "selection rate"
