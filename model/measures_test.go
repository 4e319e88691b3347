package model

import (
	"encoding/json"
	"math"
	"testing"
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
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back Measures
	if err := json.Unmarshal(text, &back); err != nil || !math.IsNaN(float64(back.PerClass[2].Precision)) || back.F1 != m.F1 {
		t.Errorf("%s reads back as %+v, %v", text, back, err)
	}
}
