package bench

import (
	"strings"
	"testing"
)

// TestTreeCase: a tree of MONK's first problem, alone and beside itself.
func TestTreeCase(t *testing.T) {
	c := Case{Instance: "monk1", Model: Trees, Lambda: "0.01", Workers: 1}
	one, err := Execute(t.Context(), c, "")
	if err != nil {
		t.Fatal(err)
	}
	if one.Status != "optimal" || one.Wrong != 0 || one.Objective != float64(one.Length)/100 || one.Gap != 0 || one.Expanded == 0 ||
		one.MapEntries == 0 || one.Searchers != 1 {
		t.Errorf("%+v", one)
	}
	c.Copies = 2
	two, err := Execute(t.Context(), c, "")
	if err != nil || two.Objective != one.Objective || two.Expanded != one.Expanded {
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

// TestTreeTables: the tables of trees have the figures of their records.
func TestTreeTables(t *testing.T) {
	records := some("trees", "", 1, 2, 3)
	for i := range records {
		records[i].Case.Model, records[i].Depth = Trees, 4
	}
	if text := Tables(records); !strings.Contains(text, "| .01 | 4     | .2500000000") {
		t.Error(text)
	}
}

// TestWeak: a table is the same every time, and its flags say something.
func TestWeak(t *testing.T) {
	a, err := weak(t.Context(), "weak/500x12", []int{500, 12})
	if err != nil {
		t.Fatal(err)
	}
	b, err := weak(t.Context(), "weak/500x12", []int{500, 12})
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
