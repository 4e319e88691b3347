package bench

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/dataset"
)

// TestTreeCase: a tree of MONK's first problem, alone and beside itself.
func TestTreeCase(t *testing.T) {
	c := Case{Instance: "monk1", Model: Trees, Lambda: "0.01", Workers: 1, Beside: greedy}
	one, err := Execute(t.Context(), c, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if one.Status != "optimal" || one.Wrong != 0 || one.Objective != float64(one.Length)/100 || one.Gap != 0 || one.Expanded == 0 || one.MapEntries == 0 || one.Searchers != 1 {
		t.Errorf("%+v", one)
	}
	if m := one.Measures; m[greedySame] > 1 || m[greedyBest] < one.Objective-1e-12 || m[greedyBest+" leaves"] == 0 {
		t.Errorf("CART %v; the optimum %v", m, one.Objective)
	}
	c.Copies, c.Traced, c.Beside = 2, true, ""
	two, err := Execute(t.Context(), c, "", nil)
	if err != nil || two.Objective != one.Objective || two.Expanded != one.Expanded || len(two.Trace) == 0 {
		t.Errorf("%v, %+v", err, two)
	}
	c.Depth = 1
	if shallow, err := Execute(t.Context(), c, "", nil); err != nil || shallow.Length > 2 {
		t.Errorf("%v, %+v", err, shallow)
	}
	for _, bad := range []Case{{Model: "forest"}, {Model: Trees, Depth: -1}, {Model: Trees, Policy: "bound"}, {Model: Trees, Lambda: "2"}} {
		bad.Instance = "monk1"
		if bad.Lambda == "" {
			bad.Lambda = "0.1"
		}
		if _, err := Execute(t.Context(), bad, "", nil); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

// TestCART: it splits by Gini impurity, best first, also where the first split of
// two that are needed gains nothing, and errs on held samples as its leaves say.
func TestCART(t *testing.T) {
	// Samples are digits: class 0, 1, or tests of class 0 (2) and 1 (3).
	table := func(labels string, columns ...string) *cartTable {
		n := uint(len(labels))
		set := func(text, ones string) *bitset.BitSet {
			b := bitset.New(n)
			for i, x := range text {
				b.SetTo(uint(i), strings.ContainsRune(ones, x))
			}
			return b
		}
		c := &cartTable{samples: n}
		for _, text := range columns {
			c.columns = append(c.columns, set(text, "1"))
		}
		for _, class := range []string{"0", "1"} {
			c.train = append(c.train, set(labels, class))
			c.tests = append(c.tests, set(labels, string(class[0]+2)))
		}
		return c
	}
	for _, c := range []struct {
		name string
		t    *cartTable
		want []cartSize
	}{
		{"one feature tells", table("1100", "1100", "1010"), []cartSize{{2, 0}, {0, 0}}},
		{"exclusive or", table("0110", "1100", "1010"), []cartSize{{2, 0}, {2, 0}, {1, 0}, {0, 0}}},
		{"nothing to split", table("0001111", "1111111"), []cartSize{{3, 0}}},
		{"heavier first; two samples are alike", table("111111000000", "111111100000", "111110100000"), []cartSize{{6, 0}, {1, 0}, {1, 0}}},
		{"two are held", table("1110023", "1110010", "1010000"), []cartSize{{2, 1}, {0, 2}}},
		{"a leaf without samples to learn from", table("1102", "1100", "0001"), []cartSize{{1, 1}, {0, 0}}},
	} {
		if got := c.t.grow(10); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTreeFolds: trees of MONK's first problem and CART on the same folds.
func TestTreeFolds(t *testing.T) {
	out, err := Execute(t.Context(), Case{Instance: "monk1", Model: Trees, Lambda: "0.01", Folds: 4, Workers: 1, Beside: greedy}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m := out.Measures
	if m[length] != 7 || m[training] != 1 || m[accuracy] != 1 || m[greedyTrain] >= 1 || m[greedyTrain] < .75 {
		t.Errorf("%+v", m)
	}
	if math.Abs(m[accuracy]-m[greedySame]-m[ahead]) > 1e-9 || m[ahead] <= 0 {
		t.Errorf("%+v", out.Measures)
	}
}

// TestResized: fewer rows are some of the table's, more are all of it again, and the
// features that are named come first.
func TestResized(t *testing.T) {
	text := "noise,a,b,class\n" + strings.Repeat("0,0,0,0\n1,0,1,1\n0,1,0,1\n1,1,1,0\n0,0,1,1\n1,1,0,1\n", 7)
	d, err := dataset.ReadFrom(strings.NewReader(text), "x.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	twice, err := resized("a", "b")(t.Context(), "x", d, []int{84, 2})
	if err != nil {
		t.Fatal(err)
	}
	if twice.Features[0].Name != "a" || twice.Features[1].Name != "b" || twice.Labels.Count() != 2*d.Labels.Count() || twice.Features[1].Bits.Count() != 2*d.Features[2].Bits.Count() {
		t.Errorf("%+v", twice)
	}
	for i := range uint(84) {
		if a, b := twice.Features[0].Bits.Test(i), twice.Features[1].Bits.Test(i); twice.Labels.Test(i) != (a != b) {
			t.Fatalf("row %d is torn", i)
		}
	}
	for _, bad := range []string{"fico/x", "fico/1x4", "compas-binary/9x0", "compas-binary/9"} {
		if _, err := find(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	if _, err := resized("a", "b")(t.Context(), "x", d, []int{84, 4}); err == nil {
		t.Error("four features of three")
	}
}

// TestTreeTables: the tables of trees have the figures of their records.
func TestTreeTables(t *testing.T) {
	records := some("trees", "", 1, 2, 3)
	for i := range records {
		records[i].Case.Model, records[i].Depth = Trees, 4
	}
	if text := Tables(records); !strings.Contains(text, "| .01 | 4     | .2500000000") {
		t.Error(text)
	}
	records = some("osdt", "path", 1)
	for i := range records {
		records[i].Case.Model = Trees
		records[i].Wrong = 1. / 8
		records[i].Measures = map[string]float64{greedySame: .75, greedyBest: .5, greedyBest + " leaves": 7}
	}
	if text := Tables(records); !strings.Contains(text, "87.50%") || !strings.Contains(text, "75.00%") || !strings.Contains(text, ".5000000 (7)") {
		t.Error(text)
	}
	for i := range records {
		records[i].Part, records[i].Instance = "samples", "fico/8x5"
		records[i].Measures[greedySeconds] = .125
	}
	if text := Tables(records); !strings.Contains(text, "| fico | 10      | 5 ") || !strings.Contains(text, "| 87.50%   | 75.00% |") || !strings.Contains(text, "| .125 ") {
		t.Error(text)
	}
	for i := range records {
		records[i].Part = "folds"
		records[i].Measures = map[string]float64{length: 4.25, training: .75, greedyTrain: .5, ahead: -1e-9, ahead + deviation: .02}
	}
	if text := Tables(records); !strings.Contains(text, "| 4.2    | 75.00%   | 50.00% |") || !strings.Contains(text, "| 0.00% (2.0) ") {
		t.Error(text)
	}
}

// TestWeak: a table is the same every time, and its flags say something.
func TestWeak(t *testing.T) {
	a, err := weak(t.Context(), "weak/500x12", nil, []int{500, 12})
	if err != nil {
		t.Fatal(err)
	}
	b, err := weak(t.Context(), "weak/500x12", nil, []int{500, 12})
	if err != nil {
		t.Fatal(err)
	}
	if !a.Labels.Equal(b.Labels) || a.Labels.Count() < 50 || a.Labels.Count() > 450 {
		t.Errorf("%d and %d of 500", a.Labels.Count(), b.Labels.Count())
	}
	for f := range a.Features {
		if !a.Features[f].Bits.Equal(b.Features[f].Bits) || a.Features[f].Bits.None() {
			t.Errorf("flag %d", f)
		}
	}
	for _, bad := range []string{"weak/x", "weak/1x1", "weak/10x0"} {
		if _, err := find(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
