package parcorels

import (
	"encoding/csv"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/optionerr"
	"parcorels/ratio"
)

func TestAlternatives(t *testing.T) {
	d, err := Read("examples/monk1.csv", Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 5} {
		o := AlternativesOptions{Options: Options{Lambda: "0.01", Workers: workers}, Within: ratio.New(1, 10)}
		a, err := p.Alternatives(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		counts := a.Count()
		if n := counts.Lists().Int64(); n != 24 || !a.Complete {
			t.Errorf("%d workers: %d lists within 10%%, want 24", workers, n)
		}
		for _, e := range counts.Entries() {
			if e.Rules != 4 {
				t.Errorf("lists of %d rules", e.Rules)
			}
		}
		c, ok := a.Classifiers(1000)
		if !ok || c.Len() != 1 {
			t.Fatalf("%d classifiers, want 1", c.Len())
		}
		m, err := a.Model(c.At(0))
		if err != nil {
			t.Fatal(err)
		}
		if m.String() != a.Best.String() || m.Certificate().Status != status.Optimal {
			t.Errorf("the smallest list of the only classifier is\n%v\nnot the optimum\n%v", m, a.Best)
		}
	}
	var option *optionerr.Error
	if _, err := p.Alternatives(t.Context(), AlternativesOptions{Within: ratio.New(1, 10), Rules: ratio.New(1, 1)}); !errors.As(err, &option) {
		t.Errorf("two thresholds: %v", err)
	}
	var unproved *ErrUnproved
	if _, err := p.Alternatives(t.Context(), AlternativesOptions{Options: Options{Lambda: "0.01", Nodes: 1}}); !errors.As(err, &unproved) {
		t.Errorf("an optimum that is not proved: %v", err)
	}
}

// TestFair asks for lists of ever smaller differences between two groups, and for one on the
// front of all good lists.
func TestFair(t *testing.T) {
	d, err := Read("examples/monk1.csv", Reading{})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Lambda: "0.05"}
	p, err := NewProblem(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	group := make([]bool, d.N)
	for _, f := range d.Features {
		if f.Name == "body_shape = round" {
			for i := range group {
				group[i] = f.Bits.Test(uint(i))
			}
		}
	}
	a, err := p.Alternatives(t.Context(), AlternativesOptions{Options: o, Rules: ratio.New(2, 1)})
	if err != nil {
		t.Fatal(err)
	}
	front, err := a.Front(group, TPR)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []ratio.Ratio{ratio.New(1, 1), ratio.New(1, 5), ratio.New(1, 20), ratio.New(0, 1)} {
		f, err := p.Fair(t.Context(), o, group, FairLimit{TPR, most})
		if err != nil {
			t.Fatal(err)
		}
		if !f.Proved || math.Abs(f.Differences[0]) > most.Float() {
			t.Errorf("a difference of %v, asked for %v at most", f.Differences[0], most)
		}
		for _, x := range front { // the first within the limit
			if math.Abs(x.Difference) <= most.Float() {
				if got := f.Certificate().Objective.Value; got != a.Objective(x.List.Objective) {
					t.Errorf("objective %v within %v, on the front it is %v", got, most, a.Objective(x.List.Objective))
				}
				break
			}
		}
	}
	var option *optionerr.Error
	if _, err := p.Fair(t.Context(), o, group[1:], FairLimit{TPR, ratio.New(1, 2)}); !errors.As(err, &option) {
		t.Errorf("too few groups: %v", err)
	}
	if _, err := p.Fair(t.Context(), o, group, FairLimit{TPR, ratio.New(2, 1)}); !errors.As(err, &option) {
		t.Errorf("a limit of 2: %v", err)
	}
}

func TestAlternativeTrees(t *testing.T) {
	d, err := Read("examples/monk1.csv", Reading{})
	if err != nil {
		t.Fatal(err)
	}
	o := AlternativesOptions{Options: Options{Family: model.Tree, Lambda: "0.02"}}
	p, err := NewProblem(t.Context(), d, o.Options)
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.AlternativeTrees(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	counts, rng := a.Count(), rand.New(rand.NewPCG(1, 1))
	for range 20 {
		m, err := a.Sample(counts, rng)
		if err != nil {
			t.Fatal(err)
		}
		if v := m.Certificate().Objective.Value; v > a.Objective(a.Threshold())+1e-9 || v < a.Best.Certificate().Objective.Value-1e-9 {
			t.Errorf("a tree of objective %v", v)
		}
	}
	if _, err := p.Alternatives(t.Context(), o); err == nil {
		t.Error("rule lists of a problem of trees")
	}
}

// TestReliance compares the range with that of all lists one by one, shuffled in all ways.
func TestReliance(t *testing.T) {
	d, err := Read("examples/monk1.csv", Reading{})
	if err != nil {
		t.Fatal(err)
	}
	o := AlternativesOptions{Options: Options{Lambda: "0.1", MaxCard: 1}, Rules: ratio.New(2, 1)}
	p, err := NewProblem(t.Context(), d, o.Options)
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Alternatives(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	rows := readRows(t, "examples/monk1.csv")
	header, rows := rows[0], rows[1:]
	counts := a.Count()
	for at, column := range header[:len(header)-1] {
		low, high := math.Inf(1), math.Inf(-1)
		for n := range counts.Lists().Int64() {
			m, err := a.Model(counts.At(big.NewInt(n)))
			if err != nil {
				t.Fatal(err)
			}
			predicts, err := predict.Bind(m.Model, header, predict.Options{})
			if err != nil {
				t.Fatal(err)
			}
			wrong := func(cells []string, label string) int {
				if x, err := predicts.Predict(cells); err != nil || x.Label != label {
					return 1
				}
				return 0
			}
			sum, values := 0, map[string]int{}
			for _, cells := range rows {
				values[cells[at]]++
			}
			for _, cells := range rows {
				label := cells[len(cells)-1]
				sum -= len(rows) * wrong(cells, label)
				for value, times := range values {
					mixed := slices.Clone(cells)
					mixed[at] = value
					sum += times * wrong(mixed, label)
				}
			}
			x := float64(sum) / float64(len(rows)*len(rows))
			low, high = min(low, x), max(high, x)
		}
		least, most, err := a.Reliance(t.Context(), column)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(least-low) > 1e-12 || math.Abs(most-high) > 1e-12 {
			t.Errorf("reliance on %s from %v to %v, want %v to %v", column, least, most, low, high)
		}
	}
}

func readRows(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
