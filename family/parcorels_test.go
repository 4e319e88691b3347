package family

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parcorels/dataset"
	"parcorels/internal/status"
	"parcorels/internal/testing/must"
	"parcorels/model"
)

// TestFamilies fits each family to MONK's first problem, reads it back and
// compares predictions with labels.
func TestFamilies(t *testing.T) {
	data := must.Get(Read("../examples/monk1.csv", Reading{}))(t)
	for _, c := range []struct {
		options Options
		errors  int64
	}{
		{Options{Workers: 1}, 0},
		{Options{Family: model.Tree, Workers: 1, Lambda: "0.001"}, 0},
		{Options{Family: model.RuleSet, Workers: 1}, 0},
	} {
		m, err := Fit(context.Background(), data, c.options)
		if err != nil {
			t.Fatalf("%+v: %v", c.options, err)
		}
		if e := m.Certificate().Errors; e != c.errors {
			t.Errorf("%s has %d errors:\n%s", m.Family(), e, m)
		}
		path := filepath.Join(t.TempDir(), "m.json")
		must.Do(t, m.Save(path))
		back := must.Get(Load(path))(t)
		var a, b bytes.Buffer
		if m.Encode(&a) != nil || back.Encode(&b) != nil || a.String() != b.String() || back.Family() != m.Family() {
			t.Errorf("%s changes on its way through a file", m.Family())
		}
		rows := must.Get(dataset.OpenRows("../examples/monk1.csv", dataset.Options{}))(t)
		header := rows.Header()
		for cells, err := rows.Next(); err == nil; cells, err = rows.Next() {
			row := map[string]string{}
			for i, name := range header {
				row[name] = cells[i]
			}
			p, err := back.Predict(row)
			if err != nil || p.Label != cells[len(cells)-1] || back.Probability(row) != float64(p.Class) {
				t.Fatalf("%s predicts %+v for %v, %v", m.Family(), p, row, err)
			}
		}
		must.Do(t, rows.Close())
		if r := m.Report(); r.Model != m.Family() || r.Samples != 432 || r.Stats.Expanded == 0 {
			t.Errorf("report %+v", r)
		}
	}
}

// TestInterruptedFit: what is cancelled before the search is an error, and a search
// that ends early proves nothing.
func TestInterruptedFit(t *testing.T) {
	data := must.Get(Read("../examples/monk1.csv", Reading{}))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := Fit(ctx, data, Options{}); m != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", m, err)
	}
	m, err := Fit(context.Background(), data, Options{Lambda: "0.0001", Time: 1})
	if err != nil || m.Certificate().Status != status.TimeLimit {
		t.Errorf("%v, %v", m, err)
	}
}

// rareTable has 10,100 rows, of which 38 are yes: half of these for each of two flags that 2% of all rows have. Six more
// flags and five numbers say nothing. With shuffle, the labels say nothing either.
func rareTable(t *testing.T, shuffle uint64, classWeights string) *Data {
	t.Helper()
	rng := rand.New(rand.NewPCG(shuffle, 38))
	labels := make([]string, 10_100)
	rows := make([][]string, len(labels))
	for i := range rows {
		labels[i] = "no"
		if i < 38 {
			labels[i] = "yes"
		}
		for range 8 {
			rows[i] = append(rows[i], []string{"0", "1"}[max(0, rng.IntN(50)-48)])
		}
		for range 5 {
			rows[i] = append(rows[i], strconv.Itoa(rng.IntN(1000)))
		}
		if i < 38 {
			rows[i][i%2] = "1"
		}
	}
	if shuffle > 0 {
		rng.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	}
	for i, l := range labels {
		rows[i] = append(rows[i], l)
	}
	data := must.Get(Table(strings.Split("abcdefghijklmy", ""), rows, Reading{ClassWeights: classWeights}))(t)
	return data
}

// TestRareClass: with balanced classes the default λ finds the two true rules, and none where labels are shuffled.
func TestRareClass(t *testing.T) {
	for shuffle := range uint64(4) {
		p := must.Get(NewProblem(t.Context(), rareTable(t, shuffle, "balanced"), Options{}))(t)
		m := must.Get(p.Fit(t.Context(), Options{Nodes: 1000}))(t)
		c, text := m.Certificate(), m.Text(80)
		if want := map[bool]int{true: 2}[shuffle == 0]; c.Size != want || c.Status != status.Optimal ||
			want > 0 && (!strings.Contains(text, "a ") || !strings.Contains(text, "b ")) {
			t.Errorf("labels shuffled by seed %d: %v, λ = %s, %d rules, expected %d\n%s", shuffle, c.Status, c.Lambda, c.Size, want, text)
		}
	}
}

// TestDefaultLambda: below 300 samples a rule must save more than three, above 1,000 more than
// ten, and tables of almost no samples have a price that can be paid.
func TestDefaultLambda(t *testing.T) {
	for samples, want := range map[int]string{1: "0.5", 6: "0.5", 63: "1/21", 228: "1/76", 299: "3/299", 300: "0.01", 1000: "0.01",
		1001: "10/1001", 2500: "0.004", 4000: "0.0025", 100_000: "0.0025"} {
		if got, _ := DefaultLambda(&dataset.Dataset{N: samples}); got.String() != want {
			t.Errorf("%d samples: %s, want %s", samples, got, want)
		}
	}
	header, rows := []string{"x", "y"}, [][]string{}
	for i := range 60 {
		rows = append(rows, []string{[]string{"a", "b"}[i%2], []string{"yes", "no"}[(i+i/57)%2]})
	}
	data := must.Get(Table(header, rows, Reading{}))(t)
	m, err := Fit(t.Context(), data, Options{Workers: 1})
	if err != nil || m.Certificate().Lambda != "0.05" {
		t.Errorf("λ = %s, error %v", m.Certificate().Lambda, err)
	}
}
