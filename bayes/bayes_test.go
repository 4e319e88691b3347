package bayes_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"parcorels/bayes"
	"parcorels/bayes/search"
	"parcorels/dataset"
	"parcorels/instance"
	"parcorels/model/given"
	"parcorels/model/predict"
	"parcorels/ratio"
	"parcorels/rules"
)

// monk is MONK's first problem, whose class is "head and body have the same shape, or
// the jacket is red".
func monk(t *testing.T, weight string) *bayes.Model {
	t.Helper()
	o := dataset.Options{Weight: weight}
	d, err := dataset.Read("../examples/monk1.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rules.Mine(t.Context(), d, rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prior := search.Prior{Length: ratio.New(3, 1), Width: ratio.New(1, 1), Alpha1: ratio.New(1, 1), Alpha0: ratio.New(1, 1)}
	points, err := instance.PointsFromSet(set)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := search.Fit(context.Background(), set, points, search.Options{Prior: prior, Chains: 2, Iterations: 2000}, "test", o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMonk(t *testing.T) {
	m := monk(t, "")
	want := `if   jacket_color = red
       then P(yes) = 99.1%   (96.7%–100.0%; 108 of 432 samples)
else if head_shape = octagon
    and body_shape = octagon
       then P(yes) = 97.4%   (90.5%–99.9%; 36 of 432 samples)
else if head_shape = round
    and body_shape = round
       then P(yes) = 97.4%   (90.5%–99.9%; 36 of 432 samples)
else if head_shape = square
    and body_shape = square
       then P(yes) = 97.4%   (90.5%–99.9%; 36 of 432 samples)
else        P(yes) =  0.5%   (0.0%–1.7%; 216 of 432 samples)
`
	if got := m.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c := m.Certificate(); c.Gap != 0 || c.GapUnit != "nats" || math.Abs(c.Objective.Value+42.5627386789) > 1e-9 {
		t.Errorf("%+v", c)
	}
	p, err := predict.Predict(m, map[string]string{"head_shape": "round", "body_shape": "square", "jacket_color": "red"}, predict.Options{})
	if err != nil || p.Label != "yes" || math.Abs(p.Probabilities[1]-109./110) > 1e-12 {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestInterval compares the interval of a rule with known quantiles: Beta(2, 5) has
// .0433 and .6412, Beta(1, 1) is uniform.
func TestInterval(t *testing.T) {
	for _, c := range []struct{ a, b, low, high float64 }{{2, 5, .043272, .641235}, {1, 1, .025, .975}, {.5, .5, .001541, .998459},
		{500, 500, .469032, .530968}, {1. / 3, 3, .000004, .525603}} {
		low, high := bayes.Interval(c.a, c.b)
		if math.Abs(low-c.low) > 2e-6 || math.Abs(high-c.high) > 2e-6 {
			t.Errorf("Beta(%v, %v): %v to %v, want %v to %v", c.a, c.b, low, high, c.low, c.high)
		}
	}
}

// TestFile: a model survives its file byte for byte, and what is changed in it is
// found out.
func TestFile(t *testing.T) {
	m := monk(t, "")
	var file, again bytes.Buffer
	if err := m.Encode(&file); err != nil {
		t.Fatal(err)
	}
	back, err := given.Model(bayes.Codec, bytes.NewReader(file.Bytes()), "m.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Encode(&again); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("the file is another one after reading and writing it", err)
	}
	for _, c := range []struct{ old, new string }{
		{`"length": "3"`, `"length": "-3"`},
		{`"low": 0.90`, `"low": 0.91`},
		{`"probability": 0.99`, `"probability": 0.98`},
		{`"agree": 2`, `"agree": 3`},
		{`"denominator": 4294967296`, `"denominator": 4294967295`},
		{`parcorels bayesian rule list`, `parcorels rule list`},
	} {
		text := strings.Replace(file.String(), c.old, c.new, 1)
		if text == file.String() {
			t.Errorf("the file has no %s", c.old)
		} else if _, err := given.Model(bayes.Codec, strings.NewReader(text), "m.json"); err == nil {
			t.Errorf("a file with %s was accepted", c.new)
		}
	}
}
