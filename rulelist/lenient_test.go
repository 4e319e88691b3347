package rulelist

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/testing/must"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"parcorels/rules"
)

// TestChangesAreSmallest compares with all rows of values that random lists on
// random tables can tell apart: no change of fewer columns changes the class, and
// the changes found do, with any value that their text admits being tried.
func TestChangesAreSmallest(t *testing.T) {
	values := map[string][]string{
		"shape": {"round", "square", "oct agon", "a;b", "größe", "new", "?"}, "smiles": {"yes", "no"},
		"count": {"0", "1", "2", "3", "4", "-1", "1.5"}, "w": {"0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5", "5.5", "6",
			"6.5", "7", "7.5", "8", "8.5", "20", "-3"},
	}
	for x := 17.0; x < 60; x += .25 {
		values["age"] = append(values["age"], fmt.Sprint(x))
	}
	values["age"] = append(values["age"], "NA")
	changed := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 8))
		o := dataset.Options{Target: "label"}
		s := read(t, randomTable(r), o, rules.Options{Negations: seed%2 == 0, MaxCard: 3})
		m := modelOf(t, s, o, randomList(r, s), r.IntN(2) == 0)
		var header []string
		for _, c := range m.Columns {
			header = append(header, c.Name)
		}
		p := must.Get(predict.Bind(m, header, predict.Options{}))(t)
		row := make([]string, len(header))
		for i, h := range header {
			row[i] = values[h][r.IntN(len(values[h]))]
		}
		before := must.Get(p.Predict(row))(t)
		got := must.Get(explain.Changes(p, row))(t)
		if least := fewest(t, p, row, header, values, before.Class); least != got.Columns {
			t.Errorf("seed %d: %d columns must change, Changes says %d\n%v%v %q", seed, least, got.Columns, m, header, row)
		}
		changed += len(got.Found)
		for _, a := range got.Found {
			if len(a.Changes) != got.Columns || a.Class == before.Class {
				t.Errorf("seed %d: %+v", seed, a)
			}
		}
	}
	if changed < 20 {
		t.Errorf("only %d changes found: the test checks nothing", changed)
	}
}

// fewest returns the least number of cells, up to 2, that must take other values
// to change the class; 0 if that does not help and none is left.
func fewest(t *testing.T, p *predict.Predictor, row, header []string, values map[string][]string, class int) int {
	try := slices.Clone(row)
	var change func(first, k int) bool
	change = func(first, k int) bool {
		if k == 0 {
			said := must.Get(p.Predict(try))(t)
			return said.Class != class
		}
		for i := first; i < len(header); i++ {
			from := try[i]
			for _, v := range values[header[i]] {
				try[i] = v
				if change(i+1, k-1) {
					return true
				}
			}
			try[i] = from
		}
		return false
	}
	for k := 1; k <= len(header); k++ {
		if change(0, k) {
			return k
		}
		copy(try, row)
	}
	return 0
}
