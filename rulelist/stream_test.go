package rulelist

import (
	"slices"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
	"parcorels/model/predict"
	"parcorels/rules"
)

func TestPredictRow(t *testing.T) {
	m := bicycle(t, dataset.Options{})
	p, err := predict.Predict(m, map[string]string{"weather": "sun", "hilly": "no", "more": ""}, strict)
	if err != nil || p.Class != 1 || p.Label != "yes" || p.Case != 1 || !slices.Equal(p.Probabilities, []float64{1. / 6, 5. / 6}) {
		t.Errorf("predicts %+v, %v", p, err)
	}
	if _, err = predict.Predict(m, map[string]string{"weather": "sun"}, strict); err == nil ||
		err.Error() != `the table lacks column "hilly", which the model needs` {
		t.Errorf("without a column: %v", err)
	}
	if _, err = predict.Bind(m, []string{"hilly", "weather", "hilly"}, strict); err == nil ||
		err.Error() != `the table has more than one column "hilly"` {
		t.Errorf("with a column twice: %v", err)
	}
	bound := must.Get(predict.Bind(m, []string{"hilly", "weather"}, strict))(t)
	if _, err = bound.Predict([]string{"no"}); err == nil || err.Error() != "the row has 1 cells, expected 2 as in the header" {
		t.Errorf("with a short row: %v", err)
	}
}

func TestPredictAllocatesNothing(t *testing.T) {
	o := dataset.Options{}
	s := read(t, table, o, rules.Options{})
	m := modelOf(t, s, o, []Rule{pick(t, s, "weather = rain and age missing", false), pick(t, s, "weather = sun", true)}, false)
	p, err := predict.Bind(m, s.Data.Columns, strict)
	must.Do(t, err)
	row := []string{"rain", "yes", "55", "no"}
	if n := testing.AllocsPerRun(100, func() { _, err = p.Predict(row) }); n != 0 || err != nil {
		t.Errorf("%v allocations a row, %v", n, err)
	}
}
