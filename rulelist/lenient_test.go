package rulelist

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/model/explain"
	"parcorels/model/predict"
	"parcorels/rules"
)

// TestMeasuresByDefinition computes each measure row by row.
func TestMeasuresByDefinition(t *testing.T) {
	type row struct {
		actual, class int
		p             float64
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 7))
		text := randomTable(r)
		o := dataset.Options{Target: "label"}
		s := read(t, text, o, rules.Options{})
		m := modelOf(t, s, o, randomList(r, s), r.IntN(2) == 0)
		p, err := predict.Bind(m, s.Data.Columns, predict.Options{Laplace: true, By: "smiles"})
		if err != nil {
			t.Fatal(err)
		}
		stream := func() *dataset.Rows {
			rows, err := dataset.NewRows(strings.NewReader(text), "t.csv", o)
			if err != nil {
				t.Fatal(err)
			}
			return rows
		}
		var all []row
		rows := stream()
		for cells, err := rows.Next(); err == nil; cells, err = rows.Next() {
			said, err := p.Predict(cells)
			if err != nil {
				t.Fatal(err)
			}
			actual := 0
			if cells[slices.Index(s.Data.Columns, "label")] == s.Data.Classes[1] {
				actual = 1
			}
			all = append(all, row{actual, said.Class, said.Probabilities[1]})
		}
		sum, err := p.Stream("t.csv", stream(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var right, pairs, wins, logloss, brier float64
		var n [2]float64
		for _, x := range all {
			n[x.actual]++
			if x.actual == x.class {
				right++
			}
			logloss -= math.Log(map[int]float64{1: x.p, 0: 1 - x.p}[x.actual])
			brier += (x.p - float64(x.actual)) * (x.p - float64(x.actual))
			for _, y := range all {
				if x.actual == 1 && y.actual == 0 {
					pairs++
					if x.p > y.p {
						wins++
					} else if x.p == y.p {
						wins += .5
					}
				}
			}
		}
		total := float64(len(all))
		got := sum.Evaluation.Measures()
		for name, c := range map[string][2]float64{
			"accuracy": {float64(got.Accuracy), right / total}, "majority": {float64(got.Majority), max(n[0], n[1]) / total},
			"AUC": {float64(got.AUC), wins / pairs}, "log loss": {float64(got.LogLoss), logloss / total},
			"Brier": {float64(got.Brier), brier / total},
		} {
			if math.IsNaN(c[1]) != math.IsNaN(c[0]) || math.Abs(c[0]-c[1]) > 1e-9 {
				t.Errorf("seed %d: %s %v, by definition %v", seed, name, c[0], c[1])
			}
		}
		var grouped int64
		for _, g := range sum.Groups {
			grouped += g.Rows()
		}
		if grouped != sum.Evaluation.Rows() || sum.Rows != int64(len(all)) {
			t.Errorf("seed %d: %d rows in groups of %d", seed, grouped, sum.Evaluation.Rows())
		}
	}
}

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
		values["age"] = append(values["age"], strings.TrimSuffix(strings.TrimRight(formatted(x), "0"), "."))
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
		p, err := predict.Bind(m, header, predict.Options{})
		if err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(header))
		for i, h := range header {
			row[i] = values[h][r.IntN(len(values[h]))]
		}
		before, err := p.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		got, err := explain.Changes(p, row)
		if err != nil {
			t.Fatal(err)
		}
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

func formatted(x float64) string {
	b := []byte{}
	whole := int(x)
	b = append(b, byte('0'+whole/10), byte('0'+whole%10), '.')
	rest := int(x*100) % 100
	return string(append(b, byte('0'+rest/10), byte('0'+rest%10)))
}

// fewest returns the least number of cells, up to 2, that must take other values
// to change the class; 0 if that does not help and none is left.
func fewest(t *testing.T, p *predict.Predictor, row, header []string, values map[string][]string, class int) int {
	try := slices.Clone(row)
	var change func(first, k int) bool
	change = func(first, k int) bool {
		if k == 0 {
			said, err := p.Predict(try)
			if err != nil {
				t.Fatal(err)
			}
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
