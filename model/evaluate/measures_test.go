package evaluate

import (
	"encoding/json"
	"math"
	"testing"

	"parcorels/internal/interval"
	"parcorels/internal/testing/must"
)

// TestManyClasses has three classes, of which one is never predicted.
func TestManyClasses(t *testing.T) {
	e := Evaluation{
		Classes: []string{"a", "b", "c"}, Predicted: []int{0, 1},
		Probabilities: [][]float64{{.5, .25, .25}, {.2, .6, .2}},
		Counts:        [][]int64{{4, 0, 2}, {1, 3, 0}},
	}
	m := e.Measures()
	for name, c := range map[string][2]float64{
		"accuracy": {float64(m.Accuracy), .7}, "majority": {float64(m.Majority), .5},
		"balanced": {float64(m.Balanced), (.8 + 1 + 0) / 3}, "precision": {float64(m.Precision), (4./6 + 3./4 + 0) / 3},
		"AUC of c": {float64(m.PerClass[2].AUC), (2*4 + .5*2*4) / (2 * 8.)},
		"Brier":    {float64(m.Brier), (4*(.25+.0625+.0625) + 2*(.25+.0625+.5625) + 1*(.64+.36+.04) + 3*(.04+.16+.04)) / 10},
		"log loss": {float64(m.LogLoss), -(4*math.Log(.5) + 2*math.Log(.25) + math.Log(.2) + 3*math.Log(.6)) / 10},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, c[0], c[1])
		}
	}
	text := must.Get(json.Marshal(m))(t)
	var back Measures
	if err := json.Unmarshal(text, &back); err != nil || !math.IsNaN(float64(back.PerClass[2].Precision)) || back.F1 != m.F1 {
		t.Errorf("%s reads back as %+v, %v", text, back, err)
	}
}

// TestWeightsAreDuplicates: rows that weigh whole numbers measure as if they stood
// as often in the table.
func TestWeightsAreDuplicates(t *testing.T) {
	e := Evaluation{
		Classes: []string{"a", "b", "c"}, Predicted: []int{0, 1, 2},
		Probabilities: [][]float64{{.5, .25, .25}, {.2, .6, .2}, {.1, .1, .8}},
		Counts:        [][]int64{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		Weights:       [][]float64{{4, 1, 2}, {1, 3, 5}, {2, 1, 7}},
	}
	copies := e
	copies.Counts, copies.Weights = [][]int64{{4, 1, 2}, {1, 3, 5}, {2, 1, 7}}, nil
	a, b := e.Measures(), copies.Measures()
	if a.Rows != 9 || *a.Weight != 26 || b.Weight != nil {
		t.Errorf("%d rows weigh %v", a.Rows, a.Weight)
	}
	a.Rows, a.Weight = b.Rows, nil
	for c := range a.PerClass {
		a.PerClass[c].Rows = b.PerClass[c].Rows
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) || a.AUC != b.AUC || e.ROC(1)[1] != copies.ROC(1)[1] {
		t.Errorf("by weight\n%s\ncopied\n%s", x, y)
	}
}

// TestGroupsOfManyClasses: the rates are those of each class against the others, and groups of few rows
// are not compared.
func TestGroupsOfManyClasses(t *testing.T) {
	group := func(name string, counts [][]int64) GroupMeasures {
		return Group{name, &Evaluation{Classes: []string{"a", "b", "c"}, Predicted: []int{0, 1},
			Probabilities: [][]float64{{.5, .25, .25}, {.2, .6, .2}}, Counts: counts}}.Measures()
	}
	groups := []GroupMeasures{
		group("f", [][]int64{{9, 3, 0}, {0, 12, 6}}), group("m", [][]int64{{3, 3, 6}, {3, 12, 3}}),
		group("x", [][]int64{{0, 0, 9}, {9, 0, 9}}), // too few rows to be compared
	}
	differences := Differences(groups)
	found := map[string]Difference{}
	for _, d := range differences {
		found[d.Name()] = d
	}
	for name, want := range map[string]float64{"accuracy": .2, "selection rate of a": 0, "TPR of a": .5, "FPR of b": 0, "PPV of a": .5,
		"TPR of c": 0} {
		if d, ok := found[name]; !ok || math.Abs(float64(d.Size)-want) > 1e-12 {
			t.Errorf("%s: %+v, want %v", name, d, want)
		}
	}
	if _, ok := found["PPV of c"]; ok || !math.IsNaN(float64(groups[0].TPR)) {
		t.Error("a class that is never predicted has a precision, or three classes have rates of one")
	}
}

// TestIntervals: of rows that count one each there are intervals around the measures.
func TestIntervals(t *testing.T) {
	e := Evaluation{Classes: []string{"no", "yes"}, Predicted: []int{0, 1}, Probabilities: [][]float64{{.8, .2}, {.3, .7}},
		Counts: [][]int64{{40, 10}, {15, 35}}}
	m, in := e.Measures(), e.Intervals()
	for measure, i := range map[Rate]*interval.Interval{m.Accuracy: in.Accuracy, m.Precision: in.Precision, m.Recall: in.Recall,
		m.AUC: in.AUC} {
		if v := float64(measure); i == nil || i.Low >= v || i.High <= v || i.High-i.Low > .3 {
			t.Errorf("%v: %v", measure, i)
		}
	}
	e.Weights = [][]float64{{1, 1}, {1, 1}}
	if e.Intervals() != nil {
		t.Error("intervals by weights")
	}
}

// TestRanking compares average precision and lift with the rows one by one.
func TestRanking(t *testing.T) {
	e := &Evaluation{Classes: []string{"no", "yes"}, Predicted: []int{0, 1, 0}, Probabilities: [][]float64{{.99, .01}, {.4, .6}, {.8, .2}},
		Counts: [][]int64{{170, 2}, {2, 6}, {18, 2}}}
	m := e.Measures()
	// From the top: 8 rows with 6, 20 with 2, 172 with 2. A tenth is 20 rows: all 8, and 12 of the 20.
	average := (6*6./8 + 2*8./28 + 2*10./200) / 10
	lift := (6 + 2*12./20) / 20 / (10. / 200)
	if math.Abs(float64(m.AveragePrecision)-average) > 1e-12 || math.Abs(float64(m.Lift)-lift) > 1e-12 {
		t.Errorf("average precision %v, lift %v, want %v and %v", m.AveragePrecision, m.Lift, average, lift)
	}
	rare := m.Rare()
	e.Counts[1][1] = 60
	if m = e.Measures(); !rare || m.Rare() {
		t.Error("a class of 5% is rare, one of a quarter is not")
	}
	e.Counts[0][1], e.Counts[1][1], e.Counts[2][1] = 0, 0, 0
	if m = e.Measures(); !math.IsNaN(float64(m.Lift)) || !math.IsNaN(float64(m.AveragePrecision)) {
		t.Errorf("without a row of the class: %v, %v", m.AveragePrecision, m.Lift)
	}
}
