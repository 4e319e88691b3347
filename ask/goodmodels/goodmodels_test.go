package goodmodels_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"parcorels/ask/fair"
	"parcorels/ask/goodmodels"
	"parcorels/family"
	"parcorels/family/rates"
	"parcorels/internal/status"
	"parcorels/model"
	"parcorels/model/predict"
	"parcorels/optionerr"
	"parcorels/ratio"
)

func TestAlternatives(t *testing.T) {
	d, err := family.Read("../../examples/monk1.csv", family.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := family.NewProblem(t.Context(), d, family.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 5} {
		o := goodmodels.Options{Options: family.Options{Lambda: "0.01", Workers: workers}, Within: ratio.New(1, 10)}
		a, err := goodmodels.Ask(t.Context(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		counts := a.Count()
		if n := counts.Models().Int64(); n != 24 || !a.Complete {
			t.Errorf("%d workers: %d lists within 10%%, want 24", workers, n)
		}
		for _, e := range counts.Entries() {
			if e.Size != 4 {
				t.Errorf("lists of %d rules", e.Size)
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
	if _, err := goodmodels.Ask(t.Context(), p, goodmodels.Options{Within: ratio.New(1, 10), Rules: ratio.New(1, 1)}); !errors.As(err,
		&option) {
		t.Errorf("two thresholds: %v", err)
	}
	var unproved *goodmodels.ErrUnproved
	if _, err := goodmodels.Ask(t.Context(), p, goodmodels.Options{Options: family.Options{Lambda: "0.01", Nodes: 1}}); !errors.As(err,
		&unproved) {
		t.Errorf("an optimum that is not proved: %v", err)
	}
}

// TestFair asks for lists of ever smaller differences between two groups, and for one on the
// front of all good lists.
func TestFair(t *testing.T) {
	d, err := family.Read("../../examples/monk1.csv", family.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	o := family.Options{Lambda: "0.05"}
	p, err := family.NewProblem(t.Context(), d, o)
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
	a, err := goodmodels.Ask(t.Context(), p, goodmodels.Options{Options: o, Rules: ratio.New(2, 1)})
	if err != nil {
		t.Fatal(err)
	}
	front, err := a.Front(group, rates.TPR)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []ratio.Ratio{ratio.New(1, 1), ratio.New(1, 5), ratio.New(1, 20), ratio.New(0, 1)} {
		f, err := fair.Ask(t.Context(), p, fair.Options{Options: o, Group: rates.Group{Inside: group},
			Limits: []fair.Limit{{Measure: rates.TPR, Most: most}}})
		if err != nil {
			t.Fatal(err)
		}
		if !f.Proved || math.Abs(float64(f.Rates[0])) > most.Float() {
			t.Errorf("a difference of %v, asked for %v at most", f.Rates[0], most)
		}
		for _, x := range front { // the first within the limit
			if math.Abs(x.Difference) <= most.Float() {
				if got := f.Certificate().Objective.Value; got != x.Best.Certificate().Objective.Value {
					t.Errorf("objective %v within %v, on the front it is %v", got, most, x.Best.Certificate().Objective.Value)
				}
				break
			}
		}
	}
	var option *optionerr.Error
	if _, err := fair.Ask(t.Context(), p, fair.Options{Options: o, Group: rates.Group{Inside: group[1:]},
		Limits: []fair.Limit{{Measure: rates.TPR, Most: ratio.New(1, 2)}}}); !errors.As(err, &option) {
		t.Errorf("too few groups: %v", err)
	}
	if _, err := fair.Ask(t.Context(), p, fair.Options{Options: o, Group: rates.Group{Inside: group},
		Limits: []fair.Limit{{Measure: rates.TPR, Most: ratio.New(2, 1)}}}); !errors.As(err, &option) {
		t.Errorf("a limit of 2: %v", err)
	}
}

// goodTrees finds the good trees of data.
func goodTrees(t *testing.T, d *family.Data, o goodmodels.Options) (*goodmodels.Answer, *family.Problem) {
	t.Helper()
	p, err := family.NewProblem(t.Context(), d, o.Options)
	if err != nil {
		t.Fatal(err)
	}
	a, err := goodmodels.Ask(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return a, p
}

func TestAlternativeTrees(t *testing.T) {
	d, err := family.Read("../../examples/monk1.csv", family.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	o := goodmodels.Options{Options: family.Options{Family: model.Tree, Lambda: "0.02"}}
	a, _ := goodTrees(t, d, o)
	counts, rng := a.Count(), rand.New(rand.NewPCG(1, 1))
	for range 20 {
		m, err := a.Model(counts.Sample(rng))
		if err != nil {
			t.Fatal(err)
		}
		if v := m.Certificate().Objective.Value; v > a.Objective(a.Threshold())+1e-9 || v < a.Best.Certificate().Objective.Value-1e-9 {
			t.Errorf("a tree of objective %v", v)
		}
	}
}

// TestTreeAnswers asks questions about all good trees of three classes, and compares the answers
// with trees drawn at random.
func TestTreeAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	header, rows := []string{"a", "b", "c", "colour"}, [][]string{}
	for range 150 {
		a, b, c := rng.IntN(3), rng.IntN(2), rng.IntN(4)
		colour := [3]string{"red", "green", "blue"}[(a+b*c)%3]
		if rng.IntN(8) == 0 {
			colour = "red"
		}
		rows = append(rows, []string{"x" + fmt.Sprint(a), "y" + fmt.Sprint(b), "z" + fmt.Sprint(c), colour})
	}
	o := goodmodels.Options{Options: family.Options{Family: model.Tree, Lambda: "0.03", Depth: 3}, Rules: ratio.New(3, 2)}
	d, err := family.Table(header, rows, family.Of(model.Tree).Reading(family.Reading{Target: "colour"}))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := goodTrees(t, d, o)
	further, err := a.Further(t.Context(), header, rows)
	if err != nil {
		t.Fatal(err)
	}
	flipped := 0
	for i, cells := range rows {
		if _, _, ok := further.Otherwise(i); ok {
			flipped++
		}
		if says, err := a.Best.Predict(map[string]string{"a": cells[0], "b": cells[1], "c": cells[2]}); err != nil ||
			says.Class != further.Optimum(i) {
			t.Fatalf("row %d: the optimum predicts %v, not %v, %v", i, says.Class, further.Optimum(i), err)
		}
	}
	if flipped == 0 {
		t.Error("no row is decided otherwise by some good tree")
	}
	counts := a.Count()
	for range 100 {
		m, err := a.Model(counts.Sample(rng))
		if err != nil {
			t.Fatal(err)
		}
		bound, err := predict.Bind(m.Model, header, predict.Options{})
		if err != nil {
			t.Fatal(err)
		}
		value := m.Certificate().Objective.Value
		for i, cells := range rows {
			says, err := bound.Predict(cells)
			if err != nil {
				t.Fatal(err)
			}
			if says.Class == further.Optimum(i) {
				continue
			}
			if _, objective, ok := further.Otherwise(i); !ok || a.Objective(objective) > value+1e-9 {
				t.Fatalf("row %d: a tree of objective %v decides otherwise, the best one that does has %v, %v", i, value,
					a.Objective(objective), ok)
			}
		}
	}
	for _, column := range a.Columns() {
		u, err := a.Use(column)
		if err != nil {
			t.Fatal(err)
		}
		without, err := a.Without(column)
		if err != nil {
			t.Fatal(err)
		}
		if n := new(big.Int).Add(u.With, without.Count().Models()); n.Cmp(u.Lists) != 0 ||
			u.Best != nil && u.Best.String() != without.Optimum.String() {
			t.Errorf("%s: %v trees with it and %v without, of %v", column, u.With, without.Count().Models(), u.Lists)
		}
	}
	if _, err := a.Front(make([]bool, len(rows)), rates.SelectionRate); err == nil {
		t.Error("rates of class 1 of three classes")
	}
}
