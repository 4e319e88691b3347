package bench

import (
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"

	"parcorels/instance"
)

// TestTreeCase: a tree of MONK's first problem, alone and beside itself.
func TestTreeCase(t *testing.T) {
	c := Case{Instance: "monk1", Model: Trees, Lambda: "0.01", Workers: 1, Beside: greedy}
	one, err := Execute(t.Context(), c, "")
	if err != nil {
		t.Fatal(err)
	}
	if one.Status != "optimal" || one.Errors != 0 || one.Objective != float64(one.Length)/100 || one.Gap != 0 || one.Expanded == 0 {
		t.Errorf("%+v", one)
	}
	s := &summary{Record: &Record{Outcome: one}}
	if same, best := s.measure(greedySame), s.measure(greedyBest); same.Size != one.Length || same.Value > 1 || best.Value < one.Objective-1e-12 || best.Size == 0 {
		t.Errorf("CART %+v, %+v; the optimum %v", same, best, one.Objective)
	}
	c.Copies, c.Traced, c.Beside = 2, true, ""
	two, err := Execute(t.Context(), c, "")
	if err != nil || two.Objective != one.Objective || two.Expanded != one.Expanded || len(two.Trace) == 0 {
		t.Errorf("%v, %+v", err, two)
	}
	c.Depth = 1
	if shallow, err := Execute(t.Context(), c, ""); err != nil || shallow.Length > 2 {
		t.Errorf("%v, %+v", err, shallow)
	}
	for _, bad := range []Case{{Model: "forest"}, {Model: Trees, Depth: -1}, {Model: Trees, Policy: "bound"}, {Model: Trees, Lambda: "2"}} {
		bad.Instance = "monk1"
		if bad.Lambda == "" {
			bad.Lambda = "0.1"
		}
		if _, err := Execute(t.Context(), bad, ""); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

// TestCART: it splits by Gini impurity, best first, also where the first split of
// two that are needed gains nothing.
func TestCART(t *testing.T) {
	points := func(weights []int64, labels string, columns ...string) *instance.Points {
		set := func(text string) *bitset.BitSet {
			b := bitset.New(uint(len(text)))
			for i, x := range text {
				b.SetTo(uint(i), x == '1')
			}
			return b
		}
		var list []*bitset.BitSet
		for _, c := range columns {
			list = append(list, set(c))
		}
		p, err := instance.NewPoints(list, set(labels), weights, len(labels))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		name string
		p    *instance.Points
		want []int64
	}{
		{"one feature tells", points(nil, "1100", "1100", "1010"), []int64{2, 0}},
		{"exclusive or", points(nil, "0110", "1100", "1010"), []int64{2, 2, 1, 0}},
		{"nothing to split", points([]int64{3, 4}, "01", "11"), []int64{3}},
		{"heavier first; two points are alike", points([]int64{5, 1, 1, 5}, "1100", "1110", "1010"), []int64{6, 1, 1}},
	} {
		got := cart(c.p, 10)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
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
	records = some("osdt", "", 1)
	for i := range records {
		records[i].Case.Model = Trees
		records[i].Errors, records[i].Weight = 1, 8
		records[i].Measures = []Measure{{Name: greedySame, Value: .75}, {Name: greedyBest, Size: 7, Value: .5}}
	}
	if text := Tables(records); !strings.Contains(text, "87.50%") || !strings.Contains(text, "75.00%") || !strings.Contains(text, ".5000000 (7)") {
		t.Error(text)
	}
}

// TestWeak: a table is the same every time, and its flags say something.
func TestWeak(t *testing.T) {
	a, b := weak("weak/500x12", 500, 12), weak("weak/500x12", 500, 12)
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
